// SPDX-License-Identifier: MIT
#include <instep/motion/grid.h>

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <optional>

namespace instep::motion {
namespace {

using math::Vec2;

// Counting has left the size of each part in starts[part + 1]; this turns them into where the parts begin,
// one index late, so that filling the parts by starts[part + 1]++ moves all of them to where they belong.
void sizes_to_starts(std::span<std::uint32_t> starts) {
    std::uint32_t end = 0;
    for (std::uint32_t& start : starts.subspan(1)) {
        const std::uint32_t size = start;
        start = end;
        end += size;
    }
}

// Calls visit(group, begin, end) for each run of circles that are of one group: what is gathered for a group
// then stays in registers, where memory that is written and read again for each circle would be waited for.
template <class Visit>
void for_each_run(std::span<const Circle> circles, Visit visit) {
    const auto count = static_cast<std::uint32_t>(circles.size());
    for (std::uint32_t begin = 0; begin < count;) {
        std::uint32_t end = begin + 1;
        if (circles[begin].exists()) {
            const std::uint32_t group = circles[begin].group;
            while (end < count && circles[end].exists() && circles[end].group == group) ++end;
            visit(group, begin, end);
        }
        begin = end;
    }
}

// --- Pairs -------------------------------------------------------------------------------------------------

// The small cells that a circle touches.
struct Cells {
    std::int32_t left;
    std::int32_t right;
    std::int32_t bottom;
    std::int32_t top;
};

// A small cell's number; far outside of anything that a world allows, all are the same one.
std::int32_t small_cell(double at, double size) {
    constexpr double most = 1e9;
    const double cells = std::clamp(at / size, -most, most);
    const auto towards_zero = static_cast<std::int32_t>(cells);
    return towards_zero - (cells < towards_zero ? 1 : 0);  // floor, without a call where processors lack it
}

Cells cells_of(const Circle& circle, double size) {
    const Box extent = circle.extent();
    return {small_cell(extent.low.x, size), small_cell(extent.high.x, size), small_cell(extent.low.y, size),
            small_cell(extent.high.y, size)};
}

bool share_one(const Cells& a, const Cells& b) {
    return a.left <= b.right && b.left <= a.right && a.bottom <= b.top && b.bottom <= a.top;
}

struct Pair {
    std::uint32_t a;
    std::uint32_t b;

    friend auto operator<=>(const Pair&, const Pair&) = default;
};

// Finds the pairs that may have to be pushed apart, by their positions when pushing begins.
class PairFinder {
public:
    PairFinder(std::span<const Circle> circles, const Box& area, double cell, Scratch& scratch)
        : circles_(circles),
          cell_(cell),
          groups_(circles, area, scratch),
          nearby_(scratch.take<std::uint32_t>(circles.size())),
          cells_(scratch.take<Cells>(circles.size())),
          pairs_(scratch.take<Pair>(scratch.capacity_for<Pair>())) {}

    // All pairs in order, the lower index first; empty if the scratch cannot hold them.
    std::optional<std::span<const Pair>> find() {
        for (std::uint32_t group = 0; group < groups_.count(); ++group)
            groups_.for_each_touching(groups_.bounds(group).shrunk(-cell_), [&](std::uint32_t other) {
                if (other > group) look_between(group, other);
            });
        if (count_ > pairs_.size()) return {};
        const std::span<Pair> found = pairs_.first(count_);
        std::sort(found.begin(), found.end());  // total order: no pair is found twice
        return found;
    }

private:
    // Extents that are farther apart than a cell share no cell.
    void look_between(std::uint32_t group, std::uint32_t other) {
        const Box reach = groups_.bounds(group).shrunk(-cell_);
        const Box others_reach = groups_.bounds(other).shrunk(-cell_);
        std::uint32_t nearby = 0;
        for (const std::uint32_t index : groups_.members(other)) {
            if (!circles_[index].extent().touches(reach)) continue;
            cells_[nearby] = cells_of(circles_[index], cell_);
            nearby_[nearby++] = index;
        }
        if (nearby == 0) return;
        for (const std::uint32_t index : groups_.members(group)) {
            if (!circles_[index].extent().touches(others_reach)) continue;
            const Cells own = cells_of(circles_[index], cell_);
            for (std::uint32_t i = 0; i < nearby; ++i)
                if (share_one(own, cells_[i])) add(index, nearby_[i]);
        }
    }

