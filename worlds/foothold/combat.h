// SPDX-License-Identifier: MIT
// Attacks and damage. All that takes health from a player by touch goes through one function, so that
// invincibility holds whatever the order of traps and mobs.
#pragma once

#include <foothold/player.h>

namespace instep::worlds::foothold {

// The box of a player at one moment: lower and wider when lying or sitting.
Box touch_box(const Player& player, Vec2 at);
// The box that it swept since `before`.
Box swept_touch_box(const Player& player, Vec2 before);

// Takes health, knocks the player away from `source_x` and makes it invincible for a while, unless it is
// already. Whether it was hurt.
bool hurt(Player& player, std::int32_t damage, double source_x, const Moment& moment);

// A press of the attack key: the nearest mob in reach is hit.
void attack(State& state, Player& player, const Moment& moment);

// Where players were before this tick, in the order of their pool.
using PlacesBefore = std::span<const Vec2>;
void touch_mobs(State& state, PlacesBefore before, const Moment& moment);
void touch_traps(State& state, PlacesBefore before, const Moment& moment);

}  // namespace instep::worlds::foothold
