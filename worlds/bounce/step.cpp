// SPDX-License-Identifier: MIT
// One tick of bounce. The step at the end of the file is the list of its phases in the order in which they
// run.
#include <cmath>

#include <bounce/bounce.h>
#include <instep/contract/players.h>

namespace instep::worlds::bounce {
namespace {

using contract::Events;
using contract::find_player;
using contract::Tick;

Vec2 random_position(State& state, const Setup& setup) {
    const double radius = setup.rules.radius;
    const double x = state.head->random.uniform(radius, setup.box.width - radius);
    const double y = state.head->random.uniform(radius, setup.box.height - radius);
    return {x, y};
}

void take_leaves_and_joins(State& state, const Setup& setup, const Tick<Input>& tick, Events<Event>& events) {
    const auto leave = [&](const Player& player) {
        const Ball* ball = state.balls.find(player.ball);
        events.add({.position = ball->position, .kind = EventKind::left, .slot = player.slot});
        state.balls.remove_at(static_cast<std::uint32_t>(ball - state.balls.begin()));
    };
    const auto enter = [&](Player& player, const contract::Join&) {
        const Ball* ball = state.balls.add({.position = random_position(state, setup), .owner = player.slot});
        player.ball = state.balls.handle_of(*ball);
        events.add({.position = ball->position, .kind = EventKind::joined, .slot = player.slot});
    };
    contract::take_leaves_and_joins(state.players, tick, leave, enter);
}

void push_balls(State& state, const Setup& setup, const Tick<Input>& tick) {
    const double speed_gain = setup.rules.push / setup.rules.tick_rate;
    for (Player& player : state.players) {
        player.input = tick.inputs[player.slot];
        if (Ball* ball = state.balls.find(player.ball)) ball->velocity += player.input.push * speed_gain;
    }
}

void move_balls(State& state, const Setup& setup) {
    const double dt = 1.0 / setup.rules.tick_rate;
    const double kept = 1 / (1 + dt * setup.rules.drag);
    for (Ball& ball : state.balls) {
        ball.velocity *= kept;
        ball.position += ball.velocity * dt;
    }
}

void score_knock(State& state, const Setup& setup, const Ball& striker, const Ball& struck, double speed,
                 Events<Event>& events) {
    if (striker.owner == nobody || struck.owner != nobody || speed < setup.rules.knock_speed) return;
    if (Player* player = find_player(state.players, striker.owner)) contract::add_score(player->score, 1);
    events.add(
        {.position = struck.position, .speed = speed, .kind = EventKind::knocked, .slot = striker.owner});
}

// Balls of equal mass exchange the part of their velocities along the line between them, and are moved apart
// by half of their overlap each, so momentum stays whatever the restitution is.
void collide(State& state, const Setup& setup, Ball& a, Ball& b, Events<Event>& events) {
    const Vec2 between = b.position - a.position;
    const double reach = 2 * setup.rules.radius;
    const double squared = length_squared(between);
    if (squared >= reach * reach) return;
    const double distance = std::sqrt(squared);
    const Vec2 normal = distance > 0 ? between / distance : Vec2{1, 0};

    const Vec2 apart = normal * ((reach - distance) / 2);
    a.position -= apart;
    b.position += apart;

    const double approach = dot(a.velocity - b.velocity, normal);
    if (approach <= 0) return;
    const Vec2 impulse = normal * (approach * (1 + setup.rules.restitution) / 2);
    a.velocity -= impulse;
    b.velocity += impulse;
    score_knock(state, setup, a, b, approach, events);
    score_knock(state, setup, b, a, approach, events);
}

void collide_balls(State& state, const Setup& setup, Events<Event>& events) {
    for (std::uint32_t i = 0; i < state.balls.size(); ++i)
        for (std::uint32_t j = i + 1; j < state.balls.size(); ++j)
            collide(state, setup, state.balls[i], state.balls[j], events);
}

// One axis of one ball; the speed at which it met a wall, or 0.
double hold_between(double& position, double& velocity, double low, double high, double restitution) {
    const double held = position < low ? low : position > high ? high : position;
    if (held == position) return 0;
    const bool outward = position < low ? velocity < 0 : velocity > 0;
    position = held;
    if (!outward) return 0;
    const double speed = std::abs(velocity);
    velocity *= -restitution;
    return speed;
}

// Last of the phases, so that a state always ends inside the box.
void hold_in_box(State& state, const Setup& setup, Events<Event>& events) {
    const Rules& rules = setup.rules;
    for (Ball& ball : state.balls) {
        const double x_speed = hold_between(ball.position.x, ball.velocity.x, rules.radius,
                                            setup.box.width - rules.radius, rules.restitution);
        const double y_speed = hold_between(ball.position.y, ball.velocity.y, rules.radius,
                                            setup.box.height - rules.radius, rules.restitution);
        if (x_speed > 0 || y_speed > 0)
            events.add({.position = ball.position,
                        .speed = x_speed > y_speed ? x_speed : y_speed,
                        .kind = EventKind::wall,
                        .slot = ball.owner});
    }
}

bool is_finite(Vec2 v) { return std::abs(v.x) < 1e100 && std::abs(v.y) < 1e100; }  // false for NaN as well

// A state may come from the wire, where positions and pushes are off by up to one and a half steps of their
// precision.
constexpr double position_slack = 0.02;
constexpr double longest_push_squared = 1.01;

}  // namespace

contract::Facts facts(const Setup& setup) {
    return {.tick_rate = setup.rules.tick_rate,
            .snapshot_every = setup.rules.tick_rate >= 20 ? setup.rules.tick_rate / 20 : 1,
            .teleport_distance = 20,
            .most_players = setup.box.most_players,
            .most_events = 256,
            .y_up = false,
            .view_low = {0, 0},
            .view_high = {setup.box.width, setup.box.height}};
}

void start(State& state, const Setup& setup) {
    for (std::uint32_t i = 0; i < setup.box.loose_balls; ++i)
        state.balls.add({.position = random_position(state, setup)});
}

bool sanitize(Input& input, const Setup&) {
    if (!is_finite(input.push)) return false;
    if (length_squared(input.push) > longest_push_squared) input.push = normalized_or_zero(input.push);
    return true;
}

state::Result<void> validate(const State& state, const Setup& setup) {
    const double margin = setup.rules.radius - position_slack;
    if (auto checked = contract::validate_common(state, setup.box.most_players); !checked) return checked;
    for (const Ball& ball : state.balls) {
        const bool inside = ball.position.x >= margin && ball.position.x <= setup.box.width - margin &&
                            ball.position.y >= margin && ball.position.y <= setup.box.height - margin;
        if (!inside) return state::refuse("balls", "one is outside the box");
        if (!is_finite(ball.velocity)) return state::refuse("balls", "one has no finite velocity");
    }
    for (const Player& player : state.players) {
        Input input = player.input;
        if (!sanitize(input, setup) || !(input.push == player.input.push))
            return state::refuse("players", "one has an input that sanitize would change");
        const Ball* ball = state.balls.find(player.ball);
        if (!ball || ball->owner != player.slot)
            return state::refuse("players", "one has no ball of its own");
    }
    if (state.balls.size() != state.players.size() + setup.box.loose_balls)
        return state::refuse("balls", "there are more or fewer than the level and the players have");
    return {};
}

void step(State& state, const Setup& setup, const Tick<Input>& tick, Events<Event>& events) {
    take_leaves_and_joins(state, setup, tick, events);
    push_balls(state, setup, tick);
    move_balls(state, setup);
    collide_balls(state, setup, events);
    hold_in_box(state, setup, events);
    ++state.head->tick;
}

}  // namespace instep::worlds::bounce
