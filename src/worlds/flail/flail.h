// SPDX-License-Identifier: MIT
// A body drags a flail on an elastic rope and swings it at others. Read setup.h, state.h, swing.h, then
// step.cpp.
#pragma once

#include <instep/contract/world.h>
#include <instep/worlds/flail/setup.h>
#include <instep/worlds/flail/state.h>

namespace instep::worlds {

struct Flail {
    static constexpr std::string_view name = "flail";
    static constexpr std::string_view summary = "swing a flail on an elastic rope at everybody else";

    using Setup = flail::Setup;
    using Input = flail::Input;
    using State = flail::State;
    using Event = flail::Event;
    static constexpr std::span<const contract::EventText> event_texts = flail::event_kinds.texts;

    static state::Result<Setup> load(const state::Json& level, const std::string& where) {
        return flail::load(level, where);
    }
    static contract::Facts facts(const Setup& setup);
    static void start(State& state, const Setup& setup);
    static bool sanitize(Input& input, const Setup& setup);
    static void step(State& state, const Setup& setup, const contract::Tick<Input>& tick,
                     contract::Events<Event>& events);
    static state::Result<void> validate(const State& state, const Setup& setup);
    static void view(const State& state, const Setup& setup, contract::DrawList& list);
    static Input bot(const State& state, const Setup& setup, contract::Slot slot);
    static state::Result<contract::Recording> parity(const state::Json& file, const std::string& where);
};

}  // namespace instep::worlds
