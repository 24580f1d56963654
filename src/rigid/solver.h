// SPDX-License-Identifier: MIT
// The contact solver: sequential impulses (Catto, GDC 2006), which is projected Gauss-Seidel. A contact point
// may push along its normal, never pull, and its friction is at most the coefficient times the normal
// impulse. Every point affects the others, so they are solved one after the other for several iterations;
// each adds to its accumulated impulse what is missing.
//
//     normal velocity at a point      vn = n · (v_b + w_b × anchor_b - v_a - w_a × anchor_a)
//     effective mass                  1/m = 1/m_a + 1/m_b + (anchor_a × n)²/I_a + (anchor_b × n)²/I_b
//     impulse that makes vn = target  m (target - vn), its sum never below 0
//
// Warm starting: a step begins with the impulses of the last one, so a stack at rest needs no iterations to
// find its weight again. This is why the impulses are part of the state.
//
// Restitution 1 and friction contradict each other: a perfectly elastic impact keeps the energy, and friction
// dissipates it. With Config::elastic_loses_nothing such a bounce has no friction and no restitution
// threshold. Resting and sliding contacts, and bounces below 1, have friction as usual.
//
// Remaining overlap is corrected in a second loop that changes displacements and not velocities, as the
// position iterations of Box2D 2 do: correcting an overlap must not add speed.
#pragma once

#include <instep/rigid/scratch.h>

namespace instep::rigid {

// Puts every contact that does not rest into a lane of a constraint.
void build_constraint_graph(Scratch& scratch);

// Computes effective masses and targets.
void prepare_contacts(const Setup& setup, double dt, Scratch& scratch);

// Contacts and joints.
void solve_velocities(const Setup& setup, Scratch& scratch);

// Computes the displacement of every body with a contact or a joint from its solved velocity.
void integrate_positions(const Setup& setup, double dt, Scratch& scratch);

void solve_positions(const Space& space, const Setup& setup, Scratch& scratch);

// Puts the accumulated impulses into the contacts, and reports begin and hit events.
void store_impulses(const Setup& setup, Scratch& scratch);

}  // namespace instep::rigid
