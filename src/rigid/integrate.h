// SPDX-License-Identifier: MIT
// The displacement of a body in a step: its velocity times dt, within the configured limits.
#pragma once

#include <cmath>

#include <instep/rigid/constraint_graph.h>
#include <instep/rigid/space.h>

namespace instep::rigid {

// Clamps the velocities to the limits and sets displacement and delta_angle.
inline void integrate(SolverBody& solver_body, const Config& config, double dt) {
    const double squared = math::length_squared(dt * solver_body.velocity);
    const double limit = config.max_translation;
    if (squared > limit * limit) solver_body.velocity *= limit / std::sqrt(squared);
    const double rotation = std::fabs(dt * solver_body.angular_velocity);
    if (rotation > config.max_rotation) solver_body.angular_velocity *= config.max_rotation / rotation;
    solver_body.displacement = dt * solver_body.velocity;
    solver_body.delta_angle = dt * solver_body.angular_velocity;
}

// An upper bound of how far rotation moves the points of a shape.
inline double rotation_extent(const BodyDef& def, const Shape& shape, double delta_angle) {
    return def.is_circle ? 0 : std::fabs(delta_angle) * shape.max_extent;
}

// Whether a body could tunnel. Up to half of min_extent a step its centroid is still on its own side of a
// wall when the contact begins.
inline bool is_fast(const BodyDef& def, const SolverBody& solver_body) {
    const double safe =
        0.5 * def.min_extent - (def.is_circle ? 0 : std::fabs(solver_body.delta_angle) * def.max_extent);
    return safe < 0 || math::length_squared(solver_body.displacement) > safe * safe;
}

}  // namespace instep::rigid
