// SPDX-License-Identifier: MIT
// From bodies to the contacts of a step: transform every shape, ask the broad phase for pairs, compute their
// manifolds, and give each contact point the impulse that it had in the last step.
#pragma once

#include <instep/rigid/scratch.h>

namespace instep::rigid {

// Fills solver bodies, proxies, hulls, boxes and the broad phase.
void update_proxies(const Setup& setup, double dt, Scratch& scratch);

// Finds all pairs of shapes whose boxes overlap, that may touch and of which one is active, in the order of
// contact_key(). For fast shapes also the obstacles along their displacement.
void find_pairs(Scratch& scratch);

inline constexpr std::uint32_t no_body = 0xFFFFFFFF;

// The index of a body in Scratch::bodies, or no_body.
[[nodiscard]] std::uint32_t index_of(Handle body, const Scratch& scratch);

inline constexpr std::uint32_t no_obstacle = 0xFFFFFFFF;  // ends a list of obstacles

// Makes the contacts of the step: of the pairs that touch, and the resting ones of the state.
void update_contacts(const Space& space, Scratch& scratch);

// Computes the manifolds of resting contacts that got an active body in this step.
void update_woken_contacts(Scratch& scratch);

// Writes the contacts of the step and the overlaps of sensors into the state.
void store_contacts(Space& space, const Scratch& scratch);

// Whether groups and filters let the two touch; sensors touch nothing.
[[nodiscard]] bool may_touch(const Proxy& a, const Proxy& b);

// Of a one-way shape, by the index of its proxy.
[[nodiscard]] const OneWay& one_way_of(std::uint32_t proxy, const Scratch& scratch);
[[nodiscard]] Vec2 one_way_direction(std::uint32_t proxy, const Scratch& scratch);
[[nodiscard]] bool is_in_front(std::uint32_t platform, std::uint32_t other, const Scratch& scratch);

}  // namespace instep::rigid
