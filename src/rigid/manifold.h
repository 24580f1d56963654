// SPDX-License-Identifier: MIT
// The contact manifold of two hulls: a normal, and one or two points with their separation (negative where
// the hulls overlap), by the separating axis theorem and clipping (Catto, "Contact Manifolds", GDC 2007).
//
//           normal from a to b           The reference edge is the one with the largest separation along its
//          ________|________             normal. The incident edge, the other hull's edge that faces it, is
//         |     b  |        |            clipped to the ends of the reference edge (the dotted lines); what
//         is
//     ____o________|___o____|            left gives the points `o`. The feature of a point names the edges it
//    |    :   reference:    :            came from, so that the next step finds its impulse again.
//    |    a   edge     |
//
// Hulls that are up to `margin` apart have a manifold too: a speculative contact, which only removes the
// speed that would make them overlap within the step.
#pragma once

#include <array>
#include <cstdint>

#include <instep/rigid/hull.h>

namespace instep::rigid {

inline constexpr double contact_margin = 4 * linear_slop;

struct ManifoldPoint {
    Vec2 point{};  // midway between the two surfaces
    double separation = 0;
    std::uint16_t feature = 0;
};

struct Manifold {
    Vec2 normal{};  // unit vector from a to b
    std::array<ManifoldPoint, 2> points{};
    std::uint32_t count = 0;  // 0: farther apart than the margin
};

// Both hulls in world coordinates.
[[nodiscard]] Manifold collide(const Hull& a, const Hull& b, double margin = contact_margin);

// The manifold along the normal of one edge of `hull`; empty if the other hull is not over that edge.
[[nodiscard]] Manifold collide_edge(const Hull& hull, std::uint32_t edge, const Hull& other, double margin);

// The edge of `a` along whose normal the hulls are farthest apart (b2FindMaxSeparation); radii don't count.
struct EdgeSeparation {
    double separation = 0;
    std::uint32_t edge = 0;
};
[[nodiscard]] EdgeSeparation max_separation(const Hull& a, const Hull& b);

}  // namespace instep::rigid
