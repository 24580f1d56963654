// SPDX-License-Identifier: MIT
// Joints within a step. Hard rows that form trees are solved exactly (joint_tree.h), all others by sequential
// impulses, in the same iterations as the contacts and before them. Errors of positions are corrected as
// those of contacts are: displacements change, velocities don't.
#pragma once

#include <instep/rigid/scratch.h>

namespace instep::rigid {

// Lists the joints of the step and which bodies they connect. Removes joints of which a body is gone.
void list_joints(Space& space, const Setup& setup, Scratch& scratch);

// Whether a joint keeps two bodies from colliding.
[[nodiscard]] bool is_joined(std::uint32_t body_a, std::uint32_t body_b, const Scratch& scratch);

// Makes the rows of all joints that don't rest, and applies the impulses of the last step.
void prepare_joints(const Space& space, const Setup& setup, double dt, Scratch& scratch);

// One iteration.
void solve_joint_velocities(Scratch& scratch);
void solve_joint_positions(const Space& space, const Setup& setup, Scratch& scratch);

// Puts the impulses into the state, for the next step to start with.
void store_joint_impulses(Space& space, double dt, Scratch& scratch);

// Removes the joints that were loaded too much in this step.
void break_joints(Space& space, const Setup& setup, Scratch& scratch);

}  // namespace instep::rigid
