// SPDX-License-Identifier: MIT
// The pull of one sun: inverse-square, never stronger than a limit, nothing at the very centre. One square
// root and one division a point, on one ship or on arrays of them with the same bits.
#pragma once

#include <cmath>
#include <span>

#include <instep/math/vec2.h>

namespace instep::motion {

struct Attractor {
    math::Vec2 position;
    double strength = 0;           // G·M, u³/s²
    double most_acceleration = 0;  // the limit, u/s²
};

// Smaller squared distances count as this one, whose inverse root is finite, u².
constexpr double least_squared_distance = 1e-300;

// Never below the root of `least`, so that it can be divided by.
[[nodiscard]] inline double distance_to_sun(double dx, double dy, double least = least_squared_distance) {
    const double squared = dx * dx + dy * dy;
    return std::sqrt(squared > least ? squared : least);
}

// The factor by which the vector to the sun is multiplied to give min(G·M/r², limit) towards it. 1/r is
// worked out once and used three times. In the centre it is finite, and the vector is zero.
[[nodiscard]] inline double pull_per_distance(double distance, double strength, double most) {
    const double inverse = 1 / distance;
    const double pull = strength * (inverse * inverse);
    return (pull < most ? pull : most) * inverse;
}

[[nodiscard]] inline math::Vec2 gravity(math::Vec2 at, const Attractor& sun) {
    const math::Vec2 towards = sun.position - at;
    return towards *
           pull_per_distance(distance_to_sun(towards.x, towards.y), sun.strength, sun.most_acceleration);
}

// Many points, each component in an array of its own.
struct Swarm {
    std::span<double> x;
    std::span<double> y;
    std::span<double> velocity_x;
    std::span<double> velocity_y;
};

// One tick of gravity, drag and semi-implicit Euler for all of them: per point the same bits as
//     v <- v kept + gravity(p, sun) dt,  p <- p + v dt.
// Fastest where each array begins at a multiple of 64 bytes.
void orbit_swarm(const Swarm& swarm, const Attractor& sun, double dt, double kept = 1);

}  // namespace instep::motion
