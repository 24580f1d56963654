// SPDX-License-Identifier: MIT
#include <foothold/combat.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <foothold/drop.h>
#include <foothold/mob.h>
#include <foothold/trap.h>
#include <instep/contract/players.h>

namespace instep::worlds::foothold {
namespace {

constexpr double reach_behind = 20;  // px that an attack reaches behind the attacker
constexpr double everywhere = std::numeric_limits<double>::infinity();  // left or right of all players

// The document's touch boxes around the feet, px: upright, and lying or sitting.
constexpr Box upright{-12, -50, 12, 0};
constexpr Box low{-18, -28, 18, 0};

bool is_invincible(const Player& player, const Moment& moment) {
    return !moment.clock.is_past(player.hurt_at, moment.setup.rules.invincible_time);
}

bool can_be_touched(const Player& player, const Moment& moment) {
    return player.alive() && !is_invincible(player, moment);
}

void die(Player& player, const Moment& moment) {
    contract::add_score(player.score, -moment.setup.rules.death_cost);
    player.died_at = moment.clock.tick;
    player.ladder = 0;
    player.body.velocity = {};
    enter(player, Stance::dead, moment.setup);
    moment.events.add({.position = player.body.position, .kind = EventKind::died, .slot = player.slot});
}

// The nearest living mob in front, within the document's range; of two equally near the first.
Mob* find_target(State& state, const Player& player, const Rules& rules) {
    Mob* nearest = nullptr;
    double best = 0;
    for (Mob& mob : state.mobs) {
        if (!mob.alive()) continue;
        const Vec2 away = mob.body.position - player.body.position;
        const double ahead = player.facing_right ? away.x : -away.x;
        if (ahead > rules.attack_range_x || ahead < -reach_behind || std::abs(away.y) > rules.attack_range_y)
            continue;
        const double distance = length_squared(away);
        if (nearest && distance >= best) continue;
        nearest = &mob;
        best = distance;
    }
    return nearest;
}

}  // namespace

Box touch_box(const Player& player, Vec2 at) {
    const bool is_low =
        (player.stance == Stance::prone || player.stance == Stance::sit) && player.body.on_ground;
    return (is_low ? low : upright).moved(at);
}

Box swept_touch_box(const Player& player, Vec2 before) {
    const Box a = touch_box(player, before);
    const Box b = touch_box(player, player.body.position);
    return {std::min(a.left, b.left), std::min(a.top, b.top), std::max(a.right, b.right),
            std::max(a.bottom, b.bottom)};
}

bool hurt(Player& player, std::int32_t damage, double source_x, const Moment& moment) {
    if (!can_be_touched(player, moment)) return false;
    const std::int32_t taken = std::max(1, damage);
    player.health = std::max(0, player.health - taken);
    player.hurt_at = moment.clock.tick;
    moment.events.add({.position = player.body.position,
                       .amount = static_cast<double>(taken),
                       .kind = EventKind::hurt,
                       .slot = player.slot});
    if (!player.climbing()) {
        knock(player, player.body.position.x >= source_x, moment.setup);
        if (moment.setup.is_web())
            player.body.position.x =
                web::hold_between_side_walls(moment.setup.ground, player.body.position.x);
    }
    if (player.health == 0) die(player, moment);
    return true;
}

void attack(State& state, Player& player, const Moment& moment) {
    const Rules& rules = moment.setup.rules;
    if (player.climbing() || !moment.clock.is_past(player.attacked_at, rules.attack_pause)) return;
    player.attacked_at = moment.clock.tick;
    moment.events.add({.position = player.body.position, .kind = EventKind::attacked, .slot = player.slot});
    Mob* mob = find_target(state, player, rules);
    if (!mob) return;
    const auto spread = static_cast<std::uint32_t>(rules.most_attack - rules.least_attack + 1);
    const auto damage = rules.least_attack + static_cast<std::int32_t>(state.head->random.below(spread));
    if (!hit_mob(*mob, damage, player, moment)) return;
    const MobKind& kind = moment.setup.kind_of(moment.setup.mobs[mob->home]);
    contract::add_score(player.score, kind.score);
    moment.events.add(
        {.position = mob->body.position, .mob = mob->home, .kind = EventKind::mob_died, .slot = player.slot});
    if (kind.drop_value > 0) leave_drop(state, mob->body.position, kind.drop_value, moment);
}

void touch_mobs(State& state, PlacesBefore before, const Moment& moment) {
    for (std::uint32_t i = 0; i < state.players.size(); ++i) {
        Player& player = state.players[i];
        if (!can_be_touched(player, moment)) continue;
        const Box room = swept_touch_box(player, before[i]);
        for (const Mob& mob : state.mobs) {
            const MobKind& kind = moment.setup.kind_of(moment.setup.mobs[mob.home]);
            if (!mob.alive() || !kind.touch_hurts || !room.touches(body_of(mob, moment.setup))) continue;
            hurt(player, kind.touch_attack, mob.body.position.x, moment);
            break;
        }
    }
}

void touch_traps(State& state, PlacesBefore before, const Moment& moment) {
    const Setup& setup = moment.setup;
    const double now = moment.clock.now();
    for (const Trap& trap : setup.traps) {
        const Box box = box_of(trap, setup, now);
        if (box.is_empty()) continue;
        const int push = push_of(trap, setup);
        const double source = push > 0 ? -everywhere : push < 0 ? everywhere : (box.left + box.right) / 2;
        for (std::uint32_t i = 0; i < state.players.size(); ++i) {
            Player& player = state.players[i];
            if (can_be_touched(player, moment) && swept_touch_box(player, before[i]).touches(box))
                hurt(player, setup.trap_kinds[trap.kind].damage, source, moment);
        }
    }
}

}  // namespace instep::worlds::foothold
