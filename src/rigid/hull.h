// SPDX-License-Identifier: MIT
// The one kind of geometry here: up to eight points, convex, counterclockwise, and a radius around them.
//
//     1 point   circle      (the only one with a radius)
//     2 points  segment     (two edges, there and back, with opposite normals)
//     3 to 8    polygon
//
// Every question (do they touch, how far apart, where does a ray hit) is then asked once, not once a pair of
// kinds.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <instep/math/rotation.h>
#include <instep/math/vec2.h>
#include <instep/state/result.h>

namespace instep::rigid {

using math::Vec2;

inline constexpr std::uint32_t max_points = 8;
inline constexpr double linear_slop =
    0.005;  // units; a length too small to care about: overlap left in a stack
inline constexpr double largest_extent = 1e4;  // units; of any shape

struct Hull {
    std::uint32_t count = 0;
    double radius = 0;
    std::array<Vec2, max_points> points{};
    std::array<Vec2, max_points> normals{};  // of the edge from points[i] to points[i + 1], outwards

    std::uint32_t after(std::uint32_t i) const { return i + 1 < count ? i + 1 : 0; }
    bool has_edges() const { return count > 1; }
};

// Each refuses what it cannot stand for, with the reason: too many points, too small, not convex, not finite.
state::Result<Hull> make_circle(double radius, Vec2 centre = {});
state::Result<Hull> make_segment(Vec2 start, Vec2 end);
state::Result<Hull> make_polygon(std::span<const Vec2> points);
state::Result<Hull> make_box(double half_width, double half_height);

// Where something is and which way it is turned.
struct Pose {
    Vec2 position{};
    math::Rotation rotation{};

    Vec2 to_world(Vec2 local) const { return position + math::rotate(rotation, local); }
    Vec2 to_local(Vec2 world) const { return math::inverse_rotate(rotation, world - position); }
};

// Writes only the points that there are: the rest of `placed` is left as it was.
void place(const Hull& hull, const Pose& pose, Hull& placed);
[[nodiscard]] Hull moved(const Hull& hull, Vec2 by);

// An upright box.
struct Box {
    Vec2 low{};
    Vec2 high{};

    bool overlaps(const Box& other) const {
        return low.x <= other.high.x && other.low.x <= high.x && low.y <= other.high.y &&
               other.low.y <= high.y;
    }
    bool contains(const Box& other) const {
        return low.x <= other.low.x && other.high.x <= high.x && low.y <= other.low.y &&
               other.high.y <= high.y;
    }
    Box grown(double by) const { return {{low.x - by, low.y - by}, {high.x + by, high.y + by}}; }
    // Also covers itself moved by `motion`.
    Box swept(Vec2 motion) const {
        return {{motion.x < 0 ? low.x + motion.x : low.x, motion.y < 0 ? low.y + motion.y : low.y},
                {motion.x > 0 ? high.x + motion.x : high.x, motion.y > 0 ? high.y + motion.y : high.y}};
    }
};

[[nodiscard]] Box box_around(const Hull& hull);
[[nodiscard]] Box box_around_both(const Box& a, const Box& b);

}  // namespace instep::rigid
