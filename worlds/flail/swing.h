// SPDX-License-Identifier: MIT
// The document's physics of one player: a body, a rope and a flail, without other players. Sections 4 to 7 in
// the order of section 1.
#pragma once

#include <span>

#include <flail/state.h>
#include <instep/math/trig.h>
#include <instep/motion/particle.h>
#include <instep/motion/spring.h>

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

// Sections 6 and 7: impulses along the chain, then the inner nodes move. A flail off its rope is not on the
// chain.
inline void swing_rope(std::span<Particle> rope, bool off_rope, const Setup& setup) {
    motion::pull_chain(off_rope ? rope.first(rope.size() - 1) : rope, setup.rope_link(),
                       setup.rules.rope_pulls_body);
    for (Particle& node : rope.subspan(1, rope.size() - 2)) motion::glide(node, setup.kept);
}

// The game's reel: draws a called flail to the end of its rope, never faster than reel_speed. A spring would
// be a slingshot: it pulls the harder the farther the flail is.
inline void reel_in(Player& player, std::span<Particle> rope, const Rules& rules) {
    Particle& flail = rope.back();
    const Vec2 way = rope[rope.size() - 2].position - flail.position;
    if (length(way) <= rules.rope_rest_length) {
        player.reeling = false;
        return;
    }
    const Vec2 wanted = normalized_or_zero(way) * rules.reel_speed - flail.velocity;
    const double change = length(wanted);
    flail.velocity += change > rules.reel_pull ? wanted * (rules.reel_pull / change) : wanted;
}

inline double kept_by_flail(const Player& player, const Setup& setup) {
    if (player.loose) return setup.rules.loose_kept;
    if (player.reeling) return 1;
    return setup.rules.flail_kept > 0 ? setup.rules.flail_kept : setup.kept;
}

inline void limit_flail(Particle& flail, const Rules& rules) {
    const double speed = length(flail.velocity);
    if (rules.most_flail_speed > 0 && speed > rules.most_flail_speed)
        flail.velocity *= rules.most_flail_speed / speed;
}

inline void swing(Player& player, const Setup& setup) {
    const std::span<Particle> rope = rope_of(player, setup);
    if (player.reeling) reel_in(player, rope, setup.rules);
    move_body(rope.front(), player.input, setup);
    player.flail_angle = move_flail(rope.back(), rope.front(), kept_by_flail(player, setup));
    swing_rope(rope, player.loose || player.reeling, setup);
    limit_flail(rope.back(), setup.rules);
}

}  // namespace instep::worlds::flail
