// SPDX-License-Identifier: MIT
// The document's physics of one ship: it turns, thrusts along its new heading, and falls. No other ship is in
// it.
#pragma once

#include <cmath>

#include <instep/math/trig.h>
#include <instep/motion/gravity.h>
#include <instep/motion/particle.h>
#include <orbit/state.h>

namespace instep::worlds::orbit {

// Where the nose points: y points down, and the document turns counterclockwise as seen on the screen.
inline Vec2 heading_of(double rotation) {
    const math::SinCos turn = math::sincos(rotation);
    return {turn.cos, -turn.sin};
}

inline float tank(float energy, const Rules& rules) { return between(energy, 0, rules.most_energy); }

inline void steer(Player& player, const Setup& setup) {
    const double turn = setup.rules.turn_rate * double{player.input.turn} * setup.dt;
    const double rotation = std::fmod(player.rotation + turn, math::two_pi);
    player.rotation = rotation < 0 ? rotation + math::two_pi : rotation;
}

inline bool is_thrusting(const Player& player, const Setup& setup) {
    return player.energy > setup.rules.least_energy && player.input.thrust > 0;
}

inline void thrust(Player& player, const Setup& setup) {
    const Rules& rules = setup.rules;
    if (is_thrusting(player, setup)) {
        const double acceleration = double{player.input.thrust} * rules.thrust_acceleration;
        player.ship.velocity += heading_of(player.rotation) * acceleration * setup.dt;
        player.energy = tank(player.energy - rules.thrust_drain, rules);
    } else if (rules.recharge > 0) {
        player.energy = tank(player.energy + rules.recharge, rules);
    }
}

// Gravity is that of the position where the tick began.
inline void fall(Particle& ship, const Setup& setup) {
    ship.velocity *= setup.kept;
    motion::accelerate(ship, motion::gravity(ship.position, setup.sun), setup.dt);
}

inline void fly(Player& player, const Setup& setup) {
    steer(player, setup);
    thrust(player, setup);
    fall(player.ship, setup);
}

// A ship as it begins: where the level says, or on a circular orbit at an angle of the slot's own.
void launch(Player& player, const Setup& setup);

}  // namespace instep::worlds::orbit
