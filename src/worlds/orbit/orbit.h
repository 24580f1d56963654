// SPDX-License-Identifier: MIT
// Ships under a sun's gravity collect pallets. Read setup.h, state.h, flight.h, then step.cpp.
#pragma once

#include <instep/contract/world.h>
#include <instep/worlds/orbit/setup.h>
#include <instep/worlds/orbit/state.h>

namespace instep::worlds {

struct Orbit {
    static constexpr std::string_view name = "orbit";
    static constexpr std::string_view summary = "ships under a sun's gravity collect pallets";

    using Setup = orbit::Setup;
    using Input = orbit::Input;
    using State = orbit::State;
    using Event = orbit::Event;
    static constexpr std::span<const contract::EventText> event_texts = orbit::event_kinds.texts;

    static state::Result<Setup> load(const state::Json& level, const std::string& where) {
        return orbit::load(level, where);
    }
    static std::vector<std::string> bodies(const state::Json& level) { return orbit::bodies(level); }
    static state::Result<state::Json> with_body(const state::Json& level, std::string_view body,
                                                math::Vec2 place) {
        return orbit::with_body(level, body, place);
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
