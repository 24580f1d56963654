// SPDX-License-Identifier: MIT
// Ships that overheat shoot at each other among asteroids. Read setup.h, state.h, ship.h, bodies.h, then
// step.cpp.
#pragma once

#include <arena/setup.h>
#include <arena/state.h>
#include <instep/contract/world.h>

namespace instep::worlds::arena {

struct World : contract::WorldTypes<Setup, Input, State, Event> {
    static constexpr std::string_view name = "arena";
    static constexpr std::string_view summary = "ships that overheat shoot at each other among asteroids";
    static constexpr std::span<const contract::EventText> event_texts = event_kinds.texts;
};

contract::Facts facts(const Setup& setup);
void start(State& state, const Setup& setup);
bool sanitize(Input& input, const Setup& setup);
void step(State& state, const Setup& setup, const contract::Tick<Input>& tick,
          contract::Events<Event>& events);
state::Result<void> validate(const State& state, const Setup& setup);
void view(const State& state, const Setup& setup, const contract::DrawTimes& times, contract::DrawList& list);
Input bot(const State& state, const Setup& setup, contract::Slot slot);
state::Result<contract::Recording> parity(state::Type<Setup>, const state::Json& file,
                                          const std::string& where);

}  // namespace instep::worlds::arena
