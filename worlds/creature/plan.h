// SPDX-License-Identifier: MIT
// What a creature is made of, worked out from a scene and ready to be stepped: chains of bones, limbs,
// anchors. A creature is a connected component of its scene; a scene of several makes several plans.
// Positions are relative to the head, so that a plan can be born anywhere.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <creature/foot.h>
#include <creature/scene.h>
#include <instep/math/rotation.h>
#include <instep/motion/constraint.h>
#include <instep/motion/fabrik.h>
#include <instep/motion/particle.h>

namespace instep::worlds::creature {

inline constexpr std::uint32_t most_nodes = 64;  // of one creature
inline constexpr std::uint32_t most_limbs = 16;
inline constexpr std::uint32_t most_anchors = 4;

struct PlanNode {
    motion::Particle at_birth;
    Vec2 heading;             // where no bone gives it one
    Vec2 first_acceleration;  // in the first tick only
    Vec2 constant_acceleration;
    double radius = 0;
    double collision_damping = 0;
    NodeKind kind = NodeKind::normal;
    std::uint32_t heading_from = no_node;  // its heading is that of the bone between these two
    std::uint32_t heading_to = no_node;
    std::uint32_t scene_index = 0;
};

struct PlanAnchor {
    std::uint32_t node = 0;
    std::uint32_t first_neighbour = no_node;
    Movement movement = Movement::none;
    Path path = Path::circle;
    double speed = 0;  // u/tick
    motion::AngleLimit limit;
    Vec2 amplitude;
    Vec2 center;
    double phase = 0;
    double wander_direction = 0;
    Vec2 target;
};

struct PlanLimb {
    std::uint32_t body = 0;
    std::uint32_t joint_count = 0;
    std::array<std::uint32_t, motion::most_joints> joints{};
    std::array<motion::Joint, motion::most_joints> bones{};
    Vec2 target_turn;  // from the body's heading to the foot's goal
    double max_reach = 0;
    Gait gait;
    double tolerance = 0;
    std::uint32_t iterations = 0;
    std::uint32_t target_plan = no_node;  // of a scene's plans: the limb reaches for one of its nodes, if set
    std::uint32_t target_node = no_node;
    Foot foot;
};

struct PlanChain {
    std::uint32_t root = 0;
    std::uint32_t first_bone = 0;
    std::uint32_t bone_count = 0;
};

struct BodyPlan {
    std::string name;
    std::vector<PlanNode> nodes;
    std::vector<PlanChain> chains;
    std::vector<motion::Bone> bones;          // of all chains
    std::vector<motion::DistanceLink> links;  // every edge that no limb is part of
    std::vector<PlanAnchor> anchors;
    std::vector<PlanLimb> limbs;
    Vec2 origin;                  // of the head, in its scene
    double extent = 0;            // how far the body reaches from the head at birth
    std::uint32_t head = 0;       // a node; the first of `anchors` if there are any
    std::uint32_t born = 0;       // nodes at birth
    std::uint32_t tail_root = 0;  // the node that the tail grows from, and the end of the body before it does
    std::uint32_t tail_chain = no_node;  // at the end of which it grows, if it does

    std::span<const motion::Bone> bones_of(const PlanChain& chain) const {
        return std::span(bones).subspan(chain.first_bone, chain.bone_count);
    }
    // The last node of the tail of a body with this many nodes.
    std::uint32_t tip(std::uint32_t node_count) const {
        return node_count > born ? node_count - 1 : tail_root;
    }
};

// One plan for every group of the scene, in the order of groups_of().
state::Result<std::vector<BodyPlan>> make_plans(const Scene& scene, const std::string& where,
                                                bool loose_branches);

}  // namespace instep::worlds::creature
