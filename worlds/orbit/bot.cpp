// SPDX-License-Identifier: MIT
// A bot looks where it would be without thrust, finds the pallet that the smallest change of velocity brings
// it to, and makes that change. It leaves its path alone while it leads to a pallet anyway, and lifts it
// first when it leads into the sun.
#include <cmath>

#include <instep/contract/players.h>
#include <instep/math/rotation.h>
#include <instep/motion/distance.h>
#include <orbit/flight.h>
#include <orbit/orbit.h>

namespace instep::worlds::orbit {
namespace {

constexpr int ticks_ahead = 240;
constexpr int ticks_between_looks = 8;
constexpr double haste = 3;            // the extra cost of a pallet for every second until it is reached, u/s
constexpr double dearest = 200;        // a pallet that costs more is out of reach, u/s
constexpr double safe_distance = 1.3;  // from the sun, in radii of it

struct Plan {
    Vec2 change;  // of velocity, u/s
    bool urgent = false;
};

// Around the sun faster than now, and a little away from it.
Vec2 lift(const Particle& ship, const Setup& setup) {
    const Vec2 outward = normalized_or_zero(ship.position - setup.sun.position);
    const Vec2 around = math::perpendicular(outward);
    const double side = dot(ship.velocity, around) < 0 ? -1 : 1;
    return around * (side * 10) + outward * 5;
}

Plan plan_for(const State& state, const Setup& setup, const Player& own) {
    const double aim = setup.rules.pickup_radius * 0.7;
    Plan plan;
    double best = dearest;  // of the pallets looked at so far: change of velocity and time, u/s
    Particle ghost = own.ship;
    for (int tick = 1; tick <= ticks_ahead; ++tick) {
        fall(ghost, setup);
        if (motion::within(ghost.position, setup.sun.position, setup.sun_radius * safe_distance))
            return {lift(own.ship, setup), true};
        if (tick % ticks_between_looks != 0) continue;
        const double seconds = tick * setup.dt;
        if (haste * seconds >= best) continue;
        for (const Pallet& pallet : state.pallets) {
            const double affordable = aim + (best - haste * seconds) * seconds;
            if (!pallet.active || !motion::within(pallet.position, ghost.position, affordable)) continue;
            const Vec2 miss = pallet.position - ghost.position;
            const double distance = length(miss);
            const double change = distance > aim ? (distance - aim) / seconds : 0;
            best = change + haste * seconds;
            plan.change = change > 0 ? miss * (change / distance) : Vec2{};
        }
    }
    return plan;
}

}  // namespace

Input bot(const State& state, const Setup& setup, contract::Slot slot) {
    const Player* own = contract::find_player(state.players, slot);
    if (!own || !own->alive()) return {};

    const Plan plan = plan_for(state, setup, *own);
    const double change = length(plan.change);
    const double change_a_tick = setup.rules.thrust_acceleration * setup.dt;
    if (change < change_a_tick) return {};
    const double turn = math::angle_difference(own->rotation, math::atan2(-plan.change.y, plan.change.x));
    const double turn_a_tick = setup.rules.turn_rate * setup.dt;
    const double cost = change / change_a_tick * setup.rules.thrust_drain;
    const bool affordable = plan.urgent || cost < own->energy;
    Input input{.thrust = std::abs(turn) < 0.4 && affordable ? 1.0f : 0.0f,
                .turn = static_cast<float>(turn_a_tick > 0 ? turn / turn_a_tick : 0)};
    sanitize(input, setup);
    return input;
}

}  // namespace instep::worlds::orbit
