// SPDX-License-Identifier: MIT
// The ground of a platformer: line segments that know their neighbours. A FootholdSet is built once a map and
// answers the queries of everything that moves: the ground below, its height at x, where a
// wall or an edge stops it, which segments a fall crosses. A query allocates nothing, and an index
// over x keeps the answers as quick on a map of 20,000 segments as on one of 80. y points down.
//
// Two original programs ask the same questions with different roundings; where they differ, the functions of
// the second one live in physics_web.h.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <instep/math/vec2.h>

namespace instep::worlds::foothold {

// A segment as a map gives it.
struct FootholdSegment {
    std::int32_t id = 0;  // above 0; unique in a map
    std::int32_t layer = 0;
    std::int32_t group = 0;
    std::int32_t x1 = 0, y1 = 0, x2 = 0, y2 = 0;
    std::int32_t prev = 0,
                 next = 0;  // ids of the neighbours at either end; 0: no neighbour; other ids may be missing
    bool no_drop = false;   // players cannot drop through it
};

// The index of a segment in its set: 1 is the first of the map, 0 means no segment.
using FootholdIndex = std::uint16_t;
inline constexpr std::size_t most_footholds = 60'000;
inline constexpr std::int32_t most_foothold_coordinate = 100'000;

// A segment as the questions want it: one cache line.
struct alignas(64) Foothold {
    double slope = 0;  // dy/dx; 0 for a wall, NaN for a missing segment
    std::int32_t x1 = 0, y1 = 0, x2 = 0, y2 = 0;
    std::int32_t left = 0, right = 0;              // x1 and x2 in order
    std::int32_t left_reach = 0, right_reach = 0;  // no wall and no edge between these two
    std::int32_t id = 0;
    FootholdIndex prev = 0, next = 0;
    FootholdIndex self = 0;    // 0 for a missing segment
    std::uint16_t column = 0;  // of a wall, the tall column it is a part of, counted from 1
    std::uint8_t layer = 0;
    bool is_wall = false;
    bool no_drop = false;
    bool prev_meets = false, next_meets = false;  // whether a neighbour begins where this one ends
    // Below this height and above this segment there is nothing else, but maybe at its very ends.
    std::int32_t clear_from = std::numeric_limits<std::int32_t>::max();

    bool exists() const { return self != 0; }
    // The height at x, beyond the ends as well; a wall has that of its first point.
    double ground_at(double x) const { return slope * (x - x1) + y1; }
    bool reaches_over(double x) const { return x >= left && x <= right; }
    double nearest_to(double x) const { return x < left ? left : x > right ? right : x; }
    // True: nothing can stop a move to x from it or from above it. False: unknown.
    bool is_clear_to(double x) const { return x > left_reach && x < right_reach; }
    // True: on a straight path between these two points there is no other ground. False: unknown.
    bool is_alone_below(math::Vec2 from, math::Vec2 to) const {
        const auto is_inside = [&](double x) { return x >= left + 1 && x <= right - 1; };
        return is_inside(from.x) && is_inside(to.x) && from.y > clear_from && to.y > clear_from;
    }
    std::int32_t top() const { return y1 < y2 ? y1 : y2; }
    std::int32_t bottom() const { return y1 < y2 ? y2 : y1; }
};

struct Interval {
    double low = 0;
    double high = 0;
};

// A move along x. The direction is explicit, because a very slow move may end where it began.
struct Stretch {
    bool left = false;
    double from = 0;
    double to = 0;

    bool crosses(double x) const { return left ? from >= x && to <= x : from <= x && to >= x; }
};

// Which walls block a move.
enum class WallTest : std::uint8_t {
    as_stored,    // the reference: y1..y2 unordered, so that a wall drawn upwards blocks with its ends only
    both_ways,    // y1..y2 in order
    tall_columns  // in order, and all of a column of walls at one x of 500 px or more counts as one wall
};

static_assert(sizeof(Foothold) == 64);

class FootholdSet {
public:
    FootholdSet() : FootholdSet(std::span<const FootholdSegment>{}) {}
    // At most most_footholds, ids unique and above 0, coordinates within ±most_foothold_coordinate.
    explicit FootholdSet(std::span<const FootholdSegment> segments);

    std::size_t size() const { return count_; }  // of the map; valid indices are 0 .. index_count() - 1
    std::size_t index_count() const { return footholds_.size(); }
    const Foothold& operator[](FootholdIndex index) const { return footholds_[index]; }
    FootholdIndex find(std::int32_t id) const;  // 0 if the map has no such segment
    std::span<const Foothold> all() const { return std::span(footholds_).subspan(1, count_); }

