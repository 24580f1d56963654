// SPDX-License-Identifier: MIT
// The one kind of geometry: a convex hull of up to eight points, counterclockwise, with a radius around them.
//
//     1 point   circle
//     2 points  segment (two edges, there and back, with opposite normals); with a radius: capsule
//     3 to 8    polygon; with a radius: rounded polygon
//
// So every query (contact, distance, ray) is written once, not once per pair of shape types. Segments of a
// chain also know their neighbours: see chain.h.
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
inline constexpr double linear_slop = 0.005;         // units; overlap that the solver leaves, as in Box2D
inline constexpr double max_shape_coordinate = 1e4;  // units

struct Hull {
    std::uint32_t count = 0;
    bool is_chained = false;  // a segment of a chain; points[2] and points[3] are its neighbours' far ends
    double radius = 0;
    std::array<Vec2, max_points> points{};
    std::array<Vec2, max_points> normals{};  // outwards, of the edge from points[i] to points[i + 1]

    std::uint32_t after(std::uint32_t i) const { return i + 1 < count ? i + 1 : 0; }
    bool has_edges() const { return count > 1; }
};

// Each refuses, with the reason, too many points, shapes too small or not convex, and numbers not finite.
state::Result<Hull> make_circle(double radius, Vec2 centre = {});
state::Result<Hull> make_segment(Vec2 start, Vec2 end);
state::Result<Hull> make_capsule(Vec2 start, Vec2 end, double radius);  // around a segment
// A radius rounds the corners: the shape grows by it on all sides.
state::Result<Hull> make_polygon(std::span<const Vec2> points, double radius = 0);
state::Result<Hull> make_box(double half_width, double half_height, double radius = 0);

// Position and rotation (b2Transform in Box2D).
struct Pose {
    Vec2 position{};
    math::Rotation rotation{};

    Vec2 to_world(Vec2 local) const { return position + math::rotate(rotation, local); }
    Vec2 to_local(Vec2 world) const { return math::inverse_rotate(rotation, world - position); }
};

// Into world coordinates. Writes only the first `count` points: the rest of `placed` is left as it was.
void transform(const Hull& hull, const Pose& pose, Hull& placed);
[[nodiscard]] Hull translated(const Hull& hull, Vec2 by);

// An axis-aligned bounding box.
struct Aabb {
    Vec2 low{};
    Vec2 high{};

    bool overlaps(const Aabb& other) const {
        return low.x <= other.high.x && other.low.x <= high.x && low.y <= other.high.y &&
               other.low.y <= high.y;
    }
    bool contains(const Aabb& other) const {
        return low.x <= other.low.x && other.high.x <= high.x && low.y <= other.low.y &&
               other.high.y <= high.y;
    }
    Aabb expanded(double by) const { return {{low.x - by, low.y - by}, {high.x + by, high.y + by}}; }
    // Also covers itself moved by `displacement`.
    Aabb swept(Vec2 displacement) const {
        return {{displacement.x < 0 ? low.x + displacement.x : low.x,
                 displacement.y < 0 ? low.y + displacement.y : low.y},
                {displacement.x > 0 ? high.x + displacement.x : high.x,
                 displacement.y > 0 ? high.y + displacement.y : high.y}};
    }
};

[[nodiscard]] Aabb aabb_of(const Hull& hull);
[[nodiscard]] Aabb aabb_union(const Aabb& a, const Aabb& b);

}  // namespace instep::rigid
