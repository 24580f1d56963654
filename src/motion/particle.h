// SPDX-License-Identifier: MIT
// A point that moves, and the two ways in which the documents move one. Both change the velocity first and
// then use the new one for the position (semi-implicit Euler), which keeps orbits and springs from gaining
// energy.
#pragma once

#include <instep/math/vec2.h>
#include <instep/state/field.h>

namespace instep::motion {

struct Particle {
    math::Vec2 position;
    math::Vec2 velocity;

    friend constexpr bool operator==(const Particle&, const Particle&) = default;
};

constexpr auto fields_of(state::Type<Particle>) {
    return state::fields("Particle", state::field("position", &Particle::position),
                         state::field("velocity", &Particle::velocity));
}

// Velocity per tick: v <- v * kept, p <- p + v. `kept` is the part of a velocity that drag leaves in one
// tick.
constexpr void glide(Particle& particle, double kept) {
    particle.velocity *= kept;
    particle.position += particle.velocity;
}

// Velocity per second: v <- v + a dt, p <- p + v dt.
constexpr void accelerate(Particle& particle, math::Vec2 acceleration, double dt) {
    particle.velocity += acceleration * dt;
    particle.position += particle.velocity * dt;
}

}  // namespace instep::motion
