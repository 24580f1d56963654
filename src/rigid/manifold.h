// SPDX-License-Identifier: MIT
// Where two hulls touch: a normal, and one or two points with their separation (negative where they overlap).
//
//           normal from a to b           The reference edge is the one along whose normal the two are
//          ________|________             farthest apart (separating axis theorem). The other hull's edge
//         |     b  |        |            that faces it is clipped to its ends (the two dotted lines); what
//     ____o________|___o____|            is left gives the points `o`. Every point knows which edges it
//    |    :   reference:    :            came from, so that its impulse finds it again in the next step.
//    |    a   edge     |
//
// Hulls that are a little apart have a manifold too, up to `margin`: their contact then only brakes what
// would overlap within the step.
#pragma once

#include <array>
#include <cstdint>

#include <instep/rigid/hull.h>

namespace instep::rigid {

inline constexpr double contact_margin = 4 * linear_slop;

struct ManifoldPoint {
    Vec2 at{};  // midway between the two surfaces
    double separation = 0;
    std::uint16_t feature = 0;
};

struct Manifold {
    Vec2 normal{};  // of length 1, from a to b
    std::array<ManifoldPoint, 2> points{};
    std::uint32_t count = 0;  // 0: more than the margin apart
};

// Both hulls in world coordinates.
[[nodiscard]] Manifold collide(const Hull& a, const Hull& b, double margin = contact_margin);

// How far apart two hulls are along that edge's normal of `a` along which they are farthest apart; radii
// don't count.
struct EdgeGap {
    double gap = 0;
    std::uint32_t edge = 0;
};
[[nodiscard]] EdgeGap widest_gap(const Hull& a, const Hull& b);

}  // namespace instep::rigid
