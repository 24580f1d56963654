// SPDX-License-Identifier: MIT
// One step of a rigid-body space: how a physics engine works, from beginning to end.
//
//     state                          scratch, of this step alone                                  state
//     bodies ---> velocities ---> shapes placed ---> strips -> pairs ---> manifolds --+
//     contacts -------------- impulses of the last step ------------------------------+
//                                                                                     v
//                  sleep <--- moved bodies <--- sweeps <--- positions <--- velocities solved ---> contacts
//
//   space.h     what is kept: bodies and contacts, nothing else, so that a copy of them is a saved world
//   hull.h      geometry          form.h      material and mass: the setup's catalogue of bodies
//   strips.h    broad phase       pairs.h     from bodies to contacts, in the order of ids
//   manifold.h  where they touch  batches.h   contacts in fours
//   solver.h    how hard they push            energy.h       and that none of it comes from nothing
//   islands.h   who sleeps        sweep.h     who is stopped before a wall       query.h   rays and overlaps
//   lone_space.h   all of it without a world around it
//
// A step is a pure function of state, setup and dt: the same bits on every platform, no allocation, no order
// that depends on an address. A contact for which there is no room is left out, the highest ids first, and
// counted. So are pairs beyond four times as many, the last that the strips find, from the highest strip on.
#pragma once

#include <instep/rigid/scratch.h>

namespace instep::rigid {

// Forces have been applied before (push, turn, strike). What happened is in scratch.events and
// scratch.report.
void step(Space& space, const Setup& setup, double dt, Scratch& scratch);

}  // namespace instep::rigid
