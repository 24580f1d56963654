// SPDX-License-Identifier: MIT
// Verlet integration with air damping: x' = x + (x - x_before) * kept + a dt². What is kept of the step
// before is the difference x - x_before itself, as the particle's velocity per tick. A correction that is to
// leave the motion alone, which would have to shift x and x_before together, is then a change of the position
// alone.
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

// Holds a circle in a box, no narrower than the circle. One that had got out is put back at the wall, with
// the velocity that leads from where it was before to there; along each axis on which it is at a wall that
// velocity is turned round, and `damping` is the part of it that is lost.
constexpr void bounce_in_box(Particle& particle, double radius, const Box& box, double damping) {
    const Box room = box.shrunk(radius);
    if (room.contains(particle.position)) return;
    shove_to(particle, room.clamp(particle.position));
    for (double math::Vec2::* axis : {&math::Vec2::x, &math::Vec2::y})
        if (particle.position.*axis == room.low.*axis || particle.position.*axis == room.high.*axis)
            particle.velocity.*axis *= -(1 - damping);
}

}  // namespace instep::motion
