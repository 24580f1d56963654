// SPDX-License-Identifier: MIT
// Circles that belong to groups. Groups are sorted into the cells of a grid by their bounds, so that
// neighbours are found without testing all; and circles of different groups are pushed apart, in the order of
// their indices, whatever the grid looks like.
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
    state::Reserved<4> unused;

    [[nodiscard]] bool exists() const { return radius >= 0; }
    [[nodiscard]] Box extent() const { return Box{center, center}.shrunk(-radius); }
};

// Boxes sorted into cells by their middles.
class BoxGrid {
public:
    // `area` is where most boxes are; boxes outside count to the cells at its edge. An empty box is left
    // out.
    BoxGrid(std::span<const Box> boxes, const Box& area, Scratch& scratch);

    // Calls visit(index) for every box that touches the area.
    template <class Visit>
    void for_each_touching(const Box& area, Visit visit) const {
        const Box middles{area.low - half_largest_, area.high + half_largest_};
        const std::uint32_t left = column_of(middles.low.x);
        const std::uint32_t right = column_of(middles.high.x);
        const std::uint32_t top = row_of(middles.high.y);
        for (std::uint32_t row = row_of(middles.low.y); row <= top; ++row) {
            const std::uint32_t end = starts_[row * columns_ + right + 1];
            for (std::uint32_t i = starts_[row * columns_ + left]; i < end; ++i)
                if (boxes_[sorted_[i]].touches(area)) visit(sorted_[i]);
        }
    }

private:
    std::uint32_t column_of(double x) const { return index_of(x - low_.x, columns_); }
    std::uint32_t row_of(double y) const { return index_of(y - low_.y, rows_); }
    std::uint32_t index_of(double offset, std::uint32_t count) const {
        const double index = offset * per_cell_;
        return index >= count ? count - 1 : index >= 0 ? static_cast<std::uint32_t>(index) : 0;
    }
    void choose_cells(const Box& area);
    void sort(Scratch& scratch);

    std::span<const Box> boxes_;
    std::span<std::uint32_t> sorted_;  // indices by cell, and within a cell as they were
    std::span<std::uint32_t> starts_;  // of each cell in the sorted order, and of the end
    math::Vec2 half_largest_;
    math::Vec2 low_;
    double per_cell_ = 1;
    std::uint32_t columns_ = 1;
    std::uint32_t rows_ = 1;
};

class CircleGroups {
public:
    // Groups are numbered from 0, and there are no more of them than circles.
    CircleGroups(std::span<const Circle> circles, const Box& area, Scratch& scratch);

    [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(bounds_.size()); }
    [[nodiscard]] const Box& bounds(std::uint32_t group) const { return bounds_[group]; }

    // Indices in rising order.
    [[nodiscard]] std::span<const std::uint32_t> members(std::uint32_t group) const {
        return members_.subspan(starts_[group], starts_[group + 1] - starts_[group]);
    }

    // Calls visit(group) for every group whose bounds touch the area.
    template <class Visit>
    void for_each_touching(const Box& area, Visit visit) const {
        grid_.for_each_touching(area, visit);
    }

private:
    static std::span<Box> bounds_of(std::span<const Circle> circles, Scratch& scratch);

    std::span<Box> bounds_;
    std::span<std::uint32_t> starts_;  // of each group's members, and of the end
    std::span<std::uint32_t> members_;
    BoxGrid grid_;
};

struct PushRules {
    double cell = 20;  // two circles are looked at if they touch one cell of this size when pushing begins
    std::uint32_t passes = 4;
};

// Pushes circles of different groups apart, each by half of the overlap, pair by pair in the order of their
// indices, again and again until nothing overlaps or the passes are used up.
void push_apart(std::span<Circle> circles, const Box& area, const PushRules& rules, Scratch scratch);

// The size of a scratch for this many circles and for pushing them.
constexpr std::uint32_t scratch_blocks_for(std::uint32_t circles) { return 4 + 3 * circles; }

}  // namespace instep::motion
