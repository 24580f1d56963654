// SPDX-License-Identifier: MIT
// A bot runs at the nearest living player, past it rather than into it, so that the flail swings round; it
// lets the flail fly when that would send it the right way and calls it back soon after.
#include <cmath>

#include <instep/math/trig.h>
#include <instep/worlds/flail/flail.h>

namespace instep::worlds {

using namespace flail;

namespace {

const Player* nearest_other(const State& state, const Player& own) {
    const Player* nearest = nullptr;
    double best = 0;
    for (const Player& player : state.players) {
        if (player.slot == own.slot || !player.alive()) continue;
        const double squared = distance_squared(player.body().position, own.body().position);
        if (!nearest || squared < best) {
            nearest = &player;
            best = squared;
        }
    }
    return nearest;
}

// Round the target at about a rope's length, each bot in a direction of its own; alone, round the centre.
Vec2 goal_of(const State& state, const Setup& setup, const Player& own) {
    const Player* target = nearest_other(state, own);
    const Vec2 middle = target ? target->body().position + target->body().velocity * 10 : Vec2{};
    const Vec2 towards = normalized_or_zero(middle - own.body().position);
    const double reach = setup.rules.rope_rest_length * (setup.rules.rope_nodes - 1);
    const double side = own.slot % 2 == 0 ? 1 : -1;
    return middle + math::perpendicular(towards) * (side * reach);
}

bool flies_at_somebody(const State& state, const Setup& setup, const Player& own) {
    const Particle& end = rope_of(own, setup).back();
    const Player* target = nearest_other(state, own);
    if (!target || length(end.velocity) < 2 * setup.rules.harmless_speed) return false;
    const Vec2 way = target->body().position - end.position;
    return length(way) < 900 && dot(normalized_or_zero(way), normalized_or_zero(end.velocity)) > 0.97;
}

}  // namespace

Input Flail::bot(const State& state, const Setup& setup, contract::Slot slot) {
    const Player* own = nullptr;
    for (const Player& player : state.players)
        if (player.slot == slot) own = &player;
    if (!own || !own->alive()) return {};
    const Vec2 way = goal_of(state, setup, *own) - own->body().position;
    const bool wants_change =
        own->loose ? (state.head->tick + slot) % 40 == 0 : flies_at_somebody(state, setup, *own);
    return {.angle = math::atan2(way.y, way.x),
            .moving = true,
            .letting_go = wants_change && !own->input.letting_go};
}

}  // namespace instep::worlds
