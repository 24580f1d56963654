// SPDX-License-Identifier: MIT
// A whole platformer on linked line segments: walk, jump, climb, swim, fight mobs, mind the traps, collect
// what they drop. Read level_parts.h and setup.h, state.h, then step.cpp; movement is in
// player_reference.cpp and player_web.cpp, mob.h, drop.h, trap.h, damage in combat.h, and the physics
// in ground.h, physics.h and physics_web.h.
#pragma once

#include <foothold/setup.h>
#include <foothold/state.h>
#include <instep/contract/world.h>

namespace instep::worlds::foothold {

struct World : contract::WorldTypes<Setup, Input, State, Event> {
    static constexpr std::string_view name = "foothold";
    static constexpr std::string_view summary =
        "a platformer on slopes, ladders and water, with mobs to beat";
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
state::Result<contract::ImportedLevel> import_level(state::Type<Setup>, const contract::ImportedMap& map);

}  // namespace instep::worlds::foothold
