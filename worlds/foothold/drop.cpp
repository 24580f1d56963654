// SPDX-License-Identifier: MIT
#include <foothold/drop.h>

#include <algorithm>
#include <cmath>

#include <instep/contract/players.h>
#include <instep/math/trig.h>
#include <instep/math/units.h>

namespace instep::worlds::foothold {
namespace {

constexpr double flight_ticks = 48;      // hspeed = (dest.x - start.x) / 48
constexpr double throw_speed = 5;        // DROP_SPAWN_VSPEED, px/tick
constexpr double hover = 4;              // px: the height of a drop above the ground
constexpr float spin = 0.2f;             // SPINSTEP, rad/tick
constexpr float bob_step = 0.025f;       // DROP_BOB_SPEED, rad/tick
constexpr double bob_wrap = 360;         // the reference takes its radians for degrees here
constexpr double bob_amplitude = 2.5;    // DROP_BOB_AMP, px
constexpr double bob_offset = 5;         // px
constexpr double web_throw_speed = 7.9;  // px a step, of the web client's code
constexpr double web_gravity = 0.35;     // px/step²
constexpr double web_fastest_fall = 8;   // DROP_PHYS_TERMINAL_VY, px/step
constexpr double web_spin = 0.3;         // rad/step
constexpr double web_bob_step = 0.025;   // rad/step
constexpr double chase_part = 0.12;      // of the distance to the taker, per step of the web client
constexpr double chase_rate = 60;        // those steps, Hz
constexpr Vec2 chase_goal{0, -25};       // px from the taker's feet: about its middle
constexpr double scatter = 40;           // px to either side of where it was dropped

void bob(Drop& drop) {
    drop.body.position.y = drop.target.y - hover + bob_offset + (math::cos(drop.phase) - 1) * bob_amplitude;
    drop.phase = drop.phase < bob_wrap ? drop.phase + static_cast<double>(bob_step) : 0;
}

void follow_taker(Drop& drop, const State& state, const Setup& setup) {
    const Player* taker = contract::find_player(state.players, drop.taker);
    if (!taker) return;
    const double part = std::min(1.0, chase_part * chase_rate * setup.dt);
    drop.body.position += (taker->body.position + chase_goal - drop.body.position) * part;
}

bool is_over(const Drop& drop, const Moment& moment) {
    const Rules& rules = moment.setup.rules;
    if (drop.body.position.y >= moment.setup.ground.borders().high) return true;
    return moment.clock.is_past(drop.since,
                                drop.stance == DropStance::picked_up ? rules.pickup_time : rules.drop_life);
}

}  // namespace

Drop throw_drop(Vec2 from, Vec2 to, std::int32_t value, const Setup& setup, const Clock& clock) {
    Drop drop{.target = to, .value = value, .since = clock.tick};
    drop.body.position = {from.x, from.y - hover};
    drop.body.velocity = {(to.x - from.x) / flight_ticks, -throw_speed};
    if (setup.is_web()) {
        drop.body.velocity.y = -web_throw_speed;
        drop.body.on_ground = false;
    }
    return drop;
}

void move_reference_drop(Drop& drop, const Setup& setup) {
    PhysicsObject& body = drop.body;
    move_object(body, {}, setup.ground, setup.quirks);
    if (drop.stance == DropStance::falling) {
        if (body.on_ground) {
            body.velocity.x = 0;
            body.type = MotionType::fixated;
            body.position = {drop.target.x, drop.target.y - hover};
            drop.stance = DropStance::floating;
            drop.angle = 0;
        } else {
            drop.angle = static_cast<double>(static_cast<float>(drop.angle) + spin);
        }
    }
    if (drop.stance == DropStance::floating) bob(drop);
}

void move_web_drop(Drop& drop, const Setup& setup) {
    PhysicsObject& body = drop.body;
    if (drop.stance == DropStance::floating) {
        drop.phase += web_bob_step;
        if (drop.phase >= math::two_pi) drop.phase -= math::two_pi;
        return;
    }
    const Vec2 from = body.position;
    body.velocity.y = std::min(body.velocity.y + web_gravity, web_fastest_fall);
    body.position += body.velocity;
    drop.angle += web_spin;
    if (!(body.velocity.y > 0)) return;
    const web::Ground landing = web::find_landing(setup.ground, from, body.position);
    if (landing.foothold == 0) return;
    body.position = {landing.x, landing.y};
    body.velocity = {};
    body.on_ground = true;
    body.foothold = landing.foothold;
    drop.angle = 0;
    drop.stance = DropStance::floating;
}

double web_bob_offset(const Drop& drop) { return bob_offset + (math::cos(drop.phase) - 1) * bob_amplitude; }

void leave_drop(State& state, Vec2 from, std::int32_t value, const Moment& moment) {
    const FootholdSet& ground = moment.setup.ground;
    Vec2 to{from.x + state.head->random.uniform(-scatter, scatter), from.y};
    to.x = web::hold_between_side_walls(ground, to.x);
    web::Ground landing = web::find_near(ground, to.x, from.y, nearest_ground);
    if (landing.foothold == 0) {
        to.x = from.x;
        landing = web::find_below(ground, to.x, from.y);
    }
    if (landing.foothold == 0) return;
    to.y = landing.y;
    if (state.drops.size() ==
        state.drops.capacity()) {  // full() is also true for a pool that has used up its handles
        std::uint32_t oldest = 0;
        for (std::uint32_t i = 1; i < state.drops.size(); ++i)
            if (static_cast<std::int32_t>(state.drops[i].since - state.drops[oldest].since) < 0) oldest = i;
        state.drops.remove_at(oldest);
    }
    state.drops.add(throw_drop(from, to, value, moment.setup, moment.clock));
    moment.events.add({.position = from, .amount = static_cast<double>(value), .kind = EventKind::dropped});
}

void pick_up(State& state, Player& player, const Moment& moment) {
    Drop* nearest = nullptr;
    const double range = moment.setup.rules.pickup_range;
    double best = range * range;
    for (Drop& drop : state.drops) {
        const double away = distance_squared(drop.body.position, player.body.position);
        if (drop.stance != DropStance::floating || away > best || (nearest && away == best)) continue;
        nearest = &drop;
        best = away;
    }
    if (!nearest) return;
    nearest->stance = DropStance::picked_up;
    nearest->since = moment.clock.tick;
    nearest->taker = player.slot;
    contract::add_score(player.score, nearest->value);
    moment.events.add({.position = nearest->body.position,
                       .amount = static_cast<double>(nearest->value),
                       .kind = EventKind::picked_up,
                       .slot = player.slot});
}

void move_drops(State& state, const Moment& moment) {
    for (Drop& drop : state.drops) {
        if (drop.stance == DropStance::picked_up)
            follow_taker(drop, state, moment.setup);
        else if (moment.setup.is_web())
            move_web_drop(drop, moment.setup);
        else
            move_reference_drop(drop, moment.setup);
    }
    state.drops.remove_if([&](const Drop& drop) { return is_over(drop, moment); });
}

}  // namespace instep::worlds::foothold
