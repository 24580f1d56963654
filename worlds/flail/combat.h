// SPDX-License-Identifier: MIT
// Hits and damage: the game's rules on top of the document's physics.
#pragma once

#include <array>

#include <flail/state.h>
#include <instep/contract/events.h>

namespace instep::worlds::flail {

// The damage that a flail does to a body at this relative speed, u/tick.
double damage_at(double relative_speed, const Rules& rules);

// Where bodies and flails were when the tick began, by index in the pool of players. Flails are swept from
// there: the fastest does not pass through anything.
struct TickStart {
    std::array<Vec2, contract::most_slots> bodies;
    std::array<Vec2, contract::most_slots> flails;

    TickStart(const State& state, const Setup& setup) {
        for (std::uint32_t i = 0; i < state.players.size(); ++i) set(i, state.players[i], setup);
    }
    void set(std::uint32_t index, const Player& player, const Setup& setup) {
        bodies[index] = player.body().position;
        flails[index] = rope_of(player, setup).back().position;
    }
};

// Flails that meet bounce off each other, the larger one less.
void clash_all(State& state, const Setup& setup, const TickStart& start, contract::Events<Event>& events);

// Every flail against every living body but its owner's, in the order of the pool. Damage grows with the
// relative speed; the victim is knocked along and cannot be hit again for a moment; a kill scores and
// makes the killer's flail grow.
void strike_all(State& state, const Setup& setup, const TickStart& start, contract::Events<Event>& events);

}  // namespace instep::worlds::flail
