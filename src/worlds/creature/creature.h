// SPDX-License-Identifier: MIT
// Bodies of nodes and bones that drag, step and bend; each player leads one by its head. Read scene.h for
// what a body plan is, then setup.h, state.h, body.h and step.cpp.
#pragma once

#include <instep/contract/world.h>
#include <instep/worlds/creature/setup.h>
#include <instep/worlds/creature/state.h>

namespace instep::worlds {

struct Creature {
    static constexpr std::string_view name = "creature";
    static constexpr std::string_view summary = "lead a body of bones by its head; eat, grow, bite tails";

    using Setup = creature::Setup;
    using Input = creature::Input;
    using State = creature::State;
    using Event = creature::Event;
    static constexpr std::span<const contract::EventText> event_texts = creature::event_kinds.texts;

    static state::Result<Setup> load(const state::Json& level, const std::string& where) {
        return creature::load(level, where);
    }
    static std::vector<std::string> bodies(const state::Json& level) { return creature::bodies(level); }
    static state::Result<state::Json> with_body(const state::Json& level, std::string_view body,
                                                math::Vec2 place) {
        return creature::with_body(level, body, place);
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
