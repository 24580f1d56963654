// SPDX-License-Identifier: MIT
// The picture of bounce, and how its bots play.
#include <cmath>

#include <instep/worlds/bounce/bounce.h>

namespace instep::worlds::bounce {

void view(const State& state, const Setup& setup, const contract::DrawTimes&, contract::DrawList& list) {
    const double w = setup.box.width;
    const double h = setup.box.height;
    const Vec2 walls[] = {{0, 0}, {w, 0}, {w, h}, {0, h}, {0, 0}};
    list.polyline(walls, 0.5, contract::palette::faint);
    for (const Ball& ball : state.balls) {
        list.belongs_to(&ball);
        const bool loose = ball.owner == nobody;
        list.disc(ball.position, setup.rules.radius,
                  loose ? contract::palette::ink : contract::palette::player(ball.owner));
    }
    for (const Player& player : state.players)
        if (const Ball* ball = state.balls.find(player.ball)) {
            list.belongs_to(ball);
            list.label(ball->position - Vec2{0, setup.rules.radius + 1}, 3, player.name.view(),
                       contract::palette::ink);
        }
}

// Runs at the nearest loose ball, aiming at where it will be by the time it is reached.
Input bot(const State& state, const Setup& setup, contract::Slot slot) {
    const Ball* own = nullptr;
    for (const Ball& ball : state.balls)
        if (ball.owner == slot) own = &ball;
    if (!own) return {};

    const Ball* target = nullptr;
    double nearest = 0;
    for (const Ball& ball : state.balls) {
        const double squared = distance_squared(ball.position, own->position);
        if (ball.owner == nobody && (!target || squared < nearest)) {
            target = &ball;
            nearest = squared;
        }
    }
    if (!target) return {};
    const double pace = 40;  // units/s, about the speed that a bot reaches
    const double seconds = std::sqrt(nearest) / pace;
    Input input{normalized_or_zero(target->position + target->velocity * seconds - own->position -
                                   own->velocity * 0.2)};
    sanitize(input, setup);
    return input;
}

}  // namespace instep::worlds::bounce
