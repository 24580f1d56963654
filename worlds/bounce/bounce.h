// SPDX-License-Identifier: MIT
// A small world to copy: balls in a box, of which each player pushes one. A knock against a loose ball
// scores. What it does not say, the engine's defaults do. Lengths are in world units, y points down.
#pragma once

#include <instep/world.h>

namespace instep::worlds::bounce {

using contract::no_player, contract::Slot, math::Vec2, state::field, state::fields;

struct Rules {
    double radius = 3;        // of every ball
    double push = 120;        // acceleration at full push, units/s²
    double drag = 0;          // 1/s
    double restitution = 1;   // 1 keeps all speed in an impact, 0 loses all speed along the normal
    double knock_speed = 10;  // an approach at least this fast scores, units/s
    std::uint32_t tick_rate = 60;
    state::Reserved<4> unused;
};
constexpr auto fields_of(state::Type<Rules>) {
    return fields("Rules", field("radius", &Rules::radius, {.low = 0.1, .high = 100, .unit = "u"}),
                  field("push", &Rules::push, {.low = 0, .high = 10'000, .unit = "u/s²"}),
                  field("drag", &Rules::drag, {.low = 0, .high = 100, .unit = "1/s"}),
                  field("restitution", &Rules::restitution, {.low = 0, .high = 1}),
                  field("knock_speed", &Rules::knock_speed, {.low = 0, .high = 10'000, .unit = "u/s"}),
                  field("tick_rate", &Rules::tick_rate, {.low = 10, .high = 1000, .unit = "Hz"}),
                  field("unused", &Rules::unused));
}
// No drag and nothing lost in an impact: energy and momentum can be checked against the textbook.
inline constexpr Rules faithful{}, game{.drag = 0.6, .restitution = 0.9};
constexpr auto rule_sets(state::Type<Rules>) {
    return contract::RuleSets{contract::RuleSet<Rules>{"faithful", faithful},
                              contract::RuleSet<Rules>{"game", game}};
}

struct Box {
    double width = 160;
    double height = 90;
    std::uint32_t loose_balls = 12;
    std::uint32_t most_players = 16;
};
constexpr auto fields_of(state::Type<Box>) {
    return fields("Box", field("width", &Box::width, {.low = 1, .high = 100'000, .unit = "u"}),
                  field("height", &Box::height, {.low = 1, .high = 100'000, .unit = "u"}),
                  field("loose_balls", &Box::loose_balls, {.low = 0, .high = 1000, .body = "loose ball"}),
                  field("most_players", &Box::most_players, {.low = 1, .high = 64}));
}

struct Setup {
    Rules rules;
    Box box;
};
constexpr auto fields_of(state::Type<Setup>) {
    return fields("Setup", field("rules", &Setup::rules), field("box", &Setup::box));
}

struct Input {
    Vec2 push;  // direction and strength; at most 1 long, plus rounding on the wire
};
constexpr auto fields_of(state::Type<Input>) {
    return fields("Input",
                  field("push", &Input::push,
                        {.low = -1, .high = 1, .precision = 0.001, .control = state::Control::stick}));
}

using Player = contract::BasicPlayer<Input, "balls", "ball">;

struct Ball {
    Vec2 position;
    Vec2 velocity;
    Slot owner = no_player;  // the player that pushes it
    state::Reserved<7> unused;
};
constexpr auto fields_of(state::Type<Ball>) {
    using state::Blend;
    return fields("Ball",
                  field("position", &Ball::position,
                        {.low = 0, .high = 1024, .precision = 0.01, .blend = Blend::linear}),
                  field("velocity", &Ball::velocity,
                        {.low = -512, .high = 512, .precision = 0.01, .blend = Blend::linear}),
                  field("owner", &Ball::owner), field("unused", &Ball::unused));
}

struct State {
    state::Single<contract::Head> head;
    state::Pool<Player> players;
    state::Pool<Ball> balls;
};
inline auto parts_of(state::Type<State>) {
    return state::parts(
        state::head(&State::head),
        state::pool("players", &State::players, [](const Setup& setup) { return setup.box.most_players; },
                    {.owner = &Player::slot, .shown = state::Shown::present}),
        state::pool("balls", &State::balls,
                    [](const Setup& setup) { return setup.box.loose_balls + setup.box.most_players; },
                    {.position = &Ball::position, .owner = &Ball::owner, .shown = state::Shown::present}));
}

enum class EventKind : std::uint8_t { joined, left, wall, knocked };
constexpr auto events_of(state::Type<EventKind>) {
    return contract::event_table<EventKind>({
        {EventKind::joined, "joined", "$slot joined"},
        {EventKind::left, "left", "$slot left"},
        {EventKind::wall, "wall", "", contract::Mood::slight},
        {EventKind::knocked, "knocked", "", contract::Mood::hurt},
    });
}
using Event = contract::EventOf<EventKind, 1024>;  // its strength is the speed at which wall or ball was met

struct World : contract::WorldTypes<Setup, Input, State, Event> {
    static constexpr std::string_view name = "bounce";
    static constexpr std::string_view summary = "balls in a box; push yours against the others";
};

}  // namespace instep::worlds::bounce
