// SPDX-License-Identifier: MIT
// The hard rows of joints, solved exactly wherever joints form trees (Baraff, "Linear-Time Dynamics using
// Lagrange Multipliers", SIGGRAPH 1996): chains, ropes, bridges, ragdolls, cars. Sequential impulses alone
// would need thousands of iterations to carry a heavy ball on a chain of light links; this needs one pass:
//
//     world --j0-- [link] --j1-- [link] --j2-- (ball)      from the leaves to the root each body's mass is
//      root                                       leaf      replaced by that of all that hangs on it, and
//                                                           from the root to the leaves impulses follow
//
// A joint that closes a loop is solved like a contact, by sequential impulses. Which joints those are depends
// only on the order of the pool, which is part of the state.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <instep/rigid/constraint_graph.h>
#include <instep/rigid/joint_rows.h>
#include <instep/rigid/sym3.h>

namespace instep::rigid {

// Either the velocity or the displacement of a solver body.
enum class JointTarget : std::uint8_t { velocity, position };

class JointTree {
public:
    JointTree(std::uint32_t max_bodies, std::uint32_t max_joints);

    // Finds the trees. Bodies are named by their indices; `bodies` are in use.
    void build(std::span<const JointSim> sims, std::uint32_t bodies);

    // Whether the tree solves the hard rows of a joint.
    bool holds(std::uint32_t sim) const { return in_tree_[sim] != 0; }

    // Factorises the system for the present rows.
    void factorise(std::span<const JointSim> sims);

    // Makes all hard rows of the trees hold at once, and adds to their impulses.
    void solve(std::span<JointSim> sims, SolverBody* bodies, JointTarget target);

private:
    static constexpr std::uint32_t none = 0xFFFFFFFF;

    struct Node {  // a body and the joint to its parent
        std::uint32_t body = 0;
        std::uint32_t parent = none;  // body index; none: the world, or a root
        std::uint32_t sim = none;     // none: a root
        bool child_is_b = true;
        double own_inverse_mass = 0;
        double own_inverse_inertia = 0;
        Sym3 inverse_mass;   // of the body with all below it
        Sym3 inverse_joint;  // of the joint's own system
    };
    struct Link {  // an entry of a body's list of tree joints
        std::uint32_t sim = 0;
        std::uint32_t next = none;
    };

    static Node node_of(const JointSim& sim, bool is_b);
    void add_subtree(Node root, std::span<const JointSim> sims);
    std::uint32_t root_of(std::uint32_t body);
    static Triple side_of(const JointRow& row, bool is_b);

    std::vector<std::uint8_t> in_tree_;      // by sim
    std::vector<std::uint32_t> set_of_;      // union and find over bodies
    std::vector<std::uint8_t> is_grounded_;  // by root: the set is tied to the world
    std::vector<std::uint32_t> first_link_;  // by body
    std::vector<std::uint8_t> is_placed_;    // by body
    std::vector<Link> links_;
    std::vector<Node> nodes_;  // parents before children
    std::vector<Sym3> mass_;   // by body
    std::vector<Triple> force_;
    std::vector<Triple> change_;
};

}  // namespace instep::rigid
