// SPDX-License-Identifier: MIT
// A bot runs at the nearest living player and then round it, close enough that the flail, which cuts corners,
// runs into it; it lets the flail fly when that would send it in the right direction and calls it back soon
// after.
#include <cmath>

#include <instep/contract/players.h>
#include <instep/math/rotation.h>
#include <instep/math/trig.h>
#include <instep/worlds/flail/flail.h>

namespace instep::worlds::flail {
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

// Where to run. Near the border to the middle, so that no player is pinned there; alone, to the middle as
// well.
double heading(const State& state, const Setup& setup, const Player& own) {
    const Vec2 at = own.body().position;
    const double safe = setup.map.size / 2 - 300;
    const Player* target = nearest_other(state, own);
    if (!target || std::abs(at.x) > safe || std::abs(at.y) > safe) return math::atan2(-at.y, -at.x);
    const Vec2 way = target->body().position + target->body().velocity * 10 - at;
    const double reach = setup.rules.rope_rest_length * (setup.rules.rope_nodes - 1);
    const double side =
        state.head->tick / 400 % 2 == 0 ? 1 : -1;  // the same for all: two bots then circle each other
    const double aside = length(way) < 3 * reach ? side * (1.0 + 0.06 * (own.slot % 8)) : 0;  // rad
    return math::wrap_angle(math::atan2(way.y, way.x) + aside);
}

bool flies_at_somebody(const State& state, const Setup& setup, const Player& own) {
    const Particle& end = rope_of(own, setup).back();
    const Player* target = nearest_other(state, own);
    if (!target || length(end.velocity) < 2 * setup.rules.harmless_speed) return false;
    const Vec2 way = target->body().position - end.position;
    return length(way) < 900 && dot(normalized_or_zero(way), normalized_or_zero(end.velocity)) > 0.97;
}

}  // namespace

Input bot(const State& state, const Setup& setup, contract::Slot slot) {
    const Player* own = contract::find_player(state.players, slot);
    if (!own || !own->alive()) return {};
    const bool wants_change =
        own->loose ? (state.head->tick + slot) % 40 == 0 : flies_at_somebody(state, setup, *own);
    return {.angle = heading(state, setup, *own),
            .moving = true,
            .letting_go = wants_change && !own->input.letting_go};
}

}  // namespace instep::worlds::flail
