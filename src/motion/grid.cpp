// SPDX-License-Identifier: MIT
#include <instep/motion/grid.h>

#include <algorithm>
#include <cmath>

namespace instep::motion {
namespace {

using math::Vec2;

constexpr std::uint32_t nobodys = 0xFFFFFFFF;  // group of an empty cell
constexpr std::uint32_t several = 0xFFFFFFFE;  // group of a cell that more than one group is in

// The small cells that a circle touches.
struct Cells {
    std::int32_t left = 0;
    std::int32_t right = 0;
    std::int32_t bottom = 0;
    std::int32_t top = 0;
};

// A small cell's number; far outside of anything that a world allows, all are the same one.
std::int32_t small_cell(double at, double size) {
    constexpr double most = 1e9;
    return static_cast<std::int32_t>(std::clamp(std::floor(at / size), -most, most));
}

Cells cells_of(const Circle& circle, double size) {
    return {
        small_cell(circle.center.x - circle.radius, size), small_cell(circle.center.x + circle.radius, size),
        small_cell(circle.center.y - circle.radius, size), small_cell(circle.center.y + circle.radius, size)};
}

bool share_one(const Cells& a, const Cells& b) {
    return a.left <= b.right && b.left <= a.right && a.bottom <= b.top && b.bottom <= a.top;
}

// Shell's sort: they come as a few rising runs, one a cell, and there are rarely more than a handful.
void sort_few(std::span<std::uint32_t> numbers) {
    for (const std::size_t gap : {701u, 301u, 132u, 57u, 23u, 10u, 4u, 1u})
        for (std::size_t i = gap; i < numbers.size(); ++i) {
            const std::uint32_t moved = numbers[i];
            std::size_t at = i;
            for (; at >= gap && numbers[at - gap] > moved; at -= gap) numbers[at] = numbers[at - gap];
            numbers[at] = moved;
        }
}

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

// Finds who may have to be pushed from whom, by where all were when pushing began.
class CandidateFinder {
public:
    CandidateFinder(std::span<const Circle> circles, const Box& area, double cell, Scratch& scratch)
        : grid_(circles, area, scratch),
          cell_(cell),
          cells_(scratch.take<Cells>(circles.size())),
          place_(scratch.take<std::uint32_t>(circles.size())),
          found_(scratch.take<std::uint32_t>(circles.size())) {
        const std::span<const Circle> sorted = grid_.sorted();
        for (std::uint32_t i = 0; i < sorted.size(); ++i) {
            cells_[sorted[i].index] = cells_of(sorted[i], cell);
            place_[sorted[i].index] = i;
        }
    }

    // Those of a higher index than this one, in rising order; valid until the next call.
    std::span<const std::uint32_t> of(std::uint32_t index) {
        const Circle& circle = grid_.sorted()[place_[index]];
        const double beyond = circle.radius + cell_;
        std::uint32_t count = 0;
        grid_.for_each_near(around(circle, beyond + grid_.largest_radius()), circle.group,
                            [&](const Circle& other) {
                                // Whoever is farther away than that cannot share a cell.
                                const double far = beyond + other.radius;
                                const Vec2 between = other.center - circle.center;
                                if (other.index <= index || other.group == circle.group) return;
                                if (std::abs(between.x) > far || std::abs(between.y) > far) return;
                                if (share_one(cells_[index], cells_[other.index]))
                                    found_[count++] = other.index;
                            });
        sort_few(found_.first(count));
        return found_.first(count);
    }

private:
    static Box around(const Circle& circle, double reach) {
        return {circle.center - Vec2{reach, reach}, circle.center + Vec2{reach, reach}};
    }

