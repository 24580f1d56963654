// SPDX-License-Identifier: MIT
// Rocks that break. A rock with a strength breaks after that many hits into pieces, each of which the next
// hit turns to dust. After a pause, and when no ship is near, the rock is back as the level has it, and its
// pieces are gone.
#pragma once

#include <arena/state.h>
#include <instep/contract/events.h>

namespace instep::worlds::arena {

// One hit by a shot.
void hit_rock(State& state, std::uint32_t rock, const Setup& setup, contract::Events<Event>& events);

// Rocks come back when their time has come.
void mend_rocks(State& state, const Setup& setup);

// All rocks as the level has them.
void place_rocks(State& state, const Setup& setup);

state::Result<void> validate_rock(const State& state, std::uint32_t rock, const Setup& setup);

}  // namespace instep::worlds::arena
