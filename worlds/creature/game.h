// SPDX-License-Identifier: MIT
// What the game adds to the physics: motes that make a creature grow, bites that make it shrink, death and
// birth.
#pragma once

#include <creature/state.h>
#include <instep/contract/events.h>

namespace instep::worlds::creature {

// A creature of the player's plan at a random position, with a random heading.
void give_body(Player& player, State& state, const Setup& setup);

// The plan after the player's own. A creature that has not eaten changes at once, where it is; any other
// keeps its body, and the next one is born with the new plan.
void choose_next_body(Player& player, State& state, const Setup& setup, contract::Events<Event>& events);

// Takes the player's creature away, if it has one.
void take_body(Player& player, State& state);

// A head that touches a mote eats it. A number of meals (rules) brings out the next node of the tail; a
// full-grown creature only scores.
void eat_motes(State& state, const Setup& setup, contract::Events<Event>& events);

// A head that comes upon the end of another player's tail bites a node off, which becomes a mote. A body that
// has nothing left to lose dies of it.
void bite_tails(State& state, const Setup& setup, contract::Events<Event>& events);

void respawn_the_dead(State& state, const Setup& setup, contract::Events<Event>& events);

// All players begin again: with the body that they are born with, and without motes to eat.
void begin_round(State& state, const Setup& setup);

// A new mote from time to time, at a random position, until there are enough.
void sow_motes(State& state, const Setup& setup);

}  // namespace instep::worlds::creature
