// SPDX-License-Identifier: MIT
// Circles sorted into the cells of a grid, so that who is near is found without asking everyone; and circles
// of different groups pushed apart, in the order of their indices, whatever the grid looks like.
#pragma once

#include <cstdint>
#include <span>

#include <instep/math/vec2.h>
#include <instep/motion/box.h>
#include <instep/motion/scratch.h>

namespace instep::motion {

struct Circle {
    math::Vec2 center;
    double radius = -1;  // negative: there is no circle here
    std::uint32_t group = 0;
    std::uint32_t index = 0;  // of a sorted one: which it was
};

class CircleGrid {
public:
    // `area` is where most circles are; what is outside counts to the cells at its edge.
    CircleGrid(std::span<const Circle> circles, const Box& area, Scratch& scratch);

    [[nodiscard]] double largest_radius() const { return largest_radius_; }

    // As they were when they were sorted: by cell, and within a cell by index.
    [[nodiscard]] std::span<const Circle> sorted() const { return sorted_; }

    // Calls visit(circle) for every circle whose centre is in the area, and for some around it; circles of
    // `group` may be left out.
    template <class Visit>
    void for_each_near(const Box& area, std::uint32_t group, Visit visit) const {
        const std::uint32_t left = column_of(area.low.x);
        const std::uint32_t right = column_of(area.high.x);
        const std::uint32_t top = row_of(area.high.y);
        for (std::uint32_t row = row_of(area.low.y); row <= top; ++row)
            for (std::uint32_t cell = row * columns_ + left; cell <= row * columns_ + right; ++cell) {
                if (groups_[cell] == group) continue;
                for (std::uint32_t i = starts_[cell]; i < starts_[cell + 1]; ++i) visit(sorted_[i]);
            }
    }

private:
    std::uint32_t column_of(double x) const { return index_of(x - low_.x, columns_); }
    std::uint32_t row_of(double y) const { return index_of(y - low_.y, rows_); }
    std::uint32_t index_of(double offset, std::uint32_t count) const {
        const double index = offset * per_cell_;
        return index >= count ? count - 1 : index >= 0 ? static_cast<std::uint32_t>(index) : 0;
    }
    void choose_cells(std::span<const Circle> circles, const Box& area);
    void sort(std::span<const Circle> circles, Scratch& scratch);

    std::span<Circle> sorted_;
    std::span<std::uint32_t> starts_;  // of each cell in the sorted order, and of the end
    std::span<std::uint32_t> groups_;  // whose each cell is, if all in it are of one group
    double largest_radius_ = 0;
    math::Vec2 low_;
    double per_cell_ = 1;
    std::uint32_t columns_ = 1;
    std::uint32_t rows_ = 1;
};

struct PushRules {
    double cell = 20;  // two circles are looked at if they touch one cell of this size when pushing begins
    std::uint32_t passes = 4;
};

// Pushes circles of different groups apart, each by half of the overlap, pair by pair in the order of their
// indices, again and again until nothing overlaps or the passes are used up.
void push_apart(std::span<Circle> circles, const Box& area, const PushRules& rules, Scratch scratch);

// Enough of a scratch for so many circles and for pushing them.
constexpr std::uint32_t scratch_blocks_for(std::uint32_t circles) { return 4 + 2 * circles; }

}  // namespace instep::motion
