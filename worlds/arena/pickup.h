// SPDX-License-Identifier: MIT
// Weapons that lie in the field. A ship that touches one has it for a number of salvos.
#pragma once

#include <arena/state.h>
#include <instep/contract/events.h>

namespace instep::worlds::arena {

void take_pickups(State& state, const Setup& setup, contract::Events<Event>& events);

// All are there, as the level has them.
void place_pickups(State& state, const Setup& setup);

// One salvo less; after the last one the ship has its cannon again.
void use_ammunition(Player& player);

// The nearest one that is there, within a distance.
const Pickup* nearest_pickup(const State& state, Vec2 from, double within);

state::Result<void> validate_pickups(const State& state, const Setup& setup);

}  // namespace instep::worlds::arena
