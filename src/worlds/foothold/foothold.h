// SPDX-License-Identifier: MIT
// A whole platformer on linked line segments: walk, jump, climb, swim, fight mobs, mind the traps, collect
// what they drop. Read level_parts.h and setup.h, state.h, then step.cpp; what moves how is in
// player_reference.cpp and player_web.cpp, mob.h, drop.h, trap.h, who hurts whom in combat.h, and the physics
// in ground.h, physics.h and physics_web.h.
#pragma once

#include <instep/contract/world.h>
#include <instep/worlds/foothold/setup.h>
#include <instep/worlds/foothold/state.h>

namespace instep::worlds {

struct Foothold {
    static constexpr std::string_view name = "foothold";
    static constexpr std::string_view summary =
        "a platformer on slopes, ladders and water, with mobs to beat";

    using Setup = foothold::Setup;
    using Input = foothold::Input;
    using State = foothold::State;
    using Event = foothold::Event;
    static constexpr std::span<const contract::EventText> event_texts = foothold::event_kinds.texts;

    static state::Result<Setup> load(const state::Json& level, const std::string& where) {
        return foothold::load(level, where);
    }
    static std::vector<std::string> bodies(const state::Json& level) { return foothold::bodies(level); }
    static state::Result<state::Json> with_body(const state::Json& level, std::string_view body,
                                                math::Vec2 place) {
        return foothold::with_body(level, body, place);
    }
    static contract::Facts facts(const Setup& setup);
    static void start(State& state, const Setup& setup);
    static bool sanitize(Input& input, const Setup& setup);
    static void step(State& state, const Setup& setup, const contract::Tick<Input>& tick,
                     contract::Events<Event>& events);
    static state::Result<void> validate(const State& state, const Setup& setup);
    static void view(const State& state, const Setup& setup, contract::DrawList& list);
    static void view_between(const State& before, const State& after, double fraction, const Setup& setup,
                             contract::DrawList& list);
    static Input bot(const State& state, const Setup& setup, contract::Slot slot);
    static state::Result<contract::Recording> parity(const state::Json& file, const std::string& where);
};

}  // namespace instep::worlds
