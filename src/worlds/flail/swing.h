// SPDX-License-Identifier: MIT
// The document's physics of one player: a body, a rope and a flail, without other players. Sections 4 to 7 in
// the order of section 1.
#pragma once

#include <span>

#include <instep/math/trig.h>
#include <instep/motion/particle.h>
#include <instep/motion/spring.h>
#include <instep/worlds/flail/state.h>

namespace instep::worlds::flail {

// Section 4: a moving body gains one unit of velocity along its heading, then drags and moves.
inline void move_body(Particle& body, const Input& input, const Setup& setup) {
    if (input.moving) {
        const math::SinCos heading = math::sincos(input.angle);
        body.velocity += Vec2{heading.cos, heading.sin} * setup.rules.push;
    }
    motion::glide(body, setup.kept);
}

// Section 5: the angle is taken before the flail moves and after the body has.
inline double move_flail(Particle& flail, const Particle& body, double kept) {
    const Vec2 from_owner = flail.position - body.position;
    motion::glide(flail, kept);
    return math::atan2(from_owner.y, from_owner.x);
}

// Sections 6 and 7: impulses along the chain, then the inner nodes move. A loose flail is not on the chain.
inline void swing_rope(std::span<Particle> rope, bool loose, const Setup& setup) {
    motion::pull_chain(loose ? rope.first(rope.size() - 1) : rope, setup.rope_link(),
                       setup.rules.rope_pulls_body);
    for (Particle& node : rope.subspan(1, rope.size() - 2)) motion::glide(node, setup.kept);
}

inline void swing(Player& player, const Setup& setup) {
    const std::span<Particle> rope = rope_of(player, setup);
    move_body(rope.front(), player.input, setup);
    player.flail_angle =
        move_flail(rope.back(), rope.front(), player.loose ? setup.rules.loose_kept : setup.kept);
    swing_rope(rope, player.loose, setup);
}

}  // namespace instep::worlds::flail
