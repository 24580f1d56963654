// SPDX-License-Identifier: MIT
#include <creature/body.h>

#include <creature/wander.h>
#include <instep/motion/verlet.h>

namespace instep::worlds::creature {
namespace {

bool wanders(const PlanAnchor& anchor) {
    return anchor.movement == Movement::procedural && anchor.path == Path::wander;
}

void show_others(LookAhead& look, const Surroundings& around) {
    if (!around.groups) return;
    const motion::Box view = look.field_of_view();
    around.groups->for_each_touching(view, [&](std::uint32_t group) {
        if (group == around.own) return;
        for (const std::uint32_t i : around.groups->members(group))
            if (around.circles[i].extent().touches(view))
                look.see(around.circles[i].center, around.circles[i].radius);
    });
}

void wander(Anchor& anchor, const PlanAnchor& plan, Vec2 position, double radius, const Setup& setup,
            double time, const Surroundings& around) {
    const motion::Box room = setup.walls().shrunk(radius);
    const WanderStyle style{plan.amplitude.x, plan.speed, radius};
    Wanderer wanderer{drifted(anchor.wander_direction, time), anchor.target};
    LookAhead look(position, wanderer.direction, time, style, room);
    show_others(look, around);
    wanderer.direction = steered(wanderer.direction, look.turn(), setup.dt());
    make_for_next_point(wanderer, position, time, style, room, setup.dt());
    anchor.wander_direction = wanderer.direction;
    anchor.target = wanderer.target;
}

// The target of an anchor with its own path.
Vec2 point_on_path(const Anchor& anchor, const PlanAnchor& plan, double time) {
    if (plan.path == Path::wander) return anchor.target;
    const double twice = plan.path == Path::wave ? 2 : 1;
    return anchor.target +
           Vec2{plan.amplitude.x * math::cos(time), plan.amplitude.y * math::sin(twice * time)};
}

// One tick's displacement towards the target, after the anchor has turned as far as its neck allows.
Vec2 way_towards(Vec2 target, Anchor& anchor, const PlanAnchor& plan, const Body& creature,
                 std::uint32_t node_count) {
    constexpr double there = 0.1;  // nearer than this it stays, as in the original
    const Vec2 position = creature.nodes[plan.node].position;
    const Vec2 offset = target - position;
    const double distance = length(offset);
    if (distance < there) return {};
    const Vec2 ahead = offset / distance;
    anchor.heading = -ahead;
    if (plan.first_neighbour < node_count) {
        const Vec2 neck = motion::direction_of(creature.nodes[plan.first_neighbour].position - position);
        anchor.heading = motion::limited_direction(-ahead, neck, plan.limit);
    }
    return ahead * std::min(plan.speed, distance);
}

// The bones of a chain of which all nodes but perhaps the last have come out whole.
struct GrownChain {
    std::span<const motion::Bone> whole;
    const motion::Bone* last = nullptr;  // still coming out
};

GrownChain grown(const BodyPlan& plan, const PlanChain& chain, const Size& size) {
    const std::span<const motion::Bone> bones = plan.bones_of(chain);
    const bool is_tail = plan.tail_chain < plan.chains.size() && &chain == &plan.chains[plan.tail_chain];
    if (!is_tail) return {bones};
    const std::size_t there = bones.size() - (plan.nodes.size() - size.nodes);
    if (size.part_of_last == 1) return {bones.first(there)};
    return {bones.first(there - 1), &bones[there - 1]};
}

// Calls enforce(nodes, bones, from) -> end for each chain.
template <class Enforce>
void along_chains(Body& creature, const BodyPlan& plan, const Size& size, Enforce enforce) {
    for (const PlanChain& chain : plan.chains) {
        const GrownChain bones = grown(plan, chain, size);
        if (bones.whole.empty() && !bones.last) continue;
        const motion::Bone& first = bones.whole.empty() ? *bones.last : bones.whole.front();
        motion::ChainEnd end = motion::root_of(creature.nodes, chain.root, first);
        end = enforce(creature.nodes, bones.whole, end);
        if (!bones.last) continue;
        motion::Bone last = *bones.last;
        last.length *= size.part_of_last;
        enforce(creature.nodes, std::span(&last, 1), end);
    }
}

void pull_links(Body& creature, const BodyPlan& plan, const Size& size) {
    for (const motion::DistanceLink& link : plan.links) {
        const std::uint32_t outer = std::max(link.a, link.b);
        if (outer >= size.nodes) continue;
        motion::DistanceLink grown = link;
        if (outer >= plan.born && outer + 1 == size.nodes) grown.length *= size.part_of_last;
        motion::pull_together(creature.nodes, grown);
    }
}

// As in the document.
void solve_iterated(Body& creature, const BodyPlan& plan, const Size& size, std::uint32_t iterations) {
    std::array<Vec2, most_nodes> positions;
    motion::solve_iterated(
        std::span(creature.nodes).first(size.nodes), positions, iterations,
        [&] { pull_links(creature, plan, size); },
        [&] { along_chains(creature, plan, size, motion::limit_angles); });
}

}  // namespace

Vec2 heading_of(const Body& creature, const BodyPlan& plan, std::uint32_t node) {
    const PlanNode& planned = plan.nodes[node];
    if (planned.heading_from != no_node)
        return motion::direction_of(creature.nodes[planned.heading_to].position -
                                    creature.nodes[planned.heading_from].position);
    for (std::size_t i = 0; i < plan.anchors.size(); ++i)
        if (plan.anchors[i].node == node) return creature.anchors[i].heading;
    return planned.heading;
}

Body newborn(std::uint32_t plan_index, Vec2 at, double facing, const Setup& setup) {
    const BodyPlan& plan = setup.plans[plan_index];
    const math::Rotation turn = math::Rotation::from_angle(facing);
    const auto placed = [&](Vec2 offset) { return at + rotate(turn, offset); };
    const double dt = setup.dt();
    Body creature{.plan = plan_index, .bite_pause = setup.rules.bite_pause};
    for (std::uint32_t i = 0; i < plan.born; ++i) {
        const PlanNode& node = plan.nodes[i];
        // Damped once in between, the first tick's acceleration then has its full effect.
        const Vec2 pushed =
            node.at_birth.velocity + node.first_acceleration * (dt * dt / setup.rules.air_damping);
        creature.nodes[i] = {placed(node.at_birth.position), rotate(turn, pushed)};
    }
    for (std::size_t i = 0; i < plan.limbs.size(); ++i) {
        Foot foot = plan.limbs[i].foot;
        if (foot.phase != FootPhase::unplaced) foot.from = placed(foot.from);
        if (foot.phase == FootPhase::stepping) foot.to = placed(foot.to);
        creature.feet[i] = foot;
    }
    for (std::size_t i = 0; i < plan.anchors.size(); ++i) {
        const PlanAnchor& anchor = plan.anchors[i];
        creature.anchors[i] = {.target = placed(wanders(anchor) ? anchor.target : anchor.center),
                               .heading = rotate(turn, plan.nodes[anchor.node].heading),
                               .wander_direction = motion::wrapped(anchor.wander_direction + facing)};
    }
    return creature;
}

void resize(Body& creature, std::uint32_t meals, const BodyPlan& plan, const Rules& rules) {
    const std::uint32_t before = size_of(creature.meals, plan, rules).nodes;
    const std::uint32_t after = size_of(meals, plan, rules).nodes;
    for (std::uint32_t node = before; node < after; ++node) {
        const std::uint32_t last = plan.tip(node);
        creature.nodes[node].position =
            creature.nodes[last].position + heading_of(creature, plan, last) * plan.nodes[node].radius;
    }
    for (std::uint32_t node = after; node < before; ++node) creature.nodes[node] = {};
    creature.meals = meals;
}

void move_anchors(Body& creature, const BodyPlan& plan, const Setup& setup, const Vec2* pointer, double time,
                  const Surroundings& surroundings) {
    const std::uint32_t node_count = size_of(creature.meals, plan, setup.rules).nodes;
    std::array<Vec2, most_anchors> ways{};  // all are decided before any anchor moves
    for (std::size_t i = 0; i < plan.anchors.size(); ++i) {
        const PlanAnchor& planned = plan.anchors[i];
        Anchor& anchor = creature.anchors[i];
        const bool is_led =
            planned.movement == Movement::follow_target || (creature.owner != no_player && i == 0);
        if (is_led) {
            if (pointer) ways[i] = way_towards(*pointer, anchor, planned, creature, node_count);
        } else if (planned.movement == Movement::procedural) {
            const double own_time = time + planned.phase;
            if (planned.path == Path::wander)
                wander(anchor, planned, creature.nodes[planned.node].position,
                       plan.nodes[planned.node].radius, setup, own_time, surroundings);
            ways[i] =
                way_towards(point_on_path(anchor, planned, own_time), anchor, planned, creature, node_count);
        }
    }
    for (std::size_t i = 0; i < plan.anchors.size(); ++i)
        creature.nodes[plan.anchors[i].node].position += ways[i];
}

Vec2 current_at(Vec2 point, std::uint64_t tick, const Setup& setup) {
    Vec2 sum;
    for (const Current& current : setup.currents) {
        if (!current.box().contains(point)) continue;
        const double turn =
            current.period > 0 ? static_cast<double>(tick % current.period) / current.period : 0;
        sum += current.acceleration * math::cos(math::two_pi * turn);
    }
    return sum;
}

void glide(Body& creature, const BodyPlan& plan, const Size& size, const Setup& setup, std::uint64_t tick) {
    const double dt = setup.dt();
    for (std::uint32_t i = 0; i < size.nodes; ++i) {
        if (plan.nodes[i].kind != NodeKind::normal) {
            creature.nodes[i].velocity = {};
            continue;
        }
        Vec2 acceleration = plan.nodes[i].constant_acceleration;
        if (!setup.currents.empty()) acceleration += current_at(creature.nodes[i].position, tick, setup);
        motion::verlet_step(creature.nodes[i], acceleration, setup.rules.air_damping, dt);
    }
}

void hold_together(Body& creature, const BodyPlan& plan, const Size& size, const Rules& rules) {
    if (rules.solver == Solver::iterated)
        solve_iterated(creature, plan, size, rules.constraint_iterations);
    else
        along_chains(creature, plan, size, motion::forward_pass);
}

Vec2 place_of_foot(const Body& creature, const PlanLimb& limb, Vec2 heading, const Setup& setup) {
    const Vec2 body = creature.nodes[limb.body].position;
    const Vec2 offset = motion::turned(heading, limb.target_turn) * limb.max_reach;
    return end_of_way(body, body + offset, setup.walls(), !setup.rules.limbs_cross_walls);
}

void place_limb(Body& creature, const PlanLimb& limb, Foot& foot, Vec2 goal, Vec2 heading,
                const Setup& setup) {
    advance(foot, goal, limb.gait, setup.dt());
    std::array<Vec2, motion::most_joints> positions;
    for (std::uint32_t i = 0; i < limb.joint_count; ++i)
        positions[i] = creature.nodes[limb.joints[i]].position;
    motion::reach_for({creature.nodes[limb.body].position, heading,
                       setup.walls().clamp(position_of(foot, limb.gait)), limb.tolerance, limb.iterations},
                      std::span(limb.bones).first(limb.joint_count),
                      std::span(positions).first(limb.joint_count));
    for (std::uint32_t i = 0; i < limb.joint_count; ++i) {
        const Vec2 at = setup.rules.limbs_cross_walls ? positions[i] : setup.edge().clamp(positions[i]);
        motion::shove_to(creature.nodes[limb.joints[i]], at);
    }
}

void hold_in_walls(Body& creature, const BodyPlan& plan, const Size& size, const Setup& setup) {
    const motion::Box walls = setup.walls();
    for (std::uint32_t i = 0; i < size.nodes; ++i)
        if (plan.nodes[i].kind != NodeKind::limb)
            motion::bounce_in_box(creature.nodes[i], radius_of(i, plan, size), walls,
                                  plan.nodes[i].collision_damping);
}

}  // namespace instep::worlds::creature
