// SPDX-License-Identifier: MIT
// One step of a rigid-body space.
//
//     state                          scratch, of this step alone                                  state
//     bodies ---> velocities ---> proxies ---> broad phase -> pairs ---> manifolds ---+
//     contacts -------------- impulses of the last step ------------------------------+
//                                                                                     v
//       sleep <--- moved bodies <--- continuous <--- positions <--- velocities solved ---> contacts
//
//   body.h, space.h     state: bodies and contacts          body_def.h          shapes, material and mass
//   body_pools.h        bodies in a world's own pools
//   hull.h              geometry                            standalone_space.h  a space without a game world
//   chain.h             chains of one-sided segments        material.h          friction, bounce, conveyors
//   one_way.h           platforms solid from one side       sensors.h           who is inside a region
//   broad_phase.h       which boxes overlap                 pairs.h             from bodies to contacts
//   manifold.h          contact points                      constraint_graph.h  contacts in groups of four
//   solver.h            contact impulses                    energy.h            no energy gain
//   continuous.h        no tunnelling                       islands.h           sleep
//   joint.h             joints and their definitions        joint_rows.h        joints as linear equations
//   joint_tree.h        chains solved exactly               joint_solver.h      joints within a step
//   query.h             rays and overlaps, one by one       queries.h           many questions, by an index
//   mover.h             a character                         forces.h            explosions and wind
//
// A step is a pure function of state, setup and dt: the same bits on every platform, no allocation, no order
// that depends on an address. Contacts beyond the capacity are dropped, the highest ids first, and counted;
// so are pairs beyond four times as many, the last that the broad phase finds.
#pragma once

#include <instep/rigid/scratch.h>

namespace instep::rigid {

// Apply forces before (apply_force, apply_torque, apply_impulse). Results are in scratch.events,
// sensor_events, joint_events and report.
void step(Space& space, const Setup& setup, double dt, Scratch& scratch);

}  // namespace instep::rigid
