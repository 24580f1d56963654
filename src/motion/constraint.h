// SPDX-License-Identifier: MIT
// The constraints of a body of nodes: bones of a fixed length that may bend only so far. Two ways to enforce
// it. The forward pass walks once along each chain from its root and sets every node where its bone must end:
// exact, and as stiff as can be. The iterated solver goes round all bones several times and nudges both ends,
// which leaves some error and spreads a change at one end over the whole body.
// All of these move positions, and only the iterated solver makes velocity of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <instep/motion/angle_limit.h>
#include <instep/motion/particle.h>

namespace instep::motion {

// --- Distances, pair by pair -------------------------------------------------------------------------------

// The shares say which part of a correction each end takes: a half, or one beside an end that is held, which
// takes none.
struct DistanceLink {
    double length = 0;
    double share_a = 0.5;
    double share_b = 0.5;
    std::uint32_t a = 0;
    std::uint32_t b = 0;
};

inline void pull_together(std::span<Particle> nodes, const DistanceLink& link) {
    constexpr double no_direction = 1e-6;  // below this distance, as in the original
    Particle& a = nodes[link.a];
    Particle& b = nodes[link.b];
    const Vec2 between = b.position - a.position;
    const double distance = length(between);
    if (distance < no_direction) return;
    const Vec2 excess = between / distance * (distance - link.length);
    a.position += excess * link.share_a;
    b.position -= excess * link.share_b;
}

// --- Chains ------------------------------------------------------------------------------------------------

// From the node before it in the chain to `node`.
struct Bone {
    AngleLimit limit;  // against the bone before it
    double length = 0;
    std::uint32_t node = 0;
    bool held = false;  // moved by something else: the chain takes it as it is and goes on from there
};

// How far a walk along a chain has come.
struct ChainEnd {
    Vec2 position;
    Vec2 direction;  // of the last bone that was set
    Vec2 carried;    // by how much limit_angles has moved the node before
};

// At the root of a chain; the first bone is measured against its own direction.
[[nodiscard]] inline ChainEnd root_of(std::span<const Particle> nodes, std::uint32_t root,
                                      const Bone& first) {
    const Vec2 at = nodes[root].position;
    return {at, direction_of(nodes[first.node].position - at), {}};
}

// Every node at the length of its bone, in the direction nearest to its own that the limit allows. Returns
// where the walk ended, so that it can go on from there.
ChainEnd forward_pass(std::span<Particle> nodes, std::span<const Bone> bones, ChainEnd from);

// Angles alone: only a node that has bent too far is set, to where the forward pass would set it, and what
// hangs on it is carried along. Left behind, it would be torn off at the next bone, and whip the chain up.
ChainEnd limit_angles(std::span<Particle> nodes, std::span<const Bone> bones, ChainEnd from);

// --- The iterated solver -----------------------------------------------------------------------------------

// Each round pull() draws the ends of all bones together, which becomes velocity, and straighten() sets what
// has bent too far, which does not, here as in the forward pass, or a stiff chain would whip itself up.
// `places` has one element for each node.
template <class Pull, class Straighten>
void solve_iterated(std::span<Particle> nodes, std::span<Vec2> places, std::uint32_t rounds, Pull pull,
                    Straighten straighten) {
    for (std::uint32_t round = 0; round < rounds; ++round) {
        for (std::size_t i = 0; i < nodes.size(); ++i) places[i] = nodes[i].position;
        pull();
        for (std::size_t i = 0; i < nodes.size(); ++i) nodes[i].velocity += nodes[i].position - places[i];
        straighten();
    }
}

}  // namespace instep::motion
