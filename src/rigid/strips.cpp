// SPDX-License-Identifier: MIT
// Filing boxes: by level, then stably by strip.
#include <instep/rigid/strips.h>

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>

namespace instep::rigid {
namespace {

constexpr double heights_a_strip = 2;  // average heights of a box

// Enough for a tower of them.
std::uint32_t strips_for(std::size_t boxes) {
    return static_cast<std::uint32_t>(std::bit_ceil(boxes / 2 + 1));
}

// Enough for a row of them.
std::uint32_t levels_for(std::size_t boxes) {
    return static_cast<std::uint32_t>(std::bit_ceil(std::max(boxes, std::size_t{256})));
}

// Each touches one strip more than its height spans, and a box of average height spans half of one.
std::size_t max_entries(std::size_t boxes) { return 3 * boxes + 16; }

// Rounds down. Clamped before it becomes an integer, also for NaN: that would differ between processors.
std::int32_t floor_of(double value) {
    constexpr double most = 1 << 30;
    const double clamped = value > -most ? (value < most ? value : most) : -most;
    const auto cut = static_cast<std::int32_t>(clamped);
    return cut - (static_cast<double>(cut) > clamped ? 1 : 0);
}

}  // namespace

Strips::Strips(std::uint32_t max_boxes)
    : filed_(max_boxes),
      level_ends_(levels_for(max_boxes) + 1),
      by_level_(max_boxes),
      strip_ends_(strips_for(max_boxes)),
      entries_(max_entries(max_boxes)) {}

// Averages, not extremes: one box far away must not make all others fall on one level.
void Strips::choose_scale(std::span<const Box> boxes) {
    double heights = 0;
    double lefts = 0;
    double count = 0;
    for (const Box& box : boxes) {
        if (!is_box(box)) continue;
        heights += box.high.y - box.low.y;
        lefts += box.low.x;
        count += 1;
    }
    const double middle = count > 0 ? lefts / count : 0;
    double deviations = 0;
    for (const Box& box : boxes)
        if (is_box(box)) deviations += std::fabs(box.low.x - middle);

    // Boxes spread evenly reach two mean deviations to either side.
    constexpr double spread = 2.5;
    const double span = 2 * spread * deviations;  // times their count
    strips_a_unit_ = heights > 0 ? count / (heights_a_strip * heights) : 1;
    level_count_ = levels_for(boxes.size());
    levels_a_unit_ = span > 0 ? level_count_ * count / span : 1;
    leftmost_ = middle - (count > 0 ? spread * deviations / count : 0);
    strip_count_ = strips_for(boxes.size());
}

std::uint32_t Strips::level_of(double x) const {
    const double level = (x - leftmost_) * levels_a_unit_;
    const double most = level_count_ - 1;
    return static_cast<std::uint32_t>(level > 0 ? (level < most ? level : most) : 0);
}

Strips::StripRange Strips::strips_of(const Box& box) const {
    const std::int32_t first = floor_of(box.low.y * strips_a_unit_);
    const std::int32_t last = floor_of(box.high.y * strips_a_unit_);
    return {first, std::min(last, first + static_cast<std::int32_t>(strip_count_) - 1)};
}

void Strips::build(std::span<const Box> boxes) {
    assert(boxes.size() <= filed_.size());
    choose_scale(boxes);
    const auto level_ends = std::span(level_ends_).first(level_count_ + 1);
    std::ranges::fill(level_ends, 0U);
    std::fill_n(strip_ends_.begin(), strip_count_, 0U);
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        if (!is_box(boxes[i])) continue;
        Filed& filed = filed_[i];
        filed.strips = strips_of(boxes[i]);
        filed.level = level_of(boxes[i].low.x);
        filed.last_level = level_of(boxes[i].high.x);
        ++level_ends[filed.level + 1];
        for (std::int32_t strip = filed.strips.first; strip <= filed.strips.last; ++strip)
            ++strip_ends_[wrapped(strip)];
    }

    for (std::size_t level = 1; level <= level_count_; ++level) level_ends[level] += level_ends[level - 1];
    for (std::uint32_t i = 0; i < boxes.size(); ++i)
        if (is_box(boxes[i])) by_level_[level_ends[filed_[i].level]++] = i;

    // The starts of strips become their ends as they fill.
    std::uint32_t entries = 0;
    for (std::uint32_t strip = 0; strip < strip_count_; ++strip) {
        const std::uint32_t count = strip_ends_[strip];
        strip_ends_[strip] = entries;
        entries += count;
    }
    assert(entries <= entries_.size());
    const std::uint32_t count = level_ends[level_count_ - 1];
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t number = by_level_[i];
        const Filed& filed = filed_[number];
        for (std::int32_t strip = filed.strips.first; strip <= filed.strips.last; ++strip)
            entries_[strip_ends_[wrapped(strip)]++] = {boxes[number], number, filed.strips.first, filed.level,
                                                       filed.last_level};
    }
}

}  // namespace instep::rigid
