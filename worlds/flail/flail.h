// SPDX-License-Identifier: MIT
// A body drags a flail on an elastic rope and swings it at others. Read setup.h, state.h, swing.h, then
// step.cpp.
#pragma once

#include <flail/original_session.h>
#include <flail/setup.h>
#include <flail/state.h>
#include <instep/contract/world.h>

namespace instep::worlds::flail {

struct World : contract::WorldTypes<Setup, Input, State, Event> {
    static constexpr std::string_view name = "flail";
    static constexpr std::string_view summary = "swing a flail on an elastic rope at everybody else";
    static constexpr std::span<const contract::EventText> event_texts = event_kinds.texts;
    using OriginalSession = original::Session;
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

}  // namespace instep::worlds::flail
