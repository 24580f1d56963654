// SPDX-License-Identifier: MIT
// Chains: smooth ground and walls out of one-sided segments. Each is a shape of its own and knows its
// neighbours, so a box that slides over a joint does not trip over the end of the next segment.
//
//           normals                A segment is solid from the right of its direction, as the edges of a
//         ^    ^    ^    /         polygon are: list the ground from right to left, an island
//     ----o----o----o---o          counterclockwise, the walls of a cave clockwise.
//     <--- direction
//
// At a corner that sticks out, a segment may push in any direction between its own normal and its
// neighbour's. At every other joint it pushes along its own normal alone. A body whose centre is behind a
// segment does not touch it.
#pragma once

#include <span>
#include <vector>

#include <instep/rigid/manifold.h>

namespace instep::rigid {

enum class ChainEnds : std::uint8_t {
    open,  // it ends in corners of 90 degrees
    loop,  // the last point is joined to the first
};

// The segments of a chain of at least two points, of a loop at least three. They may be shapes of one body or
// of many: a scratch has memory for as many shapes as max_bodies times those of the largest body.
state::Result<std::vector<Hull>> make_chain(std::span<const Vec2> points, ChainEnds ends = ChainEnds::open);

// Whether a point is behind a segment of a chain.
[[nodiscard]] inline bool is_behind(const Hull& segment, Vec2 point) {
    return math::dot(segment.normals[0], point - segment.points[0]) < 0;
}

// The manifold of a segment of a chain and another hull, in world coordinates, from the one that collide()
// found for the plain segment.
[[nodiscard]] Manifold collide_chained(const Hull& segment, const Hull& other, const Manifold& plain,
                                       double margin);

}  // namespace instep::rigid
