// SPDX-License-Identifier: MIT
// A bot flies at the nearest ship, aims at where it will be when a shot gets there, and fires when that is
// near enough to its nose and its heat allows. Every third second it flies across instead, so as not to be an
// easy mark itself, and it turns away from obstacles. A weapon that lies nearby is worth a detour while no
// enemy is near.
#include <cmath>

#include <arena/arena.h>
#include <arena/pickup.h>
#include <arena/ship.h>
#include <instep/contract/players.h>

namespace instep::worlds::arena {
namespace {

constexpr double seconds_ahead = 0.9;  // that it looks for obstacles
constexpr double clearance = 2.5;      // that it keeps from them, u
constexpr double fighting_range = 20;  // within which it no longer comes nearer, u
constexpr double detour = 30;          // to a weapon, at most, u

const Player* nearest_enemy(const State& state, const Player& own, const Rules& rules) {
    const Player* nearest = nullptr;
    double best = 0;
    for (const Player& player : state.players) {
        if (player.slot == own.slot || !player.alive() || are_mates(player.slot, own.slot, rules)) continue;
        const double squared = distance_squared(player.ship.position, own.ship.position);
        if (!nearest || squared < best) {
            nearest = &player;
            best = squared;
        }
    }
    return nearest;
}

// Where to aim to hit a target of constant velocity: two rounds of time = distance / speed are near enough.
Vec2 aim_at(const Flight& target, const Flight& own, double shot_speed) {
    const Vec2 drift = target.velocity - own.velocity;
    Vec2 way = target.position - own.position;
    for (int round = 0; round < 2 && shot_speed > 0; ++round)
        way = target.position - own.position + drift * (length(way) / shot_speed);
    return way;
}

// The direction away from an obstacle that is too near soon; zero if there is no obstacle.
Vec2 escape(const State& state, const Setup& setup, const Flight& own) {
    const Vec2 soon = own.position + own.velocity * seconds_ahead;
    Vec2 away{};
    for (std::uint32_t i = 0; i < state.rocks.size(); ++i) {
        const Flight& rock = state.rocks[i].flight;
        const Vec2 between = soon - (rock.position + rock.velocity * seconds_ahead);
        if (state.rocks[i].is_there() && length(between) < setup.rocks[i].radius + clearance)
            away += normalized_or_zero(between);
    }
    for (const Wall& wall : setup.walls) {
        const math::Rotation rotation = math::Rotation::from_angle(wall.angle);
        const Vec2 local = math::inverse_rotate(rotation, soon - wall.position);
        const Vec2 nearest{std::min(std::max(local.x, -wall.half_size.x), wall.half_size.x),
                           std::min(std::max(local.y, -wall.half_size.y), wall.half_size.y)};
        // Inside a wall, the direction out is backwards.
        const Vec2 out = local == nearest ? math::inverse_rotate(rotation, -own.velocity) : local - nearest;
        if (local == nearest || length(out) < clearance)
            away += math::rotate(rotation, normalized_or_zero(out));
    }
    return away;
}

// Across the direction to the target, to one side and the other.
bool is_dodging(std::uint64_t tick, Slot slot, const Rules& rules) {
    return (tick / rules.tick_rate + slot) % 3 == 0;
}
Vec2 across(Vec2 aim, std::uint64_t tick, Slot slot, const Rules& rules) {
    const bool to_the_left = (tick / rules.tick_rate / 3 + slot) % 2 == 0;
    return math::perpendicular(to_the_left ? aim : -aim);
}

// Where shots cost less heat than cools off between two of them, the bot holds the trigger.
bool shots_cost_nothing(const Salvo& salvo, const Setup& setup) {
    return salvo.heat <= setup.rules.cooling * setup.dt * salvo.pause;
}

bool would_hit(Vec2 nose, Vec2 aim, const Salvo& salvo, const Setup& setup) {
    const double range = salvo.shots > 1 ? fighting_range : salvo.speed * setup.rules.shot_ticks * setup.dt;
    const double miss = std::fabs(math::cross(nose, aim));
    return dot(nose, aim) > 0 && length(aim) < range && miss < 0.8 + 0.01 * length(aim);
}

}  // namespace

Input bot(const State& state, const Setup& setup, contract::Slot slot) {
    const Player* own = contract::find_player(state.players, slot);
    if (!own || !own->alive() || state.head->showing_scores) return {};
    const Rules& rules = setup.rules;
    const Flight& ship = own->ship;

    const Player* target = nearest_enemy(state, *own, rules);
    const Salvo salvo = salvo_of(own->weapon, rules);
    const Vec2 aim = target ? aim_at(target->ship, ship, salvo.speed) : -ship.position;
    const bool is_fighting = target && length(aim) < fighting_range;
    const Pickup* prize = own->weapon == Weapon::cannon && !is_fighting
                              ? nearest_pickup(state, ship.position, detour)
                              : nullptr;
    const Vec2 away = escape(state, setup, ship);
    const bool in_danger = away != Vec2{};
    const bool dodges = target && !in_danger && is_dodging(state.head->tick, slot, rules);
    const Vec2 wanted = in_danger ? away
                        : prize   ? prize->position - ship.position
                        : dodges  ? across(aim, state.head->tick, slot, rules)
                                  : aim;

    // The direction that is turned to `wanted`: the nose, or, to flee, that of the thrust.
    const Vec2 nose = nose_of(ship.angle);
    const bool sideways = (in_danger || prize || dodges) && rules.thrusts_sideways;
    const Vec2 pointing = sideways ? -math::perpendicular(nose) : nose;
    const double off =
        math::angle_difference(math::atan2(pointing.y, pointing.x), math::atan2(wanted.y, wanted.x));
    const bool turns = std::fabs(off) > rules.turn_speed * setup.dt * 0.6;
    const bool counterclockwise = off > 0;
    const bool wants_to_move = in_danger || prize || dodges || length(aim) > fighting_range;
    const double most_heat = in_danger ? rules.most_heat - 2 : rules.most_heat * 0.7;
    const bool can_afford_shot = own->heat + salvo.heat < rules.most_heat * 0.85;

    Input input;
    input.left = turns && counterclockwise != rules.left_is_clockwise;
    input.right = turns && counterclockwise == rules.left_is_clockwise;
    input.thrust = wants_to_move && std::fabs(off) < 0.5 && own->heat < most_heat;
    input.fire = target && (shots_cost_nothing(salvo, setup) ||
                            (can_afford_shot && would_hit(nose, aim, salvo, setup)));
    return input;
}

}  // namespace instep::worlds::arena
