// SPDX-License-Identifier: MIT
// From bodies to the contacts of a step: place every shape, ask the strips which are near each other, work
// out where they touch, and give each point the impulse that held it in the last step.
#pragma once

#include <instep/rigid/scratch.h>

namespace instep::rigid {

// Fills movers, proxies, hulls, boxes and strips.
void place_shapes(const Space& space, const Setup& setup, double dt, Scratch& scratch);

// Every two shapes whose boxes overlap, that may touch, and of which one is active, in the order of
// contact_key(). For fast ones also the obstacles in their way.
void find_pairs(Scratch& scratch);

inline constexpr std::uint32_t no_obstacle = 0xFFFFFFFF;  // the end of a list of them

// The live contacts: those of the pairs that do touch, and those of the state that rest.
void update_contacts(const Space& space, const Setup& setup, Scratch& scratch);

// Works out the manifolds of resting contacts that have an active body by now.
void update_woken_contacts(const Space& space, const Setup& setup, Scratch& scratch);

// Writes the live contacts into the state.
void store_contacts(Space& space, const Scratch& scratch);

// Whether neither bodies nor shapes ask not to be kept apart.
[[nodiscard]] bool may_touch(const Proxy& a, const Proxy& b);

}  // namespace instep::rigid
