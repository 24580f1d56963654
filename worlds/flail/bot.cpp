// SPDX-License-Identifier: MIT
// A bot runs to the nearest living player (a king seems half as far away: it is worth more) and swings its
// flail there: it runs in circles that lead the flail through the other. It lets the flail fly when that
// would send it in the right direction and calls it back soon after.
#include <cmath>

#include <flail/flail.h>
#include <instep/contract/players.h>
#include <instep/math/rotation.h>
#include <instep/math/trig.h>

namespace instep::worlds::flail {
namespace {

const Player* nearest_other(const State& state, const Player& own) {
    const Player* king = king_of(state.players);
    const Player* nearest = nullptr;
    double best = 0;
    for (const Player& player : state.players) {
        if (player.slot == own.slot || !player.alive()) continue;
        const double squared =
            distance_squared(player.body().position, own.body().position) * (&player == king ? 0.25 : 1.0);
        if (!nearest || squared < best) {
            nearest = &player;
            best = squared;
        }
    }
    return nearest;
}

constexpr double swing_turn = 0.065;  // rad a tick: a circle on which the flail comes to about 17 u/tick

// One more tick on a circle, the middle of which drifts to where the flail's circle runs through the target:
// turning more slowly while the heading points there moves it there.
double swing_heading(const Player& own, const Particle& target, const Setup& setup, double side) {
    const Vec2 along{math::sincos(own.input.angle).cos, math::sincos(own.input.angle).sin};
    const Vec2 middle = own.body().position + math::perpendicular(own.body().velocity) * (side / swing_turn);
    const Vec2 way = target.position + target.velocity * 10 - middle;
    const double flail_circle = setup.rules.rope_rest_length * (setup.rules.rope_nodes - 1) * 1.6;
    const double towards = length(way) > flail_circle ? 1 : -1;
    const double drift = dot(normalized_or_zero(way), along) * towards;
    return own.input.angle + side * swing_turn * (1 - 0.5 * drift);
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
    if (length(way) > 3.5 * reach) return math::atan2(way.y, way.x);
    return math::wrap_angle(swing_heading(own, target->body(), setup, own.slot % 2 == 0 ? 1 : -1));
}

bool flies_at_somebody(const State& state, const Setup& setup, const Player& own) {
    const Particle& end = rope_of(own, setup).back();
    const Player* target = nearest_other(state, own);
    if (!target || length(end.velocity) < 1.5 * setup.rules.harmless_speed) return false;
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
