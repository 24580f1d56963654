// SPDX-License-Identifier: MIT
// Ships, rocks and shots as the rigid-body engine sees them: each in a pool of its own, with a motion of the
// precision that suits the wire. Walls come first, so they have the lowest ids, and shots last: the engine
// leaves them out first when it is full.
#pragma once

#include <arena/state.h>
#include <instep/rigid/scratch.h>

namespace instep::worlds::arena {

rigid::Space space_of(const State& state, const Setup& setup);

}  // namespace instep::worlds::arena
