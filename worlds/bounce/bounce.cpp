// SPDX-License-Identifier: MIT
// What happens in a tick of bounce; `step` at the end of the file is the list of its phases.
#include <bounce/bounce.h>

#include <cmath>

#include <instep/game.h>

namespace instep::worlds::bounce {
namespace {

Vec2 random_position(State& state, const Setup& setup) {
    const double radius = setup.rules.radius;
    const double x = state.head->random.uniform(radius, setup.box.width - radius);
    const double y = state.head->random.uniform(radius, setup.box.height - radius);
    return {x, y};
}

void score_knock(State& state, const Setup& setup, const Ball& striker, const Ball& struck, double speed,
                 Events& events) {
    if (striker.owner == no_player || struck.owner != no_player || speed < setup.rules.knock_speed) return;
    if (Player* player = contract::find_player(state.players, striker.owner))
        contract::add_score(player->score, 1);
    events.add(
        {.position = struck.position, .speed = speed, .kind = EventKind::knocked, .slot = striker.owner});
}

// Balls of equal mass exchange the part of their velocities along the line between them, and are moved apart
// by half of their overlap each, so momentum stays whatever the restitution is.
void collide(State& state, const Setup& setup, Ball& a, Ball& b, Events& events) {
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

void hold_in_box(Ball& ball, const Setup& setup, Events& events) {
    const auto& [radius, push, drag, restitution, knock_speed, tick_rate, unused] = setup.rules;
    const double x_speed =
        hold_between(ball.position.x, ball.velocity.x, radius, setup.box.width - radius, restitution);
    const double y_speed =
        hold_between(ball.position.y, ball.velocity.y, radius, setup.box.height - radius, restitution);
    const double speed = x_speed > y_speed ? x_speed : y_speed;
    if (speed > 0)
        events.add({.position = ball.position, .speed = speed, .kind = EventKind::wall, .slot = ball.owner});
}

}  // namespace

state::Result<void> check(const Setup& setup) {
    if (std::min(setup.box.width, setup.box.height) >= 2 * setup.rules.radius) return {};
    return state::refuse(
        "box", "is smaller than one ball: expected a width and a height of at least twice rules.radius");
}

contract::Facts facts(const Setup& setup) {
    return {.tick_rate = setup.rules.tick_rate,
            .snapshot_every = setup.rules.tick_rate >= 20 ? setup.rules.tick_rate / 20 : 1,
            .teleport_distance = 20,
            .most_players = setup.box.most_players,
            .most_events = 256,
            .view_high = {setup.box.width, setup.box.height}};
}

void start(State& state, const Setup& setup) {
    for (std::uint32_t i = 0; i < setup.box.loose_balls; ++i)
        state.balls.add({.position = random_position(state, setup)});
}

void join(State& state, const Setup& setup, Player& player, Events& events) {
    const Ball* ball = state.balls.add({.position = random_position(state, setup), .owner = player.slot});
    if (!ball) return;  // only in a state that no match reaches
    player.ball = state.balls.handle_of(*ball);
    events.add({.position = ball->position, .kind = EventKind::joined, .slot = player.slot});
}

void leave(State& state, const Setup&, const Player& player, Events& events) {
    const Ball* ball = state.balls.find(player.ball);
    if (!ball) return;
    events.add({.position = ball->position, .kind = EventKind::left, .slot = player.slot});
    state.balls.remove_at(static_cast<std::uint32_t>(ball - state.balls.begin()));
    for (Ball& copy : state.balls)  // made in the sandbox
        if (copy.owner == player.slot) copy.owner = no_player;
}

void step(State& state, const Setup& setup, Events& events) {
    const double dt = 1.0 / setup.rules.tick_rate;
    const double kept = 1 / (1 + dt * setup.rules.drag);
    for (const Player& player : state.players)
        if (Ball* ball = state.balls.find(player.ball))
            ball->velocity += player.input.push * (setup.rules.push / setup.rules.tick_rate);
    for (Ball& ball : state.balls) {
        ball.velocity *= kept;
        ball.position += ball.velocity * dt;
    }
    for (std::uint32_t i = 0; i < state.balls.size(); ++i)
        for (std::uint32_t j = i + 1; j < state.balls.size(); ++j)
            collide(state, setup, state.balls[i], state.balls[j], events);
    for (Ball& ball : state.balls)
        hold_in_box(ball, setup, events);  // last: a state always ends inside the box
}

// Runs at the nearest loose ball, aiming at where it will be by the time it is reached.
Input bot(const State& state, const Setup&, Slot slot) {
    const Player* player = contract::find_player(state.players, slot);
    const Ball* own = player ? state.balls.find(player->ball) : nullptr;
    if (!own) return {};
    const Ball* target = nullptr;
    for (const Ball& ball : state.balls)
        if (ball.owner == no_player && (!target || distance_squared(ball.position, own->position) <
                                                       distance_squared(target->position, own->position)))
            target = &ball;
    if (!target) return {};
    const double pace = 40;  // units/s, about the speed that a bot reaches
    const double seconds = std::sqrt(distance_squared(target->position, own->position)) / pace;
    return {normalized_or_zero(target->position + target->velocity * seconds - own->position -
                               own->velocity * 0.2)};
}

std::vector<std::string> bodies(state::Type<Setup>, const state::Json&) { return {"loose ball"}; }

// A level says only how many there are; where they begin is chance.
state::Result<state::Json> with_body(state::Type<Setup>, const state::Json& level, std::string_view body,
                                     Vec2) {
    if (body != "loose ball") return state::refuse(std::string(body), "expected \"loose ball\"");
    const auto setup = contract::default_load<Setup>(level, "level");
    if (!setup) return std::unexpected(setup.error());
    return contract::with_number(level, "box", "loose_balls", setup->box.loose_balls + 1);
}

}  // namespace instep::worlds::bounce

INSTEP_WORLD(instep::worlds::bounce::World)
