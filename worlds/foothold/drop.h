// SPDX-License-Identifier: MIT
// A drop of a beaten mob: it flies in an arc, spins, comes to rest, bobs, and flies to the player that
// picks it up.
#pragma once

#include <foothold/player.h>

namespace instep::worlds::foothold {

// A drop that flies from one point to another, which is on the ground.
Drop throw_drop(Vec2 from, Vec2 to, std::int32_t value, const Setup& setup, const Clock& clock);

// One tick of a drop that is not picked up, after Drop::update of the reference.
void move_reference_drop(Drop& drop, const Setup& setup);
// One step of the same, after updateGroundDrops of the web client.
void move_web_drop(Drop& drop, const Setup& setup);

// How far the web client draws a resting drop below its position.
double web_bob_offset(const Drop& drop);

// Lets a mob's drop fly to ground near it. At the limit of drops the oldest is removed.
void leave_drop(State& state, Vec2 from, std::int32_t value, const Moment& moment);

// The player takes the nearest drop in reach.
void pick_up(State& state, Player& player, const Moment& moment);

// All drops: they fall, bob, follow their takers, and end.
void move_drops(State& state, const Moment& moment);

}  // namespace instep::worlds::foothold
