// SPDX-License-Identifier: MIT
// All that changes during a match of bounce, each field described once, beside its struct.
#pragma once

#include <cstdint>

#include <bounce/setup.h>
#include <instep/contract/event_table.h>
#include <instep/contract/tick.h>
#include <instep/math/vec2.h>
#include <instep/state/layout.h>

namespace instep::worlds::bounce {

using contract::Head;
using contract::Mood;
using contract::nobody;
using contract::Slot;
using math::Vec2;

struct Input {
    Vec2 push;  // direction and strength; at most 1 long, plus rounding on the wire
};

constexpr auto fields_of(state::Type<Input>) {
    return fields("Input",
                  field("push", &Input::push,
                        {.low = -1, .high = 1, .precision = 0.001, .control = state::Control::stick}));
}

struct Player {
    contract::PlayerName name;
    Input input;  // the last one applied
    state::Handle ball;
    std::int32_t score = 0;
    Slot slot = 0;
    state::Reserved<3> unused;
};

constexpr auto fields_of(state::Type<Player>) {
    return fields("Player", field("name", &Player::name), field("input", &Player::input),
                  field("ball", &Player::ball), field("score", &Player::score), field("slot", &Player::slot),
                  field("unused", &Player::unused));
}

struct Ball {
    Vec2 position;
    Vec2 velocity;
    Slot owner = nobody;  // the player that pushes it
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
    state::Single<Head> head;
    state::Pool<Player> players;
    state::Pool<Ball> balls;
};

inline auto parts_of(state::Type<State>) {
    return state::parts(
        state::head(&State::head),
        state::pool("players", &State::players, [](const Setup& setup) { return setup.box.most_players; },
                    {.owner = &Player::slot}),
        state::pool("balls", &State::balls,
                    [](const Setup& setup) { return setup.box.loose_balls + setup.box.most_players; },
                    {.position = &Ball::position, .owner = &Ball::owner}));
}

enum class EventKind : std::uint8_t { joined, left, wall, knocked };
inline constexpr auto event_kinds = contract::event_table<EventKind>({
    {EventKind::joined, "joined", "$slot joined"},
    {EventKind::left, "left", "$slot left"},
    {EventKind::wall, "wall", "", Mood::slight},
    {EventKind::knocked, "knocked", "", Mood::hurt},
});

struct Event {
    Vec2 position;
    double speed = 0;  // at which wall or ball was met
    EventKind kind = EventKind::joined;
    Slot slot = nobody;
    state::Reserved<6> unused;
};

constexpr auto fields_of(state::Type<Event>) {
    return fields("Event", field("position", &Event::position, {.low = 0, .high = 1024, .precision = 0.01}),
                  field("speed", &Event::speed, {.low = 0, .high = 1024, .precision = 0.1}),
                  field("kind", &Event::kind, {.labels = event_kinds.labels}), field("slot", &Event::slot),
                  field("unused", &Event::unused));
}

}  // namespace instep::worlds::bounce
