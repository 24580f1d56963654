// SPDX-License-Identifier: MIT
#include <creature/crowd.h>

#include <creature/body.h>
#include <instep/motion/verlet.h>

namespace instep::worlds::creature {
namespace {

// Calls visit(index of the circle, node, radius) for each node of the creature that is there. `next` is the
// first index that is free for a creature of no scene.
template <class Visit>
void for_each_circle(const Body& creature, std::uint32_t index, const Setup& setup, Nodes nodes,
                     std::uint32_t& next, Visit visit) {
    const BodyPlan& plan = setup.plans[creature.plan];
    const Size size = size_of(creature.meals, plan, setup.rules);
    const bool from_scene = index < setup.scene_creatures;
    for (std::uint32_t node = 0; node < size.nodes; ++node)
        if (nodes == Nodes::all || plan.nodes[node].kind != NodeKind::limb)
            visit(from_scene ? plan.nodes[node].scene_index : next++, node, radius_of(node, plan, size));
}

}  // namespace

std::span<motion::Circle> gather_circles(const State& state, const Setup& setup, Nodes nodes,
                                         motion::Scratch& scratch) {
    std::uint32_t count = setup.scene_nodes;
    for (std::uint32_t index = setup.scene_creatures; index < state.creatures.size(); ++index) {
        const Body& creature = state.creatures[index];
        count += size_of(creature.meals, setup.plans[creature.plan], setup.rules).nodes;
    }
    const std::span<motion::Circle> circles = scratch.take<motion::Circle>(count);
    std::uint32_t next = setup.scene_nodes;
    for (std::uint32_t index = 0; index < state.creatures.size(); ++index) {
        const Body& creature = state.creatures[index];
        for_each_circle(creature, index, setup, nodes, next,
                        [&](std::uint32_t i, std::uint32_t node, double radius) {
                            circles[i] = {creature.nodes[node].position, radius, index};
                        });
    }
    return circles.first(next);
}

void push_creatures_apart(State& state, const Setup& setup) {
    if (state.creatures.size() < 2) return;
    motion::Scratch scratch = scratch_of(state);
    const std::span<motion::Circle> circles = gather_circles(state, setup, Nodes::all_but_limbs, scratch);
    motion::push_apart(circles, setup.edge(), {setup.rules.collision_cell, setup.rules.collision_passes},
                       scratch);
    std::uint32_t next = setup.scene_nodes;
    for (std::uint32_t index = 0; index < state.creatures.size(); ++index) {
        Body& creature = state.creatures[index];
        for_each_circle(creature, index, setup, Nodes::all_but_limbs, next,
                        [&](std::uint32_t i, std::uint32_t node, double) {
                            motion::shove_to(creature.nodes[node], circles[i].center);
                        });
    }
}

}  // namespace instep::worlds::creature
