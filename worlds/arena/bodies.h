// SPDX-License-Identifier: MIT
// Ships, rocks and shots as the rigid-body engine sees them. A state keeps each in a pool of its own, with
// the fields that it has and the precision that suits it; for the length of a step they are bodies of one
// space:
//
//     ids   | walls | ships | rocks | shots |    contacts are ordered by ids: walls come first,
//             0 ..                               and shots are left out when the engine is full
//
// A body's id comes from the id of its entity, so contacts find their bodies again in the next tick.
#pragma once

#include <vector>

#include <arena/state.h>
#include <instep/rigid/scratch.h>

namespace instep::worlds::arena {

// The memory of one step.
struct StepScratch {
    explicit StepScratch(const rigid::Setup& setup);

    rigid::Scratch scratch;
    rigid::Space space;  // windows onto the memory that follows

    state::PoolHeader body_header, contact_header;
    std::vector<state::PoolIndex> body_index, contact_index;
    std::vector<rigid::Body> bodies;
    std::vector<rigid::Contact> contacts;
};

// Fills the scratch's space with the bodies of a state.
void gather_bodies(const State& state, const Setup& setup, StepScratch& step_scratch);

// Copies the bodies back into the state after the engine's step.
void return_bodies(const StepScratch& step_scratch, const Setup& setup, State& state);

// The player or the shot that a body is; neither for walls, rocks and removed players.
Player* ship_of(rigid::Handle body, const Setup& setup, State& state);
Shot* shot_of(rigid::Handle body, const Setup& setup, State& state);

}  // namespace instep::worlds::arena
