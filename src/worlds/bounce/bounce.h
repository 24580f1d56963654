// SPDX-License-Identifier: MIT
// The smallest whole world, and the one to copy: balls in a box, of which each player pushes one. A knock
// against a loose ball scores. Read setup.h, state.h, then step.cpp.
#pragma once

#include <instep/contract/world.h>
#include <instep/worlds/bounce/setup.h>
#include <instep/worlds/bounce/state.h>

namespace instep::worlds {

struct Bounce {
    static constexpr std::string_view name = "bounce";
    static constexpr std::string_view summary = "balls in a box; push yours against the others";

    using Setup = bounce::Setup;
    using Input = bounce::Input;
    using State = bounce::State;
    using Event = bounce::Event;
    static constexpr std::span<const contract::EventText> event_texts = bounce::event_kinds.texts;

    static state::Result<Setup> load(const state::Json& level, const std::string& where) {
        return bounce::load(level, where);
    }
    static std::vector<std::string> bodies(const state::Json& level) { return bounce::bodies(level); }
    static state::Result<state::Json> with_body(const state::Json& level, std::string_view body,
                                                math::Vec2 place) {
        return bounce::with_body(level, body, place);
    }
    static contract::Facts facts(const Setup& setup);
    static void start(State& state, const Setup& setup);
    static bool sanitize(Input& input, const Setup& setup);
    static void step(State& state, const Setup& setup, const contract::Tick<Input>& tick,
                     contract::Events<Event>& events);
    static state::Result<void> validate(const State& state, const Setup& setup);
    static void view(const State& state, const Setup& setup, contract::DrawList& list);
    static Input bot(const State& state, const Setup& setup, contract::Slot slot);
};

}  // namespace instep::worlds
