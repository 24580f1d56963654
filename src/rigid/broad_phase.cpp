// SPDX-License-Identifier: MIT
// Counting sorts of the boxes: by bucket, then stably by strip.
#include <instep/rigid/broad_phase.h>

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>

namespace instep::rigid {
namespace {

constexpr double heights_per_strip = 2;  // average heights of a box

// Enough for a tower of boxes.
std::uint32_t strips_for(std::size_t boxes) {
    return static_cast<std::uint32_t>(std::bit_ceil(boxes / 2 + 1));
}

// Enough for a row of boxes.
std::uint32_t buckets_for(std::size_t boxes) {
    return static_cast<std::uint32_t>(std::bit_ceil(std::max(boxes, std::size_t{256})));
}

// A box touches one strip more than its height spans, and a box of average height spans half a strip.
std::size_t max_entries(std::size_t boxes) { return 3 * boxes + 16; }

// Rounds down. Clamps first, NaN too: an out-of-range conversion to integer differs between processors.
std::int32_t floor_of(double value) {
    constexpr double most = 1 << 30;
    const double clamped = value > -most ? (value < most ? value : most) : -most;
    const auto cut = static_cast<std::int32_t>(clamped);
    return cut - (static_cast<double>(cut) > clamped ? 1 : 0);
}

}  // namespace

BroadPhase::BroadPhase(std::uint32_t max_boxes)
    : cells_(max_boxes),
      bucket_ends_(buckets_for(max_boxes) + 1),
      by_bucket_(max_boxes),
      strip_ends_(strips_for(max_boxes)),
      entries_(max_entries(max_boxes)) {}

// Uses averages, not extremes: one box far away must not put all others into one bucket.
void BroadPhase::choose_scale(std::span<const Aabb> boxes) {
    double heights = 0;
    double lefts = 0;
    double count = 0;
    for (const Aabb& box : boxes) {
        if (!is_box(box)) continue;
        heights += box.high.y - box.low.y;
        lefts += box.low.x;
        count += 1;
    }
    const double middle = count > 0 ? lefts / count : 0;
    double deviations = 0;
    for (const Aabb& box : boxes)
        if (is_box(box)) deviations += std::fabs(box.low.x - middle);

    // Evenly spread boxes reach two mean deviations to either side.
    constexpr double spread = 2.5;
    const double span = 2 * spread * deviations;  // times their count
    strips_per_unit_ = heights > 0 ? count / (heights_per_strip * heights) : 1;
    bucket_count_ = buckets_for(boxes.size());
    buckets_per_unit_ = span > 0 ? bucket_count_ * count / span : 1;
    bucket_origin_ = middle - (count > 0 ? spread * deviations / count : 0);
    strip_count_ = strips_for(boxes.size());
}

std::uint32_t BroadPhase::bucket_of(double x) const {
    const double bucket = (x - bucket_origin_) * buckets_per_unit_;
    const double most = bucket_count_ - 1;
    return static_cast<std::uint32_t>(bucket > 0 ? (bucket < most ? bucket : most) : 0);
}

BroadPhase::StripRange BroadPhase::strips_of(const Aabb& box) const {
    const std::int32_t first = floor_of(box.low.y * strips_per_unit_);
    const std::int32_t last = floor_of(box.high.y * strips_per_unit_);
    return {first, std::min(last, first + static_cast<std::int32_t>(strip_count_) - 1)};
}

void BroadPhase::build(std::span<const Aabb> boxes) {
    assert(boxes.size() <= cells_.size());
    choose_scale(boxes);
    const auto bucket_ends = std::span(bucket_ends_).first(bucket_count_ + 1);
    std::ranges::fill(bucket_ends, 0U);
    std::fill_n(strip_ends_.begin(), strip_count_, 0U);
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        if (!is_box(boxes[i])) continue;
        Cells& cells = cells_[i];
        cells.strips = strips_of(boxes[i]);
        cells.bucket = bucket_of(boxes[i].low.x);
        cells.last_bucket = bucket_of(boxes[i].high.x);
        ++bucket_ends[cells.bucket + 1];
        for (std::int32_t strip = cells.strips.first; strip <= cells.strips.last; ++strip)
            ++strip_ends_[wrapped(strip)];
    }

    for (std::size_t bucket = 1; bucket <= bucket_count_; ++bucket)
        bucket_ends[bucket] += bucket_ends[bucket - 1];
    for (std::uint32_t i = 0; i < boxes.size(); ++i)
        if (is_box(boxes[i])) by_bucket_[bucket_ends[cells_[i].bucket]++] = i;

    // strip_ends_ first holds the starts; they become the ends as the strips fill.
    std::uint32_t entries = 0;
    for (std::uint32_t strip = 0; strip < strip_count_; ++strip) {
        const std::uint32_t count = strip_ends_[strip];
        strip_ends_[strip] = entries;
        entries += count;
    }
    assert(entries <= entries_.size());
    const std::uint32_t count = bucket_ends[bucket_count_ - 1];
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t index = by_bucket_[i];
        const Cells& cells = cells_[index];
        for (std::int32_t strip = cells.strips.first; strip <= cells.strips.last; ++strip)
            entries_[strip_ends_[wrapped(strip)]++] = {boxes[index], index, cells.strips.first, cells.bucket,
                                                       cells.last_bucket};
    }
}

}  // namespace instep::rigid
