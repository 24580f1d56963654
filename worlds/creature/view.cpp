// SPDX-License-Identifier: MIT
// What creatures look like: legs that end in feet, a skin that flows over the bones, eyes that look where the
// head goes.
#include <creature/body.h>
#include <creature/creature.h>
#include <creature/foot.h>
#include <creature/skin.h>

namespace instep::worlds::creature {

using contract::Color;
using contract::DrawList;

namespace {

constexpr int steps_between_nodes = 4;
constexpr Color wild{134, 160, 122, 255};
constexpr Color mote_color{253, 224, 71, 255};

Color shaded(Color color, double part) {
    const auto shade = [part](std::uint8_t value) { return static_cast<std::uint8_t>(value * part); };
    return {shade(color.red), shade(color.green), shade(color.blue), color.alpha};
}

void draw_playground(const Setup& setup, DrawList& list) {
    const motion::Box edge = setup.edge();
    const Vec2 border[] = {
        edge.low, {edge.high.x, edge.low.y}, edge.high, {edge.low.x, edge.high.y}, edge.low};
    list.polyline(border, 4, contract::palette::faint);
}

// A tinted field, with dashes that lie along its acceleration.
void draw_current(const Current& current, DrawList& list) {
    const Vec2 corners[] = {
        current.low, {current.high.x, current.low.y}, current.high, {current.low.x, current.high.y}};
    list.polygon(corners, {56, 189, 248, 16});
    const Vec2 dash = normalized_or_zero(current.acceleration) * 30;
    constexpr double spacing = 160;
    constexpr int most = 24;  // on each axis
    for (int i = 0; i < most; ++i)
        for (int j = 0; j < most; ++j) {
            const Vec2 from = current.low + Vec2{(i + 0.5) * spacing, (j + 0.5) * spacing};
            if (!current.box().contains(from)) continue;
            const Vec2 line[] = {from, from + dash};
            list.polyline(line, 3, {125, 211, 252, 40});
        }
}

void draw_limb(const Body& creature, const BodyPlan& plan, const PlanLimb& limb, Color color,
               DrawList& list) {
    std::array<Vec2, motion::most_joints + 1> bones;
    bones[0] = creature.nodes[limb.body].position;
    for (std::uint32_t i = 0; i < limb.joint_count; ++i)
        bones[i + 1] = creature.nodes[limb.joints[i]].position;
    const double thickness = plan.nodes[limb.joints[0]].radius;
    list.polyline(smooth(std::span(bones).first(limb.joint_count + 1), false, steps_between_nodes), thickness,
                  color);
    const std::uint32_t foot = limb.joints[limb.joint_count - 1];
    list.disc(creature.nodes[foot].position, plan.nodes[foot].radius * 0.8, color);
}

void draw_chain(const Body& creature, const BodyPlan& plan, const PlanChain& chain, const Size& size,
                Color color, DrawList& list) {
    std::array<SkinCircle, most_nodes + 1> circles;
    std::size_t count = 0;
    const auto add = [&](std::uint32_t node) {
        circles[count++] = {creature.nodes[node].position, radius_of(node, plan, size)};
    };
    add(chain.root);
    for (const motion::Bone& bone : plan.bones_of(chain))
        if (bone.node < size.nodes) add(bone.node);
    const bool is_ring = plan.bones_of(chain).back().node == chain.root;
    if (is_ring)
        list.polygon(skin_round(std::span(circles).first(count - 1), steps_between_nodes), color);
    else if (count > 1)
        list.polygon(skin_over(std::span(circles).first(count), steps_between_nodes), color);
}

void draw_eyes(const Body& creature, const BodyPlan& plan, DrawList& list) {
    const Vec2 back = heading_of(creature, plan, plan.head);
    const double radius = plan.nodes[plan.head].radius;
    for (const double side : {-1.0, 1.0}) {
        const Vec2 eye = creature.nodes[plan.head].position +
                         math::perpendicular(back) * (side * radius * 0.45) - back * (radius * 0.3);
        list.disc(eye, radius * 0.24, contract::palette::ink);
        list.disc(eye - back * (radius * 0.08), radius * 0.12, {15, 23, 42, 255});
    }
}

void draw_creature(const Body& creature, const Setup& setup, DrawList& list) {
    list.belongs_to(&creature);
    const BodyPlan& plan = setup.plans[creature.plan];
    const Size size = size_of(creature.meals, plan, setup.rules);
    const Color color = creature.owner == no_player ? wild : contract::palette::player(creature.owner);
    for (const PlanLimb& limb : plan.limbs) draw_limb(creature, plan, limb, shaded(color, 0.7), list);
    std::array<bool, most_nodes> skinned{};
    for (const PlanChain& chain : plan.chains) {
        draw_chain(creature, plan, chain, size, color, list);
        skinned[chain.root] = true;
        for (const motion::Bone& bone : plan.bones_of(chain)) skinned[bone.node] = true;
    }
    for (std::uint32_t node = 0; node < size.nodes; ++node)
        if (!skinned[node] && plan.nodes[node].kind != NodeKind::limb)
            list.disc(creature.nodes[node].position, plan.nodes[node].radius, color);
    if (!plan.anchors.empty()) draw_eyes(creature, plan, list);
}

}  // namespace

void view(const State& state, const Setup& setup, const contract::DrawTimes&, DrawList& list) {
    draw_playground(setup, list);
    for (const Current& current : setup.currents) draw_current(current, list);
    for (const Mote& mote : state.motes) {
        list.belongs_to(&mote);
        list.disc(mote.position, setup.rules.mote_radius, mote_color);
    }
    for (const Body& creature : state.creatures) draw_creature(creature, setup, list);
    for (const Player& player : state.players) {
        const Body* own = state.creatures.find(player.creature);
        list.belongs_to(own);
        if (!own) {
            if (!setup.rules.players_have_bodies)
                list.circle(player.input.pointer, 10, contract::palette::player(player.slot));
            continue;
        }
        const std::uint32_t head = setup.plans[own->plan].head;
        list.label(own->nodes[head].position + Vec2{0, setup.plans[own->plan].nodes[head].radius + 12}, 24,
                   player.name.view(), contract::palette::ink);
    }
}

}  // namespace instep::worlds::creature