    CircleGrid grid_;
    double cell_;
    std::span<Cells> cells_;
    std::span<std::uint32_t> place_;  // in the sorted order
    std::span<std::uint32_t> found_;
};

struct Pair {
    std::uint32_t a;
    std::uint32_t b;
};

// Calls push_all() -> whether anything moved, until nothing does.
template <class PushAll>
void repeat(std::uint32_t passes, PushAll push_all) {
    for (std::uint32_t pass = 0; pass < passes; ++pass)
        if (!push_all()) return;
}

}  // namespace

CircleGrid::CircleGrid(std::span<const Circle> circles, const Box& area, Scratch& scratch) {
    for (const Circle& circle : circles) largest_radius_ = std::max(largest_radius_, circle.radius);
    choose_cells(circles, area);
    sort(circles, scratch);
}

// As large as the largest circle, or larger where there would be more cells than circles.
void CircleGrid::choose_cells(std::span<const Circle> circles, const Box& area) {
    const double most_cells = static_cast<double>(circles.size()) + 4;
    const Vec2 size = area.high - area.low;
    double cell = std::max(2 * largest_radius_, 1.0);
    while ((std::floor(size.x / cell) + 1) * (std::floor(size.y / cell) + 1) > most_cells) cell *= 1.5;
    low_ = area.low;
    per_cell_ = 1 / cell;
    columns_ = static_cast<std::uint32_t>(size.x / cell) + 1;
    rows_ = static_cast<std::uint32_t>(size.y / cell) + 1;
}

// A counting sort: how many are in each cell, where each cell ends, then everyone to its place, from the last
// circle to the first, so that within a cell they stay in order.
void CircleGrid::sort(std::span<const Circle> circles, Scratch& scratch) {
    const std::uint32_t cells = columns_ * rows_;
    starts_ = scratch.take<std::uint32_t>(cells + 1);
    groups_ = scratch.take<std::uint32_t>(cells);
    const std::span<Circle> room = scratch.take<Circle>(circles.size());
    std::fill(starts_.begin(), starts_.end(), 0);
    std::fill(groups_.begin(), groups_.end(), nobodys);
    const auto cell_of = [this](const Circle& circle) {
        return row_of(circle.center.y) * columns_ + column_of(circle.center.x);
    };
    for (const Circle& circle : circles) {
        if (circle.radius < 0) continue;
        const std::uint32_t cell = cell_of(circle);
        ++starts_[cell];
        groups_[cell] = groups_[cell] == nobodys || groups_[cell] == circle.group ? circle.group : several;
    }
    std::uint32_t end = 0;
    for (std::uint32_t& start : starts_) start = end += start;
    for (auto i = static_cast<std::uint32_t>(circles.size()); i-- > 0;) {
        if (circles[i].radius < 0) continue;
        Circle& sorted = room[--starts_[cell_of(circles[i])]];
        sorted = circles[i];
        sorted.index = i;
    }
    sorted_ = room.first(end);
}

void push_apart(std::span<Circle> circles, const Box& area, const PushRules& rules, Scratch scratch) {
    const auto count = static_cast<std::uint32_t>(circles.size());
    CandidateFinder candidates(circles, area, rules.cell, scratch);
    const std::span<Pair> pairs = scratch.take<Pair>(scratch.room_for<Pair>());
    std::uint32_t pair_count = 0;
    bool all_fit = true;
    for (std::uint32_t i = 0; i < count && all_fit; ++i) {
        if (circles[i].radius < 0) continue;
        const std::span<const std::uint32_t> found = candidates.of(i);
        all_fit = found.size() <= pairs.size() - pair_count;
        for (std::size_t k = 0; k < found.size() && all_fit; ++k) pairs[pair_count++] = {i, found[k]};
    }
    if (all_fit)
        return repeat(rules.passes, [&] {
            bool moved = false;
            for (const Pair& pair : pairs.first(pair_count))
                moved |= push_pair(circles[pair.a], circles[pair.b]);
            return moved;
        });
    // So dense a crowd that there is no room for the list: the same pairs, looked for anew in every pass.
    repeat(rules.passes, [&] {
        bool moved = false;
        for (std::uint32_t i = 0; i < count; ++i)
            if (circles[i].radius >= 0)
                for (const std::uint32_t other : candidates.of(i))
                    moved |= push_pair(circles[i], circles[other]);
        return moved;
    });
}

}  // namespace instep::motion
