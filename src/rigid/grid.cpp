// SPDX-License-Identifier: MIT
// Filing boxes.
#include <instep/rigid/grid.h>

#include <algorithm>
#include <bit>
#include <cassert>

namespace instep::rigid {
namespace {

// Powers of two, so that products with them are exact.
template <int lowest, std::size_t levels>
constexpr std::array<double, levels> powers_of_two() {
    std::array<double, levels> powers{};
    double power = 1;
    for (int i = 0; i < -lowest; ++i) power *= 2;
    for (double& of_level : powers) {
        of_level = power;
        power /= 2;
    }
    return powers;
}

}  // namespace

Grid::Grid(std::uint32_t max_boxes)
    : entries_(max_boxes), buckets_(std::bit_ceil(std::max(2 * max_boxes, 64U))) {}

// The smallest level whose cells are no smaller than the box. The exponent of a double is exact: no
// logarithm, no rounding.
std::uint32_t Grid::level_of(const Box& box) {
    const double extent = std::max(box.high.x - box.low.x, box.high.y - box.low.y);
    const auto exponent =
        static_cast<int>(std::bit_cast<std::uint64_t>(extent) >> 52 & 0x7FF) - 1022;  // extent < 2^exponent
    return static_cast<std::uint32_t>(
        std::clamp(exponent - lowest_level, 0, static_cast<int>(level_count) - 1));
}

// Clamped before it becomes an integer, also for NaN, which would differ between processors.
std::int64_t Grid::cell_of(double place, std::uint32_t level) {
    static constexpr auto cells_a_unit = powers_of_two<lowest_level, level_count>();
    const double cell = std::floor(place * cells_a_unit[level]);
    constexpr double most = 1e12;
    return static_cast<std::int64_t>(cell > -most ? (cell < most ? cell : most) : -most);
}

Grid::CellRange Grid::cells_within_reach(const Level& level, std::uint32_t slot, const Box& box) {
    CellRange range;
    range.low_x = cell_of(box.low.x - level.half.x, slot);
    range.low_y = cell_of(box.low.y - level.half.y, slot);
    range.high_x = cell_of(box.high.x + level.half.x, slot);
    range.high_y = cell_of(box.high.y + level.half.y, slot);
    range.cells = (static_cast<double>(range.high_x - range.low_x) + 1) *
                  (static_cast<double>(range.high_y - range.low_y) + 1);
    return range;
}

std::uint32_t Grid::bucket_of(std::int64_t x, std::int64_t y, std::uint32_t level) const {
    std::uint64_t mixed = static_cast<std::uint64_t>(x) * 0x9E3779B97F4A7C15;  // 2^64 / golden ratio
    mixed ^= static_cast<std::uint64_t>(y) * 0xC2B2AE3D27D4EB4F + level;       // odd, its bits evenly mixed
    mixed ^= mixed >> 29;
    return static_cast<std::uint32_t>(mixed * 0xBF58476D1CE4E5B9 >> 32) &
           static_cast<std::uint32_t>(buckets_.size() - 1);
}

void Grid::build(std::span<const Box> boxes) {
    assert(boxes.size() <= entries_.size());
    boxes_ = boxes;
    levels_ = {};
    std::fill(buckets_.begin(), buckets_.end(), none);
    // Backwards, so that every list runs forwards.
    for (auto i = static_cast<std::uint32_t>(boxes.size()); i-- > 0;) {
        const Box& box = boxes[i];
        const Vec2 half = 0.5 * (box.high - box.low);
        Entry& entry = entries_[i];
        entry.level = level_of(box);
        // A hair more than half: the middle is rounded.
        Level& level = levels_[entry.level];
        level.half.x = std::max(level.half.x, half.x * (1 + 1e-9) + 1e-9);
        level.half.y = std::max(level.half.y, half.y * (1 + 1e-9) + 1e-9);
        entry.x = cell_of(box.low.x + half.x, entry.level);
        entry.y = cell_of(box.low.y + half.y, entry.level);
        std::uint32_t& bucket = buckets_[bucket_of(entry.x, entry.y, entry.level)];
        entry.next_in_bucket = bucket;
        bucket = i;
        entry.next_in_level = level.first;
        level.first = i;
        ++level.count;
    }
}

}  // namespace instep::rigid
