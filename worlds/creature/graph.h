// SPDX-License-Identifier: MIT
// How nodes hang together: which of them are one creature, and along which chains a body is walked. All of it
// is worked out once, in the order of the indices, when a plan is loaded, so that nothing depends on an
// address or a hash.
#pragma once

#include <cstdint>
#include <vector>

#include <creature/scene.h>

namespace instep::worlds::creature {

// For every node its neighbours, in the order of the edges.
using Neighbours = std::vector<std::vector<std::uint32_t>>;
Neighbours neighbours_of(const Scene& scene);

// Connected components, each with its nodes in rising order; the components in the order of their first
// nodes.
std::vector<std::vector<std::uint32_t>> groups_of(const Neighbours& neighbours);

// Chains as lists of nodes from the root on; a ring ends with its first node again. Limb nodes are in no
// chain. Roots are anchors, then nodes with a single neighbour; the rest are rings. A walk ends at a fork, a
// node with more than two neighbours. In the original, a branch of a fork is walked from its far end and
// stays loose there (`loose_branches`); otherwise the fork is the root of it.
std::vector<std::vector<std::uint32_t>> chains_of(const Scene& scene, const Neighbours& neighbours,
                                                  bool loose_branches);

}  // namespace instep::worlds::creature