    void add(std::uint32_t a, std::uint32_t b) {
        if (count_ < pairs_.size()) pairs_[count_] = {std::min(a, b), std::max(a, b)};
        ++count_;
    }

    std::span<const Circle> circles_;
    double cell_;
    CircleGroups groups_;
    std::span<std::uint32_t> nearby_;  // circles of the other group, and their cells
    std::span<Cells> cells_;
    std::span<Pair> pairs_;
    std::size_t count_ = 0;
};

// --- Pushing -----------------------------------------------------------------------------------------------

bool push_pair(Circle& a, Circle& b) {
    constexpr double no_direction = 0.0001;  // squared distance, as in the original
    const Vec2 between = a.center - b.center;
    const double reach = a.radius + b.radius;
    const double squared = length_squared(between);
    if (squared <= no_direction || squared >= reach * reach) return false;
    const double distance = std::sqrt(squared);
    const Vec2 push = between / distance * ((reach - distance) * 0.5);
    a.center += push;
    b.center -= push;
    return true;
}

bool push_pairs(std::span<Circle> circles, std::span<const Pair> pairs) {
    bool moved = false;
    for (const Pair& pair : pairs) moved |= push_pair(circles[pair.a], circles[pair.b]);
    return moved;
}

// The same pairs where the scratch cannot hold a list of them: many circles at one point. All are looked
// through each time, in columns, so that the compiler takes many at once.
class Heap {
public:
    Heap(std::span<Circle> circles, double cell, Scratch& scratch)
        : circles_(circles),
          left_(scratch.take<std::int32_t>(circles.size())),
          right_(scratch.take<std::int32_t>(circles.size())),
          bottom_(scratch.take<std::int32_t>(circles.size())),
          top_(scratch.take<std::int32_t>(circles.size())),
          marks_(scratch.take<std::uint8_t>(circles.size() + word)) {
        for (std::size_t i = 0; i < circles.size(); ++i) {
            const Cells cells = cells_of(circles[i], cell);
            left_[i] = cells.left;
            right_[i] = cells.right;
            bottom_[i] = cells.bottom;
            top_[i] = cells.top;
        }
    }

    bool push() {
        bool moved = false;
        for (std::size_t a = 0; a < circles_.size(); ++a)
            if (circles_[a].exists()) moved |= push_from_later_ones(a);
        return moved;
    }

private:
    static constexpr std::size_t word = sizeof(std::uint64_t);

    // Marks the circles, from a + 1 on, that share a cell with a.
    std::size_t mark_later_ones(std::size_t a) {
        const std::size_t count = circles_.size() - a - 1;
        const std::int32_t left = left_[a];
        const std::int32_t right = right_[a];
        const std::int32_t bottom = bottom_[a];
        const std::int32_t top = top_[a];
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t b = a + 1 + i;
            const auto apart = [](std::int32_t below, std::int32_t above) { return below > above ? 1 : 0; };
            marks_[i] = (apart(left, right_[b]) | apart(left_[b], right) | apart(bottom, top_[b]) |
                         apart(bottom_[b], top)) == 0;
        }
        std::memset(marks_.data() + count, 0, word);
        return count;
    }

    bool push_from_later_ones(std::size_t a) {
        bool moved = false;
        const std::size_t count = mark_later_ones(a);
        for (std::size_t from = 0; from < count; from += word) {
            std::uint64_t marks = 0;
            std::memcpy(&marks, marks_.data() + from, word);
            for (; marks != 0; marks &= marks - 1) {
                Circle& other =
                    circles_[a + 1 + from + static_cast<std::size_t>(std::countr_zero(marks)) / 8];
                if (other.exists() && other.group != circles_[a].group)
                    moved |= push_pair(circles_[a], other);
            }
        }
        return moved;
    }

    std::span<Circle> circles_;
    std::span<std::int32_t> left_;
    std::span<std::int32_t> right_;
    std::span<std::int32_t> bottom_;
    std::span<std::int32_t> top_;
    std::span<std::uint8_t> marks_;
};

}  // namespace

// --- Grid --------------------------------------------------------------------------------------------------