    Interval side_walls() const { return walls_; }  // 25 px inside the outermost ends
    Interval borders() const { return borders_; }   // top and bottom: 300 px above, 100 px below all segments
    Interval extent_x() const { return extent_x_; }  // of all ends
    Interval extent_y() const { return extent_y_; }

    // The highest ground at or below y, of segments that reach over the whole pixel of x, as in the
    // reference, or over x itself (`exact`): beside a wall the pixel reaches under its far side. Of two at
    // one height the later in the map wins; nothing below the border counts. `likely` changes no answer: it
    // is tried first, because a falling object mostly has the same ground below as a tick ago.
    FootholdIndex below(double x, double y, FootholdIndex likely = 0, bool exact = false) const {
        const Foothold& first = footholds_[likely];
        // Well within its ends: so it reaches over the whole pixel of x, however that is rounded.
        const bool is_within = x >= first.left + 1 && x <= first.right - 1;
        return is_within && y > first.clear_from && first.ground_at(x) >= y ? likely
                                                                            : search_below(x, y, exact);
    }

    // Where moving left (or right) on or above `current` is stopped by a wall; NaN if nothing blocks.
    // `y` is the height of the feet. Walls are looked for two links ahead, then come the side walls.
    double wall_in_way(FootholdIndex current, const Stretch& way, double y, WallTest test) const;
    // The same for the end of a platform, two links ahead.
    double edge_in_way(FootholdIndex current, const Stretch& way) const;

    bool wall_blocks(const Foothold& wall, double y, WallTest test) const;

    // --- Where the ground is solid: ground_sweep.cpp ---

    // The ground that feet on a straight path come down on first; no foothold if there is no such ground.
    // Feet that come in over the end of a foothold may be up to a pixel below that end: then they step up.
    struct Crossing {
        FootholdIndex foothold = 0;
        bool steps_up = false;
    };
    Crossing first_crossed(math::Vec2 from, math::Vec2 to) const;
    // The nearest wall that stops feet on their path, of those on the chain around `current`, over all links
    // that the path passes, or the side wall of the map; NaN if nothing blocks.
    double wall_on_chain(FootholdIndex current, math::Vec2 from, math::Vec2 to, WallTest test) const;
    // The wall that feet would pass through to where no ground is below them, out of a map that is closed;
    // NaN if there is no such wall.
    double wall_before_void(math::Vec2 from, math::Vec2 to) const;
    bool has_ground_below(math::Vec2 at) const;

    // One of the stretches of ground that may be found near an x, highest first.
    struct Span {
        double slope;
        std::int32_t left, right, x1, y1;
        std::int32_t top;  // nothing of it is higher, not even a little beyond its ends
        FootholdIndex index;
        std::uint16_t unused = 0;
    };
    // Those that reach over x and down to y, and maybe others. They are known up to 1 px and a hundredth of
    // their length beyond their ends.
    std::span<const Span> spans_near(double x, double y) const;
    static constexpr double narrowest_bucket =
        64;  // px: a query at this spacing misses no bucket of a longer path

private:
    void link(std::span<const FootholdSegment> segments);
    void measure();
    void find_walls();
    void build_index();
    void find_clear_heights();
    FootholdIndex search_below(double x, double y, bool exact) const;
    std::uint32_t bucket_of(double x) const;

    std::vector<Foothold>
        footholds_;  // index 0 is empty; then those of the map, then one for each linked but missing id
    std::vector<std::pair<std::int32_t, FootholdIndex>> ids_;  // in order
    std::size_t count_ = 0;
    Interval walls_, borders_, extent_x_, extent_y_;

    std::vector<FootholdIndex> walls_by_x_;   // in order of x, then of the map
    std::vector<Interval> column_pieces_;     // heights of the walls of tall columns
    std::vector<std::uint32_t> column_ends_;  // of a column in it; column k begins where k - 1 ends

    std::vector<Span> spans_;
    std::vector<std::int32_t> depths_;  // of each span and of those before it in its bucket, the lowest point
    std::vector<std::uint32_t> bucket_ends_;
    double bucket_origin_ = 0;
    double bucket_last_ = 0;        // the number of the last one
    double buckets_per_pixel_ = 1;  // a power of two
};

}  // namespace instep::worlds::foothold
