// SPDX-License-Identifier: MIT
// The smallest whole world, and the one to copy: balls in a box, of which each player pushes one. A knock
// against a loose ball scores. Read setup.h, state.h, then step.cpp.
#pragma once

#include <bounce/setup.h>
#include <bounce/state.h>
#include <instep/contract/world.h>

namespace instep::worlds::bounce {

struct World : contract::WorldTypes<Setup, Input, State, Event> {
    static constexpr std::string_view name = "bounce";
    static constexpr std::string_view summary = "balls in a box; push yours against the others";
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

}  // namespace instep::worlds::bounce
