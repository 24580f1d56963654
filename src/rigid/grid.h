// SPDX-License-Identifier: MIT
// The broad phase: which boxes overlap? A grid of grids, built anew in every step, so that there is nothing
// to save. A box belongs to the level whose cells are as large as it, 2^level, and is filed once, in the cell
// of its centre:
//
//     level 3  |       wall       |                  |      a box is asked for on every level that has
//     level 1  |    |    | rock    |    |    |    |        boxes; there it looks at the cells within reach,
//     level 0  |. |  | .|..|  |  |  |  |  |  |  |  |        two or three each way
//
// Cells are filed by a hash of their level and place, and entries know their true cell, so that cells of one
// hash don't mix. Building is linear; asking costs as much as there is to find, once a level.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include <instep/rigid/hull.h>

namespace instep::rigid {

class Grid {
public:
    explicit Grid(std::uint32_t max_boxes);

    // Boxes are numbered by their places in the span, which must outlive the questions.
    void build(std::span<const Box> boxes);

    // Calls found(number) once for each box that overlaps `box`, in an order that only depends on the boxes.
    template <class Found>
    void for_each_overlap(const Box& box, Found found) const {
        for (std::uint32_t slot = 0; slot < level_count; ++slot) {
            const Level& level = levels_[slot];
            if (level.count == 0) continue;
            const CellRange range = cells_within_reach(level, slot, box);
            if (range.cells > level.count)
                ask_all(level, box, found);
            else
                ask_cells(range, slot, box, found);
        }
    }

private:
    static constexpr std::uint32_t none = 0xFFFFFFFF;
    static constexpr int lowest_level = -8;           // cells of 1/256
    static constexpr std::uint32_t level_count = 24;  // up to cells of 32768; what is larger goes there too

    struct Level {
        std::uint32_t count = 0;
        std::uint32_t first = none;
        Vec2 half{};  // the largest half extents on this level
    };
    struct Entry {
        std::int64_t x = 0;
        std::int64_t y = 0;
        std::uint32_t level = 0;
        std::uint32_t next_in_bucket = none;
        std::uint32_t next_in_level = none;
    };
    struct CellRange {
        std::int64_t low_x = 0, low_y = 0, high_x = 0, high_y = 0;
        double cells = 0;
    };

    static std::uint32_t level_of(const Box& box);
    static std::int64_t cell_of(double place, std::uint32_t level);
    static CellRange cells_within_reach(const Level& level, std::uint32_t slot, const Box& box);
    std::uint32_t bucket_of(std::int64_t x, std::int64_t y, std::uint32_t level) const;

    template <class Found>
    void ask_all(const Level& level, const Box& box, Found& found) const {
        for (std::uint32_t i = level.first; i != none; i = entries_[i].next_in_level)
            if (boxes_[i].overlaps(box)) found(i);
    }
    template <class Found>
    void ask_cells(const CellRange& range, std::uint32_t slot, const Box& box, Found& found) const {
        for (std::int64_t y = range.low_y; y <= range.high_y; ++y)
            for (std::int64_t x = range.low_x; x <= range.high_x; ++x)
                for (std::uint32_t i = buckets_[bucket_of(x, y, slot)]; i != none;
                     i = entries_[i].next_in_bucket) {
                    const Entry& entry = entries_[i];
                    if (entry.x == x && entry.y == y && entry.level == slot && boxes_[i].overlaps(box))
                        found(i);
                }
    }

    std::span<const Box> boxes_;
    std::vector<Entry> entries_;
    std::vector<std::uint32_t> buckets_;  // a power of two of them
    std::array<Level, level_count> levels_{};
};

}  // namespace instep::rigid
