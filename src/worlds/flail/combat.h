// SPDX-License-Identifier: MIT
// Hits and damage: the game's rules on top of the document's physics.
#pragma once

#include <instep/contract/events.h>
#include <instep/worlds/flail/state.h>

namespace instep::worlds::flail {

// The damage that a flail does to a body at this relative speed, u/tick.
double damage_at(double relative_speed, const Rules& rules);

// Every flail against every living body but its owner's, in the order of the pool. Damage grows with the
// relative speed; the victim is knocked along and cannot be hit again for a moment; a kill scores and
// makes the killer's flail grow.
void strike_all(State& state, const Setup& setup, contract::Events<Event>& events);

}  // namespace instep::worlds::flail
