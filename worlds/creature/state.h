// SPDX-License-Identifier: MIT
// All that changes during a match of creature, each field described once, beside its struct.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include <creature/foot.h>
#include <creature/setup.h>
#include <instep/contract/event_table.h>
#include <instep/contract/rounds.h>
#include <instep/motion/grid.h>
#include <instep/motion/particle.h>
#include <instep/state/layout.h>

namespace instep::worlds::creature {

using contract::Mood;
using contract::no_player;
using contract::Slot;
using motion::Particle;

struct Input {
    Vec2 pointer;            // where to, u
    bool next_body = false;  // a press chooses the next plan
    state::Reserved<7> unused;
};

constexpr auto fields_of(state::Type<Input>) {
    using state::field;
    return state::fields("Input",
                         field("pointer", &Input::pointer,
                               {.low = -2048,
                                .high = 2048,
                                .precision = 0.5,
                                .blend = state::Blend::linear,
                                .control = state::Control::pointer}),
                         field("next_body", &Input::next_body, {.control = state::Control::first}),
                         field("unused", &Input::unused));
}

struct Player {
    contract::PlayerName name;
    Input input;  // the last one applied
    state::Handle creature;
    std::int32_t score = 0;
    std::uint32_t plan = 0;
    std::uint32_t respawn_pause = 0;  // ticks until it is born again; 0 for the living
    Slot slot = 0;
    state::Reserved<3> unused;
};

constexpr auto fields_of(state::Type<Player>) {
    using state::field;
    return state::fields("Player", field("name", &Player::name), field("input", &Player::input),
                         field("creature", &Player::creature), field("score", &Player::score),
                         field("plan", &Player::plan), field("respawn_pause", &Player::respawn_pause),
                         field("slot", &Player::slot), field("unused", &Player::unused));
}

// What an anchor remembers from one tick to the next.
struct Anchor {
    Vec2 target;                  // the point it heads for, if it wanders; else the middle of its path
    Vec2 heading;                 // a direction, from the head towards the tail
    double wander_direction = 0;  // rad
};

constexpr auto fields_of(state::Type<Anchor>) {
    using state::Blend;
    using state::field;
    return state::fields("Anchor",
                         field("target", &Anchor::target,
                               {.low = -4096, .high = 4096, .precision = 0.05, .blend = Blend::linear}),
                         field("heading", &Anchor::heading,
                               {.low = -1, .high = 1, .precision = 0.001, .blend = Blend::linear}),
                         field("wander_direction", &Anchor::wander_direction,
                               {.low = -4, .high = 4, .precision = 0.001, .blend = Blend::angle}));
}

struct Body {
    std::array<Particle, most_nodes> nodes{};  // velocity is per tick; those that are not there yet are zero
    std::array<Foot, most_limbs> feet{};       // one a limb
    std::array<Anchor, most_anchors> anchors{};
    std::uint32_t plan = 0;
    std::uint32_t meals = 0;       // eaten and not lost again: how much of the tail has come out
    std::uint32_t bite_pause = 0;  // ticks until it can be bitten
    Slot owner = no_player;
    state::Reserved<3> unused;
};

constexpr auto fields_of(state::Type<Body>) {
    using state::Blend;
    using state::field;
    // clang-format off
    return state::fields("Body",
        field("nodes", &Body::nodes, {.low = -4096, .high = 4096, .precision = 0.05, .blend = Blend::linear}),
        field("feet", &Body::feet, {.low = -4096, .high = 4096, .precision = 0.05, .blend = Blend::linear}),
        field("anchors", &Body::anchors),
        field("plan", &Body::plan),
        field("meals", &Body::meals),
        field("bite_pause", &Body::bite_pause),
        field("owner", &Body::owner),
        field("unused", &Body::unused));
    // clang-format on
}

struct Mote {
    Vec2 position;
};

constexpr auto fields_of(state::Type<Mote>) {
    return state::fields(
        "Mote", state::field("position", &Mote::position, {.low = -4096, .high = 4096, .precision = 0.5}));
}

struct State {
    state::Single<contract::RoundHead> head;
    state::Pool<Player> players;
    state::Pool<Body> creatures;  // residents first, in the setup's order; they never go
    state::Pool<Mote> motes;
    state::Pool<motion::ScratchBlock>
        scratch;  // memory for the step; always empty, so neither saved nor hashed
};

inline auto parts_of(state::Type<State>) {
    return state::parts(
        state::head(&State::head),
        state::pool("players", &State::players,
                    [](const Setup& setup) { return setup.playground.most_players; },
                    {.owner = &Player::slot}),
        state::pool("creatures", &State::creatures,
                    [](const Setup& setup) { return setup.playground.most_creatures; },
                    {.position = {&Body::nodes, &Particle::position}, .owner = &Body::owner}),
        state::pool("motes", &State::motes, [](const Setup& setup) { return setup.playground.motes; },
                    {.position = &Mote::position}),
        state::pool("scratch", &State::scratch,
                    [](const Setup& setup) { return motion::scratch_blocks_for(setup.most_circles()); }));
}

inline motion::Scratch scratch_of(State& state) {
    return motion::Scratch({state.scratch.begin(), state.scratch.capacity()});
}

enum class EventKind : std::uint8_t {
    joined,
    left,
    ate,
    grew,
    bitten,
    died,
    respawned,
    changed,
    won,
    drawn,
    restarted,
};
inline constexpr auto event_kinds = contract::event_table<EventKind>({
    {EventKind::joined, "joined", "$slot joined"},
    {EventKind::left, "left", "$slot left"},
    {EventKind::ate, "ate", "", Mood::good},
    {EventKind::grew, "grew", "$slot grew", Mood::good},
    {EventKind::bitten, "bitten", "$slot was bitten[ by $by]", Mood::hurt},
    {EventKind::died, "died", "$slot died", Mood::grave},
    {EventKind::respawned, "respawned", "$slot is back"},
    {EventKind::changed, "changed", "$slot has another body", Mood::slight},
    {EventKind::won, "won", "$slot won the round", Mood::good},
    {EventKind::drawn, "drawn", "the round is a draw"},
    {EventKind::restarted, "restarted", "a new round begins"},
});

struct Event {
    Vec2 position;
    EventKind kind = EventKind::joined;
    Slot slot = no_player;  // the player concerned
    Slot by = no_player;    // the player that did it
    state::Reserved<5> unused;
};

constexpr auto fields_of(state::Type<Event>) {
    using state::field;
    return state::fields(
        "Event", field("position", &Event::position, {.low = -4096, .high = 4096, .precision = 0.5}),
        field("kind", &Event::kind, {.labels = event_kinds.labels}), field("slot", &Event::slot),
        field("by", &Event::by), field("unused", &Event::unused));
}

}  // namespace instep::worlds::creature
