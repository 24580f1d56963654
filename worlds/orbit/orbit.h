// SPDX-License-Identifier: MIT
// Ships under a sun's gravity collect pallets. Read setup.h, state.h, flight.h, then step.cpp.
#pragma once

#include <instep/contract/world.h>
#include <orbit/setup.h>
#include <orbit/state.h>

namespace instep::worlds::orbit {

struct World : contract::WorldTypes<Setup, Input, State, Event> {
    static constexpr std::string_view name = "orbit";
    static constexpr std::string_view summary = "ships under a sun's gravity collect pallets";
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

}  // namespace instep::worlds::orbit
