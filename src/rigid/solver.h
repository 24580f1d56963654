// SPDX-License-Identifier: MIT
// Keeps bodies apart. A contact point may push along its normal (never pull) and rub across it (at most
// friction times the push). All points must hold at once, and each disturbs the others, so they are solved
// one after the other, again and again, each adding to its impulse what is missing: sequential impulses,
// which is projected Gauss-Seidel.
//
//     speed of parting at a point      v = n · (v_b + w_b × arm_b - v_a - w_a × arm_a)
//     what an impulse of 1 changes     1/m = 1/m_a + 1/m_b + (arm_a × n)²/I_a + (arm_b × n)²/I_b
//     impulse that makes v = target    m (target - v), its sum never below 0
//
// Warm starting: the sums of the last step are where this one begins, so that a stack which stood goes on
// standing without having to find out again how heavy it is. This is why the impulses are part of the state.
//
// Restitution 1 and friction contradict each other: a perfectly elastic impact is one that keeps the energy,
// and rubbing turns some of it into heat. With Rules::elastic_loses_nothing energy wins: such a bounce does
// not rub, and no speed is too low for it. What lies or slides rubs as ever, and so does a bounce of less
// than 1.
//
// What still overlaps is pushed apart in a second, shorter loop that moves positions and leaves velocities
// alone: pushing apart must not make anything fly.
#pragma once

#include <instep/rigid/scratch.h>

namespace instep::rigid {

// Every live contact that does not rest, put into a lane of a batch.
void deal_contacts(const Space& space, const Setup& setup, Scratch& scratch);

// Effective masses and targets.
void prepare_batches(const Setup& setup, double dt, Scratch& scratch);

void solve_velocities(const Setup& setup, Scratch& scratch);

// What each body that was pushed will move by, within the rules' limits; the others keep to their ways.
void move(const Space& space, const Setup& setup, double dt, Scratch& scratch);

void solve_positions(const Setup& setup, Scratch& scratch);

// Puts the sums into the live contacts, and tells of begins and hits.
void store_impulses(const Setup& setup, Scratch& scratch);

}  // namespace instep::rigid
