// SPDX-License-Identifier: MIT
// What creatures do to each other: their circles push apart. Circles are numbered as the original numbers its
// nodes: a scene's as the scene does, those of other creatures after them in the order of the pool. In that
// order they are pushed.
#pragma once

#include <creature/state.h>
#include <instep/motion/grid.h>

namespace instep::worlds::creature {

enum class Nodes : std::uint8_t { all, all_but_limbs };

// Every node as a circle; the group of a circle is its creature's index. Some circles may be missing.
std::span<motion::Circle> gather_circles(const State& state, const Setup& setup, Nodes nodes,
                                         motion::Scratch& scratch);

void push_creatures_apart(State& state, const Setup& setup);

}  // namespace instep::worlds::creature
