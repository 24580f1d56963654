// SPDX-License-Identifier: MIT
// What happens in bounce: the functions that the engine calls, `step` once a tick.
#include <bounce/bounce.h>

#include <instep/game.h>

namespace instep::worlds::bounce {

using Events = contract::Events<Event>;

motion::Box bounds(const Setup& setup) { return {{0, 0}, {setup.box.width, setup.box.height}}; }

state::Result<void> check(const Setup& setup) {
    if (std::min(setup.box.width, setup.box.height) >= 2 * setup.rules.radius) return {};
    return state::refuse(
        "box", "is smaller than one ball: expected a width and a height of at least twice rules.radius");
}

static Ball* add_ball(State& state, const Setup& setup, Slot owner) {
    const motion::Box inside = bounds(setup).shrunk(setup.rules.radius);
    return state.balls.add({.position = inside.random_point(state.head->random), .owner = owner});
}

void start(State& state, const Setup& setup) {
    for (std::uint32_t i = 0; i < setup.box.loose_balls; ++i) add_ball(state, setup, no_player);
}

void join(State& state, const Setup& setup, Player& player, Events&) {
    if (const Ball* ball = add_ball(state, setup, player.slot)) player.own = state.balls.handle_of(*ball);
}

static void score_knock(State& state, const Setup& setup, const Ball& striker, const Ball& struck,
                        double speed, Events& events) {
    if (striker.owner == no_player || struck.owner != no_player || speed < setup.rules.knock_speed) return;
    if (Player* player = contract::find_player(state.players, striker.owner))
        contract::add_score(player->score, 1);
    events.add(
        {.position = struck.position, .strength = speed, .kind = EventKind::knocked, .slot = striker.owner});
}

void step(State& state, const Setup& setup, Events& events) {
    const auto& [radius, push, drag, restitution, knock_speed, tick_rate, unused] = setup.rules;
    const double dt = 1.0 / tick_rate;
    const double kept = 1 / (1 + dt * drag);
    for (const Player& player : state.players)
        if (Ball* ball = state.balls.find(player.own))
            ball->velocity += player.input.push * (push / tick_rate);
    for (Ball& ball : state.balls) {
        ball.velocity *= kept;
        ball.position += ball.velocity * dt;
    }
    for (std::uint32_t i = 0; i < state.balls.size(); ++i)
        for (std::uint32_t j = i + 1; j < state.balls.size(); ++j) {
            Ball &a = state.balls[i], &b = state.balls[j];
            const auto contact = motion::collide_discs(a, b, 2 * radius, {.restitution = restitution});
            if (contact.approach <= 0) continue;
            score_knock(state, setup, a, b, contact.approach, events);
            score_knock(state, setup, b, a, contact.approach, events);
        }
    const motion::Box inside = bounds(setup).shrunk(radius);
    for (Ball& ball : state.balls) {  // last: a state always ends inside the box
        const double speed = motion::rebound(inside, ball.position, ball.velocity, restitution);
        if (speed > 0)
            events.add(
                {.position = ball.position, .strength = speed, .kind = EventKind::wall, .slot = ball.owner});
    }
}

// Runs at the nearest loose ball, aiming at where it will be by the time it is reached.
Input bot(const State& state, const Setup&, Slot slot) {
    const Player* player = contract::find_player(state.players, slot);
    const Ball* own = player ? state.balls.find(player->own) : nullptr;
    if (!own) return {};
    const Ball* target = contract::nearest(state.balls, own->position,
                                           [](const Ball& ball) { return ball.owner == no_player; });
    if (!target) return {};
    const double pace = 40;  // units/s, about the speed that a bot reaches
    const double seconds = std::sqrt(distance_squared(target->position, own->position)) / pace;
    return {normalized_or_zero(target->position + target->velocity * seconds - own->position -
                               own->velocity * 0.2)};
}

}  // namespace instep::worlds::bounce

INSTEP_WORLD(instep::worlds::bounce::World)
