// SPDX-License-Identifier: MIT
// Verlet integration with air damping: x' = x + (x - x_before) * kept + a dt². The particle stores the
// difference x - x_before as its velocity per tick, instead of x_before. A correction without an effect on
// the motion, which would move x and x_before together, is then a change of the position alone.
#pragma once

#include <instep/motion/box.h>
#include <instep/motion/particle.h>

namespace instep::motion {

constexpr void verlet_step(Particle& particle, math::Vec2 acceleration, double kept, double dt) {
    particle.velocity = particle.velocity * kept + acceleration * (dt * dt);
    particle.position += particle.velocity;
}

// Moves a particle to `target` without an equal shift of its last position: the displacement becomes
// velocity.
constexpr void shove_to(Particle& particle, math::Vec2 target) {
    particle.velocity += target - particle.position;
    particle.position = target;
}

// Keeps a circle in a box that is no narrower than the circle. A circle outside is moved to the wall, with
// the velocity from x_before to there; on each axis on which it is at a wall that velocity is reversed and
// loses the fraction `damping`.
constexpr void bounce_in_box(Particle& particle, double radius, const Box& box, double damping) {
    const Box inner = box.shrunk(radius);
    if (inner.contains(particle.position)) return;
    shove_to(particle, inner.clamp(particle.position));
    for (double math::Vec2::* axis : {&math::Vec2::x, &math::Vec2::y})
        if (particle.position.*axis == inner.low.*axis || particle.position.*axis == inner.high.*axis)
            particle.velocity.*axis *= -(1 - damping);
}

}  // namespace instep::motion
