// SPDX-License-Identifier: MIT
// The document's ship: what its keys do and how it heats up, without other ships.
#pragma once

#include <algorithm>
#include <cmath>

#include <arena/state.h>
#include <arena/weapon.h>
#include <instep/math/rotation.h>

namespace instep::worlds::arena {

// Where the nose points: at angle 0 along +y.
inline Vec2 nose_of(double angle) {
    return math::perpendicular(math::rotate(math::Rotation::from_angle(angle), {1, 0}));
}

// A ship below most_heat may heat once more in full; no ship is ever hotter.
inline double hottest(const Rules& rules, double dt) {
    return rules.most_heat + rules.shot_heat * most_salvo_heat + rules.thrust_heat * dt;
}

inline void cool(Player& player, const Setup& setup) {
    player.heat = std::max(0.0, player.heat - setup.rules.cooling * setup.dt);
}

// The end of a tick in which the ship obeyed.
inline void cool_and_judge(Player& player, const Setup& setup) {
    cool(player, setup);
    player.overheated = player.heat >= setup.rules.most_heat;
}

// A tick in which it did not.
inline void recover(Player& player, const Setup& setup) {
    if (setup.rules.overheated_for_good) return;
    cool(player, setup);
    player.overheated = player.heat > setup.rules.recovered_heat;
}

inline void turn(Player& player, const Rules& rules) {
    const double left = rules.left_is_clockwise ? -rules.turn_speed : rules.turn_speed;
    if (player.input.left)
        player.ship.spin = left;
    else if (player.input.right)
        player.ship.spin = -left;
    else if (!rules.spin_goes_on)
        player.ship.spin = 0;
}

// As rigid::push has it: a force during one tick, through the centre of mass.
inline void thrust(Player& player, const Setup& setup) {
    if (!player.input.thrust) return;
    Flight& ship = player.ship;
    const math::SinCos along = math::sincos(ship.angle);
    const Vec2 direction = setup.rules.thrusts_sideways ? Vec2{along.cos, along.sin} : nose_of(ship.angle);
    const double inverse_mass = setup.bodies.body_defs[ship_def].inverse_mass;
    ship.velocity += direction * setup.rules.thrust * (setup.dt * inverse_mass);
    player.heat += setup.rules.thrust_heat * setup.dt;
}

inline void limit_speed(Flight& ship, const Rules& rules) {
    const double speed = length(ship.velocity);
    if (rules.most_speed > 0 && speed > rules.most_speed) ship.velocity *= rules.most_speed / speed;
}

inline bool may_fire(const Player& player) { return player.input.fire && player.fire_pause == 0; }

// A shot of a ship's salvo, turned by `aside` from its nose. It begins in the middle of its ship, which it
// cannot hit yet, so that never a wall is between the two; and on the grid of the wire, so that its first
// snapshot stays exact.
Shot shot_from(const Player& player, double aside, const Setup& setup);

}  // namespace instep::worlds::arena
