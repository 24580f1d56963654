// SPDX-License-Identifier: MIT
// What happens to ships between two ticks of physics: shots that hit, ships that explode and come back, and
// the clock of the match.
#pragma once

#include <span>

#include <arena/state.h>
#include <instep/contract/events.h>
#include <instep/rigid/scratch.h>

namespace instep::worlds::arena {

using contract::Events;

// Turns the engine's contact events of a tick into hits, damage and collisions.
void judge_contacts(State& state, const Setup& setup, const rigid::BodyPools& bodies,
                    std::span<const rigid::ContactEvent> contacts, Events<Event>& events);

// The end of a ship, by the player whose shot it was.
void explode(Player& player, Slot by, State& state, const Setup& setup, Events<Event>& events);
void drop_claim(Player& player);

// Counts shots down and takes out those that have hit or flown for long enough.
void end_shots(State& state, const Setup& setup);

void take_out_shots_of(State& state, Slot owner);

// Claims and touches end.
void run_pauses(State& state);

// Cool, healthy and ready to fly and fire.
void make_whole(Player& player, const Setup& setup);

// Whole, and at the start that is farthest from all other ships.
void launch(Player& player, const State& state, const Setup& setup);

void respawn_the_dead(State& state, const Setup& setup, Events<Event>& events);

// Rocks as the level has them, scores 0, every ship at a start, those who left forgotten.
void begin_match(State& state, const Setup& setup);

// A match, its scoreboard, the next match.
void run_clock(State& state, const Setup& setup, Events<Event>& events);

}  // namespace instep::worlds::arena
