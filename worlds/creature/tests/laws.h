// SPDX-License-Identifier: MIT
// How well a body keeps the laws of its bones.
#pragma once

#include <creature/body.h>

#include <algorithm>
#include <cmath>

namespace instep::test {

// Calls visit(node before, bone, its length, whether it is the first) for every bone of each chain that is
// there and that the chain sets: not those to nodes that something else holds, and not the first of a ring,
// which moves when the ring is closed.
template <class Visit>
void for_each_bone(const worlds::creature::BodyPlan& plan, const worlds::creature::Size& size, Visit visit) {
    for (const worlds::creature::PlanChain& chain : plan.chains) {
        const auto bones = plan.bones_of(chain);
        const bool is_ring = bones.back().node == chain.root;
        std::uint32_t before = chain.root;
        for (std::size_t i = 0; i < bones.size() && bones[i].node < size.nodes; ++i) {
            const bool is_coming_out = bones[i].node >= plan.born && bones[i].node + 1 == size.nodes;
            const std::size_t first = is_ring ? 1 : 0;
            if (!bones[i].held && i >= first)
                visit(before, bones[i], bones[i].length * (is_coming_out ? size.part_of_last : 1),
                      i == first);
            before = bones[i].node;
        }
    }
}

// The largest part by which a bone is longer or shorter than it should be.
inline double worst_strain(const worlds::creature::Body& creature, const worlds::creature::BodyPlan& plan,
                           const worlds::creature::Size& size) {
    double worst = 0;
    for_each_bone(plan, size, [&](std::uint32_t before, const motion::Bone& bone, double length, bool) {
        const double is = distance(creature.nodes[before].position, creature.nodes[bone.node].position);
        worst = std::max(worst, std::abs(is - length) / bone.length);
    });
    return worst;
}

// By how much the worst bend is beyond its limits, rad.
inline double worst_bend(const worlds::creature::Body& creature, const worlds::creature::BodyPlan& plan,
                         const worlds::creature::Size& size) {
    double worst = 0;
    math::Vec2 heading;
    for_each_bone(plan, size, [&](std::uint32_t before, const motion::Bone& bone, double, bool is_first) {
        const math::Vec2 next =
            motion::direction_of(creature.nodes[bone.node].position - creature.nodes[before].position);
        if (is_first) heading = next;
        const double turn = motion::angle_of({dot(heading, next), cross(heading, next)});
        if (bone.limit.has_low) worst = std::max(worst, motion::angle_of(bone.limit.low) - turn);
        if (bone.limit.has_high) worst = std::max(worst, turn - motion::angle_of(bone.limit.high));
        heading = next;
    });
    return worst;
}

}  // namespace instep::test
