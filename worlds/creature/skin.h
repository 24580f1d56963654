// SPDX-License-Identifier: MIT
// A smooth skin over a skeleton: points on the flanks of every circle of a chain, and a Catmull-Rom curve
// through them. For drawing only; nothing here is part of a step.
#pragma once

#include <span>
#include <vector>

#include <instep/math/vec2.h>

namespace instep::worlds::creature {

using math::Vec2;

struct SkinCircle {
    Vec2 center;
    double radius = 0;
};

// A curve through all points in their order, with `steps` parts between two of them. A closed one goes
// on from the last point to the first. Uniform Catmull-Rom: at each point the curve runs along the line
// between its neighbours.
std::vector<Vec2> smooth(std::span<const Vec2> points, bool closed, int steps);

// Corners of a polygon that wraps the circles from the first, the head, to the last, with a round end at
// both.
std::vector<Vec2> skin_over(std::span<const SkinCircle> spine, int steps);

// The same for circles in a ring: its outer side.
std::vector<Vec2> skin_round(std::span<const SkinCircle> ring, int steps);

}  // namespace instep::worlds::creature
