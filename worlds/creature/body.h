// SPDX-License-Identifier: MIT
// The physics of one creature by itself, phase by phase; step.cpp has their order, crowd.h has what creatures
// do to each other. Velocities are per tick.
#pragma once

#include <cstdint>

#include <creature/state.h>
#include <instep/motion/grid.h>

namespace instep::worlds::creature {

// --- How much of it is there -------------------------------------------------------------------------------

struct Size {
    std::uint32_t nodes = 0;
    double part_of_last = 1;  // how far the last one has come out
};

inline Size size_of(std::uint32_t meals, const BodyPlan& plan, const Rules& rules) {
    const std::uint32_t whole = meals / rules.motes_per_node;
    const std::uint32_t rest = meals % rules.motes_per_node;
    if (rest == 0) return {plan.born + whole, 1};
    return {plan.born + whole + 1, static_cast<double>(rest) / rules.motes_per_node};
}

inline double radius_of(std::uint32_t node, const BodyPlan& plan, const Size& size) {
    return plan.nodes[node].radius * (node + 1 == size.nodes ? size.part_of_last : 1);
}

// From the head towards the tail at that node.
Vec2 heading_of(const Body& creature, const BodyPlan& plan, std::uint32_t node);

// At rest in the shape of its plan, with its head at `at`, turned by `facing`.
Body newborn(std::uint32_t plan, Vec2 at, double facing, const Setup& setup);

// Nodes that have come out are put behind the last one, those that were lost are cleared.
void resize(Body& creature, std::uint32_t meals, const BodyPlan& plan, const Rules& rules);

// --- The phases of a tick ----------------------------------------------------------------------------------

// What a wanderer sees of the others: all circles as they were when the tick began.
struct Surroundings {
    std::span<const motion::Circle> circles;
    const motion::CircleGroups* groups = nullptr;  // null if there is no other creature
    std::uint32_t own = 0;
};

// Anchors go where they are led: to the pointer (the head of a player's creature, and anchors that follow a
// target; null without a player), or along their own paths. `time` is in seconds.
void move_anchors(Body& creature, const BodyPlan& plan, const Setup& setup, const Vec2* pointer, double time,
                  const Surroundings& surroundings);

// The acceleration of all currents at a point in a tick, u/s².
Vec2 current_at(Vec2 point, std::uint64_t tick, const Setup& setup);

// Normal nodes by their velocities and accelerations; all others stand still.
void glide(Body& creature, const BodyPlan& plan, const Size& size, const Setup& setup, std::uint64_t tick);

void hold_together(Body& creature, const BodyPlan& plan, const Size& size, const Rules& rules);

// The goal of a limb's foot.
Vec2 place_of_foot(const Body& creature, const PlanLimb& limb, Vec2 heading, const Setup& setup);

// Feet step towards their goals, legs reach for the feet.
void place_limb(Body& creature, const PlanLimb& limb, Foot& foot, Vec2 goal, Vec2 heading,
                const Setup& setup);

void hold_in_walls(Body& creature, const BodyPlan& plan, const Size& size, const Setup& setup);

}  // namespace instep::worlds::creature
