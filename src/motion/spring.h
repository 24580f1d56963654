// SPDX-License-Identifier: MIT
// Springs between neighbours of a chain. A rope's spring only pulls: below its rest length it hangs slack.
// All impulses of a chain are taken before anything moves, so the order of the pairs does not change any
// position.
#pragma once

#include <cmath>
#include <span>

#include <instep/motion/particle.h>

namespace instep::motion {

struct Spring {
    double stiffness = 0;    // impulse on a unit mass per unit of extension, 1/tick²
    double rest_length = 0;  // distance at which it is at ease
    bool pushes = false;     // whether it also resists being shortened
};

// The change of velocity that `end` gets; `start` gets the opposite. Two points at the same position have no
// direction to pull in.
[[nodiscard]] inline math::Vec2 spring_impulse(math::Vec2 start, math::Vec2 end, const Spring& spring) {
    const math::Vec2 between = end - start;
    const double distance = std::sqrt(math::length_squared(between));
    const double stretched = distance - spring.rest_length;
    const double extension = spring.pushes || stretched > 0 ? stretched : 0;
    const double scale = distance > 0 ? -spring.stiffness * extension / distance : 0;
    return between * scale;
}

// Pulls every neighbour of a chain towards the next; the first node only feels it if `first_is_pulled`.
inline void pull_chain(std::span<Particle> chain, const Spring& spring, bool first_is_pulled) {
    for (std::size_t i = 1; i < chain.size(); ++i) {
        Particle& start = chain[i - 1];
        Particle& end = chain[i];
        const math::Vec2 impulse = spring_impulse(start.position, end.position, spring);
        end.velocity += impulse;
        if (i > 1 || first_is_pulled) start.velocity -= impulse;
    }
}

}  // namespace instep::motion
