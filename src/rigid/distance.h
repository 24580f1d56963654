// SPDX-License-Identifier: MIT
// How far apart two hulls are. With at most eight points each, trying every point against every edge is
// short, exact and always ends, which the iterative methods for larger hulls have to be talked into.
#pragma once

#include <instep/rigid/hull.h>

namespace instep::rigid {

struct ClosestPoints {
    Vec2 on_a{};
    Vec2 on_b{};
    bool at_ends = false;  // both are ends of their segments
};

// Of two segments that don't cross.
[[nodiscard]] ClosestPoints closest_points(Vec2 a_start, Vec2 a_end, Vec2 b_start, Vec2 b_end);

[[nodiscard]] Vec2 closest_on_segment(Vec2 start, Vec2 end, Vec2 point);

struct Separation {
    double distance =
        0;  // between the surfaces; negative where they overlap, and then only a measure of how much
    Vec2 direction{};  // of length 1, from a to b
};
[[nodiscard]] Separation separation(const Hull& a, const Hull& b);

}  // namespace instep::rigid
