// SPDX-License-Identifier: MIT
// All that changes during a match of flail, each field described once, beside its struct.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include <flail/setup.h>
#include <instep/contract/event_table.h>
#include <instep/contract/rounds.h>
#include <instep/math/units.h>
#include <instep/motion/particle.h>
#include <instep/state/layout.h>

namespace instep::worlds::flail {

using contract::Mood;
using contract::no_player;
using contract::Slot;
using math::Vec2;
using motion::Particle;

struct Input {
    double angle = 0;         // heading, rad, 0 along x
    bool moving = false;      // while the control `go` is held
    bool letting_go = false;  // `first`: a press lets the flail fly, the next one calls it back
    state::Reserved<6> unused;
};

constexpr auto fields_of(state::Type<Input>) {
    using state::field;
    return state::fields("Input",
                         field("angle", &Input::angle,
                               {.low = -math::pi,
                                .high = math::pi,
                                .precision = 0.001,
                                .blend = state::Blend::angle,
                                .control = state::Control::aim}),
                         field("moving", &Input::moving, {.control = state::Control::go}),
                         field("letting_go", &Input::letting_go, {.control = state::Control::first}),
                         field("unused", &Input::unused));
}

struct Player {
    contract::PlayerName name;
    Input input;  // the last one applied; the next press is detected against its bits
    std::array<Particle, most_rope_nodes>
        rope{};              // body first, flail last, of which rules.rope_nodes are in use
    double flail_angle = 0;  // from body to flail, rad
    double health = 0;
    std::int32_t score = 0;
    std::uint32_t flail_size = 0;
    std::uint32_t hit_pause = 0;      // ticks until it can be hit again
    std::uint32_t respawn_pause = 0;  // ticks until it lives again; 0 for the living
    Slot slot = 0;
    bool loose = false;    // the flail flies off its rope
    bool reeling = false;  // the flail was called and is on its way back to its rope
    state::Reserved<1> unused;
    std::uint32_t protection = 0;  // ticks in which it neither strikes nor is struck

    bool fights() const { return alive() && protection == 0; }
    bool alive() const { return respawn_pause == 0; }
    Particle& body() { return rope[0]; }
    const Particle& body() const { return rope[0]; }
};

constexpr auto fields_of(state::Type<Player>) {
    using state::Blend;
    using state::field;
    // clang-format off
    return state::fields("Player",
        field("name", &Player::name),
        field("input", &Player::input),
        field("rope", &Player::rope, {.low = -8192, .high = 8192, .precision = 0.01, .blend = Blend::linear}),
        field("flail_angle", &Player::flail_angle, {.low = -math::pi, .high = math::pi, .precision = 0.001, .blend = Blend::angle}),
        field("health", &Player::health, {.low = 0, .high = 128, .precision = 0.25}),
        field("score", &Player::score),
        field("flail_size", &Player::flail_size),
        field("hit_pause", &Player::hit_pause),
        field("respawn_pause", &Player::respawn_pause),
        field("slot", &Player::slot),
        field("loose", &Player::loose),
        field("reeling", &Player::reeling),
        field("unused", &Player::unused),
        field("protection", &Player::protection));
    // clang-format on
}

// The king of a game: the living player that leads with at least one kill.
inline const Player* king_of(const state::Pool<Player>& players) {
    const Player* leader = contract::leader_of(players);
    return leader && leader->score > 0 && leader->alive() ? leader : nullptr;
}

inline std::span<Particle> rope_of(Player& player, const Setup& setup) {
    return std::span(player.rope).first(setup.rules.rope_nodes);
}
inline std::span<const Particle> rope_of(const Player& player, const Setup& setup) {
    return std::span(player.rope).first(setup.rules.rope_nodes);
}

struct State {
    state::Single<contract::RoundHead> head;
    state::Pool<Player> players;
};

inline auto parts_of(state::Type<State>) {
    return state::parts(
        state::head(&State::head),
        state::pool("players", &State::players, [](const Setup& setup) { return setup.map.most_players; },
                    {.position = {&Player::rope, &Particle::position},
                     .owner = &Player::slot,
                     .shown = state::Shown::present}));
}

enum class EventKind : std::uint8_t {
    joined,
    left,
    hit,
    died,
    respawned,
    let_go,
    called_back,
    clash,
    crowned,
    won,
    drawn,
    restarted,
};
inline constexpr auto event_kinds = contract::event_table<EventKind>({
    {EventKind::joined, "joined", "$slot joined"},
    {EventKind::left, "left", "$slot left"},
    {EventKind::hit, "hit", "$slot was hit[ by $by]", Mood::hurt},
    {EventKind::died, "died", "$slot died[ by the flail of $by]", Mood::grave},
    {EventKind::respawned, "respawned", "$slot is back"},
    {EventKind::let_go, "let_go"},
    {EventKind::called_back, "called_back"},
    {EventKind::clash, "clash"},
    {EventKind::crowned, "crowned", "$slot is king", Mood::good},
    {EventKind::won, "won", "$slot won the round", Mood::good},
    {EventKind::drawn, "drawn", "the round is a draw"},
    {EventKind::restarted, "restarted", "a new round begins"},
});

struct Event {
    Vec2 position;
    double amount = 0;  // health that a hit took
    EventKind kind = EventKind::joined;
    Slot slot = no_player;  // the player concerned
    Slot by = no_player;    // the player that did it
    state::Reserved<5> unused;
};

constexpr auto fields_of(state::Type<Event>) {
    using state::field;
    return state::fields(
        "Event", field("position", &Event::position, {.low = -8192, .high = 8192, .precision = 0.1}),
        field("amount", &Event::amount, {.low = 0, .high = 128, .precision = 0.25}),
        field("kind", &Event::kind, {.labels = event_kinds.labels}), field("slot", &Event::slot),
        field("by", &Event::by), field("unused", &Event::unused));
}

}  // namespace instep::worlds::flail
