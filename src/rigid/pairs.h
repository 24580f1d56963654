// SPDX-License-Identifier: MIT
// From bodies to the contacts of a step: place every shape, ask the grid which are near each other, work out
// where they touch, and give each point the impulse that held it in the last step.
#pragma once

#include <instep/rigid/scratch.h>

namespace instep::rigid {

// Fills proxies, hulls, boxes and the grid.
void place_shapes(const Space& space, const Setup& setup, double dt, Scratch& scratch);

// Every two shapes whose boxes overlap, that may touch, and of which one is active, in the order of
// contact_key().
void find_pairs(const Space& space, const Setup& setup, Scratch& scratch);

// The live contacts: those of the pairs that do touch, and those of the state that rest.
void update_contacts(const Space& space, const Setup& setup, Scratch& scratch);

// Works out the manifolds of resting contacts that have an active body by now.
void update_woken_contacts(const Space& space, const Setup& setup, Scratch& scratch);

// Writes the live contacts into the state.
void store_contacts(Space& space, const Scratch& scratch);

// Whether bodies and shapes ask not to be kept apart.
[[nodiscard]] bool may_touch(const Body& a, const Shape& shape_a, const Body& b, const Shape& shape_b);

}  // namespace instep::rigid