BoxGrid::BoxGrid(std::span<const Box> boxes, const Box& area, Scratch& scratch) : boxes_(boxes) {
    for (const Box& box : boxes)
        half_largest_ = {std::max(half_largest_.x, (box.high.x - box.low.x) * 0.5),
                         std::max(half_largest_.y, (box.high.y - box.low.y) * 0.5)};
    choose_cells(area);
    sort(scratch);
}

// As large as the largest box, or larger where there would be more cells than boxes.
void BoxGrid::choose_cells(const Box& area) {
    const double most_cells = static_cast<double>(boxes_.size()) + 4;
    const Vec2 size = area.high - area.low;
    double cell = std::max({half_largest_.x, half_largest_.y, 1.0});
    while ((std::floor(size.x / cell) + 1) * (std::floor(size.y / cell) + 1) > most_cells) cell *= 1.25;
    low_ = area.low;
    per_cell_ = 1 / cell;
    columns_ = static_cast<std::uint32_t>(size.x / cell) + 1;
    rows_ = static_cast<std::uint32_t>(size.y / cell) + 1;
}

void BoxGrid::sort(Scratch& scratch) {
    starts_ = scratch.take<std::uint32_t>(std::size_t{columns_} * rows_ + 1);
    sorted_ = scratch.take<std::uint32_t>(boxes_.size());
    std::fill(starts_.begin(), starts_.end(), 0);
    const auto cell_of = [this](const Box& box) {
        const Vec2 middle = (box.low + box.high) * 0.5;
        return row_of(middle.y) * columns_ + column_of(middle.x);
    };
    for (const Box& box : boxes_)
        if (!box.is_empty()) ++starts_[cell_of(box) + 1];
    sizes_to_starts(starts_);
    for (std::uint32_t i = 0; i < boxes_.size(); ++i)
        if (!boxes_[i].is_empty()) sorted_[starts_[cell_of(boxes_[i]) + 1]++] = i;
}

// --- Groups ------------------------------------------------------------------------------------------------

std::span<Box> CircleGroups::bounds_of(std::span<const Circle> circles, Scratch& scratch) {
    std::uint32_t count = 0;
    for_each_run(circles, [&](std::uint32_t group, std::uint32_t, std::uint32_t) {
        count = std::max(count, group + 1);
    });
    assert(count <= circles.size());
    const std::span<Box> bounds = scratch.take<Box>(count);
    std::fill(bounds.begin(), bounds.end(), Box::empty());
    for_each_run(circles, [&](std::uint32_t group, std::uint32_t begin, std::uint32_t end) {
        Box joined = bounds[group];
        for (const Circle& circle : circles.subspan(begin, end - begin))
            joined = joined.joined_with(circle.extent());
        bounds[group] = joined;
    });
    return bounds;
}

CircleGroups::CircleGroups(std::span<const Circle> circles, const Box& area, Scratch& scratch)
    : bounds_(bounds_of(circles, scratch)),
      starts_(scratch.take<std::uint32_t>(bounds_.size() + 1)),
      members_(scratch.take<std::uint32_t>(circles.size())),
      grid_(bounds_, area, scratch) {
    std::fill(starts_.begin(), starts_.end(), 0);
    for_each_run(circles, [&](std::uint32_t group, std::uint32_t begin, std::uint32_t end) {
        starts_[group + 1] += end - begin;
    });
    sizes_to_starts(starts_);
    for_each_run(circles, [&](std::uint32_t group, std::uint32_t begin, std::uint32_t end) {
        std::uint32_t& at = starts_[group + 1];
        std::iota(members_.begin() + at, members_.begin() + at + (end - begin), begin);
        at += end - begin;
    });
}

void push_apart(std::span<Circle> circles, const Box& area, const PushRules& rules, Scratch scratch) {
    Scratch for_heap = scratch;
    const auto pairs = PairFinder(circles, area, rules.cell, scratch).find();
    std::optional<Heap> heap;
    if (!pairs) heap.emplace(circles, rules.cell, for_heap);
    for (std::uint32_t pass = 0; pass < rules.passes; ++pass)
        if (!(pairs ? push_pairs(circles, *pairs) : heap->push())) return;
}

}  // namespace instep::motion
