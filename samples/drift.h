// SPDX-License-Identifier: MIT
// A whole world: pucks on ice, each pushed by its player. Joins, legal inputs, legal states, the picture,
// bots and the wire format have defaults, which know the fields from their lists.
#pragma once

#include <instep/game.h>

namespace drift {
using namespace instep;
using math::Vec2;
using state::field;
using state::fields;

struct Rules {          // what a level may set
    double push = 60;   // units/s²
    double grip = 0.5;  // 1/s
    double radius = 2;
};
constexpr auto fields_of(state::Type<Rules>) {
    return fields("Rules", field("push", &Rules::push, {.low = 0, .high = 500, .unit = "u/s2"}),
                  field("grip", &Rules::grip, {.low = 0, .high = 20, .unit = "1/s"}),
                  field("radius", &Rules::radius, {.low = 0.1, .high = 10, .unit = "u"}));
}
using Setup = contract::RulesOnly<Rules>;

struct Input {  // what a player asks for in one tick
    Vec2 push;
};
constexpr auto fields_of(state::Type<Input>) {
    return fields("Input",
                  field("push", &Input::push,
                        {.low = -1, .high = 1, .precision = 0.001, .control = state::Control::stick}));
}

struct Player {
    contract::PlayerName name;
    Input input;
    Vec2 position{50, 50};
    Vec2 velocity;
    std::int32_t score = 0;
    contract::Slot slot = 0;
    state::Reserved<3> unused;
};
constexpr auto fields_of(state::Type<Player>) {
    using state::Blend;
    return fields("Player", field("name", &Player::name), field("input", &Player::input),
                  field("position", &Player::position,
                        {.low = 0, .high = 100, .precision = 0.01, .blend = Blend::linear}),
                  field("velocity", &Player::velocity, {.low = -500, .high = 500, .precision = 0.01}),
                  field("score", &Player::score), field("slot", &Player::slot),
                  field("unused", &Player::unused));
}

struct State {  // one flat block: saving it is copying it
    state::Single<contract::Head> head;
    state::Pool<Player> players;
};
inline auto parts_of(state::Type<State>) {
    return state::parts(state::head(&State::head),
                        state::pool("players", &State::players, [](const Setup&) { return 8u; },
                                    {.position = &Player::position, .owner = &Player::slot}));
}

struct World : contract::WorldTypes<Setup, Input, State> {
    static constexpr std::string_view name = "drift";
    static constexpr std::string_view summary = "pucks on ice";
};

inline void step(State& state, const Setup& setup, contract::Events<World::Event>&) {
    constexpr double dt = 1.0 / 60;
    for (Player& player : state.players) {
        player.velocity += player.input.push * (setup.rules.push * dt);
        player.velocity *= 1 / (1 + setup.rules.grip * dt);
        player.position += player.velocity * dt;
        const Vec2 inside = motion::Box{{0, 0}, {100, 100}}.clamp(player.position);
        if (inside.x != player.position.x) player.velocity.x = -player.velocity.x;
        if (inside.y != player.position.y) player.velocity.y = -player.velocity.y;
        player.position = inside;
    }
}

constexpr std::string_view level = R"({"world": "drift", "name": "pond", "rules": {"grip": 0.3}})";

}  // namespace drift

INSTEP_WORLD(drift::World)
