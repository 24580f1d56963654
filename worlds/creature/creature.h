// SPDX-License-Identifier: MIT
// Bodies of nodes and bones that drag, step and bend; each player leads one by its head. Read scene.h for
// what a body plan is, then setup.h, state.h, body.h and step.cpp.
#pragma once

#include <creature/setup.h>
#include <creature/state.h>
#include <instep/contract/world.h>

namespace instep::worlds::creature {

struct World : contract::WorldTypes<Setup, Input, State, Event> {
    static constexpr std::string_view name = "creature";
    static constexpr std::string_view summary = "lead a body of bones by its head; eat, grow, bite tails";
    static constexpr std::span<const contract::EventText> event_texts = event_kinds.texts;
};

contract::Facts facts(const Setup& setup);
void start(State& state, const Setup& setup);
bool sanitize(Input& input, const Setup& setup);
// The two halves of a step: all that moves creatures, limbs included; then walls, the circles of other
// creatures, and the game. The original records headings between them.
void move_creatures(State& state, const Setup& setup, const contract::Tick<Input>& tick,
                    contract::Events<Event>& events);
void settle_creatures(State& state, const Setup& setup, contract::Events<Event>& events);
void step(State& state, const Setup& setup, const contract::Tick<Input>& tick,
          contract::Events<Event>& events);
state::Result<void> validate(const State& state, const Setup& setup);
void view(const State& state, const Setup& setup, const contract::DrawTimes& times, contract::DrawList& list);
Input bot(const State& state, const Setup& setup, contract::Slot slot);
state::Result<contract::Recording> parity(state::Type<Setup>, const state::Json& file,
                                          const std::string& where);

}  // namespace instep::worlds::creature
