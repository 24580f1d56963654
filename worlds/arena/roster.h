// SPDX-License-Identifier: MIT
// Players that come and go. Leaving must not pay: a player whose identity the server knows (Join::player)
// finds its ship as it left it, cooled as an idle ship cools, until the match is over; and a ship that leaves
// while a recent attacker could claim it is lost to that attacker.
#pragma once

#include <arena/state.h>
#include <instep/contract/events.h>
#include <instep/contract/tick.h>

namespace instep::worlds::arena {

void take_leaves_and_joins(State& state, const Setup& setup, const contract::Tick<Input>& tick,
                           contract::Events<Event>& events);

// A tick of those who are away: heat and waits run on.
void pass_time_away(State& state, const Setup& setup);

}  // namespace instep::worlds::arena
