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

// min(G·M/r², limit) towards the sun. 1/r is worked out once and used three times.
[[nodiscard]] inline math::Vec2 gravity(math::Vec2 at, const Attractor& sun) {
    const math::Vec2 towards = sun.position - at;
    const double squared = math::length_squared(towards);
    const double inverse = 1 / std::sqrt(squared);
    const double pull = sun.strength * (inverse * inverse);
    const double most =
        sun.strength > 0 ? sun.most_acceleration : 0;  // 0 times the inverse of next to nothing is NaN
    const double limited = pull < most ? pull : most;
    const double scale = squared > 0 ? limited * inverse : 0;
    return towards * scale;
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
void orbit_swarm(const Swarm& swarm, const Attractor& sun, double dt, double kept = 1);

}  // namespace instep::motion
