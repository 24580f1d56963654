// SPDX-License-Identifier: MIT
// A bot makes for the nearest mote. In every third spell of five seconds it hunts instead, and a tail that it
// can bite is worth twice the distance; always hunting, two bots would circle each other's tails endlessly.
// A bot without a goal walks in a circle.
#include <creature/body.h>
#include <creature/creature.h>
#include <instep/motion/angle_limit.h>

namespace instep::worlds::creature {
namespace {

// Keeps the nearest of all that it is shown.
struct Nearest {
    Vec2 from;
    Vec2 best;
    double squared = -1;

    void see(Vec2 point, double lure = 1) {
        const double far = distance_squared(from, point) / (lure * lure);
        if (squared >= 0 && far >= squared) return;
        best = point;
        squared = far;
    }
};

Vec2 on_the_round(const State& state, const Setup& setup, contract::Slot slot) {
    const double turn = static_cast<double>(state.head->tick % 100'000) * 0.01 + slot;
    const Vec2 direction = motion::direction_at(turn);
    return {direction.x * setup.playground.half_width * 0.6,
            direction.y * setup.playground.half_height * 0.6};
}

}  // namespace

Input bot(const State& state, const Setup& setup, contract::Slot slot) {
    const Body* own = nullptr;
    for (const Body& creature : state.creatures)
        if (creature.owner == slot) own = &creature;
    if (!own) return {on_the_round(state, setup, slot)};

    const bool hunts = (state.head->tick / (5 * std::uint64_t{setup.rules.tick_rate}) + slot) % 3 == 0;
    Nearest nearest{own->nodes[setup.plans[own->plan].head].position};
    for (const Mote& mote : state.motes) nearest.see(mote.position);
    for (const Body& creature : state.creatures) {
        if (!hunts || &creature == own || creature.owner == no_player || creature.bite_pause > 0) continue;
        const BodyPlan& plan = setup.plans[creature.plan];
        const std::uint32_t tip = plan.tip(size_of(creature.meals, plan, setup.rules).nodes);
        nearest.see(creature.nodes[tip].position, 2);
    }
    return {nearest.squared >= 0 ? nearest.best : on_the_round(state, setup, slot)};
}

}  // namespace instep::worlds::creature
