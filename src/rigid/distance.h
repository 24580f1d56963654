// SPDX-License-Identifier: MIT
// The distance between two hulls. With at most eight points each, every point is tried against every edge:
// short, exact, and it always terminates, unlike the iterative methods for larger hulls (GJK).
#pragma once

#include <instep/rigid/hull.h>

namespace instep::rigid {

struct ClosestPoints {
    Vec2 on_a{};
    Vec2 on_b{};
    bool at_ends = false;  // both points are ends of their segments
};

// For two segments that don't cross.
[[nodiscard]] ClosestPoints closest_points(Vec2 a_start, Vec2 a_end, Vec2 b_start, Vec2 b_end);

[[nodiscard]] Vec2 closest_on_segment(Vec2 start, Vec2 end, Vec2 point);

// The closest points of the hulls without their radii.
struct NearestPoints {
    Vec2 on_a{};
    Vec2 on_b{};
    double distance = 0;
    bool are_apart = true;  // false: they overlap, and the points mean nothing
};
[[nodiscard]] NearestPoints nearest_points(const Hull& a, const Hull& b);

struct HullDistance {
    double distance = 0;  // between the surfaces; where they overlap: minus an estimate of the depth
    Vec2 normal{};        // unit vector from a to b
};
[[nodiscard]] HullDistance hull_distance(const Hull& a, const Hull& b);

}  // namespace instep::rigid
