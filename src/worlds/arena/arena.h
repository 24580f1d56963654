// SPDX-License-Identifier: MIT
// Ships that overheat shoot at each other among asteroids. Read setup.h, state.h, ship.h, bodies.h, then
// step.cpp.
#pragma once

#include <instep/contract/world.h>
#include <instep/worlds/arena/setup.h>
#include <instep/worlds/arena/state.h>

namespace instep::worlds {

struct Arena {
    static constexpr std::string_view name = "arena";
    static constexpr std::string_view summary = "ships that overheat shoot at each other among asteroids";

    using Setup = arena::Setup;
    using Input = arena::Input;
    using State = arena::State;
    using Event = arena::Event;
    static constexpr std::span<const contract::EventText> event_texts = arena::event_kinds.texts;

    static state::Result<Setup> load(const state::Json& level, const std::string& where) {
        return arena::load(level, where);
    }
    static std::vector<std::string> bodies(const state::Json& level) { return arena::bodies(level); }
    static state::Result<state::Json> with_body(const state::Json& level, std::string_view body,
                                                math::Vec2 place) {
        return arena::with_body(level, body, place);
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
