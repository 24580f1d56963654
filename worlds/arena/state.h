// SPDX-License-Identifier: MIT
// All that changes during a match of arena, each field described once, beside its struct.
#pragma once

#include <cstdint>

#include <arena/setup.h>
#include <instep/contract/event_table.h>
#include <instep/contract/tick.h>
#include <instep/math/random.h>
#include <instep/rigid/space.h>
#include <instep/state/layout.h>

namespace instep::worlds::arena {

using contract::Mood;
using contract::no_player;
using contract::Slot;

// The document's four keys.
struct Input {
    bool thrust = false;
    bool left = false;  // wins over right
    bool right = false;
    bool fire = false;
};

constexpr auto fields_of(state::Type<Input>) {
    using state::Control;
    using state::field;
    return state::fields("Input", field("thrust", &Input::thrust, {.control = Control::up}),
                         field("left", &Input::left, {.control = Control::left}),
                         field("right", &Input::right, {.control = Control::right}),
                         field("fire", &Input::fire, {.control = Control::first}));
}

// What a rigid body carries from one tick to the next.
struct Flight {
    Vec2 position;
    Vec2 velocity;     // u/s
    double angle = 0;  // rad; goes on beyond a full turn, up to largest_angle
    double spin = 0;   // rad/s
};

constexpr auto motion_of(state::Type<Flight>) {
    return rigid::MotionMembers<Flight>{&Flight::position, &Flight::velocity, &Flight::angle, &Flight::spin};
}

inline constexpr double largest_angle = 1e6;  // rad; beyond it angles are wrapped, so that they stay precise

// A shot moves by whole steps of the position's grid in a tick: its velocity is made of steps that are 60
// times as wide (shot_from in step.cpp). Its first snapshot then stays exact without corrections.
inline constexpr double position_precision = 1.0 / 1200;  // u
inline constexpr double velocity_precision = 1.0 / 20;    // u/s

constexpr auto fields_of(state::Type<Flight>) {
    using state::Blend;
    using state::field;
    // clang-format off
    return state::fields("Flight",
        field("position", &Flight::position, {.low = -2048, .high = 2048, .precision = position_precision, .blend = Blend::linear, .unit = "u"}),
        field("velocity", &Flight::velocity, {.low = -128, .high = 128, .precision = velocity_precision, .blend = Blend::linear, .unit = "u/s"}),
        field("angle", &Flight::angle, {.low = -4096, .high = 4096, .precision = 1.0 / 4096, .blend = Blend::angle, .unit = "rad"}),
        field("spin", &Flight::spin, {.low = -128, .high = 128, .precision = 1.0 / 1024, .blend = Blend::linear, .unit = "rad/s"}));
    // clang-format on
}

struct Head {
    std::uint64_t tick = 0;
    math::Random random;
    std::uint32_t match = 0;       // how many there were before
    std::uint32_t ticks_left = 0;  // of the match, or of its scoreboard
    bool showing_scores = false;   // between two matches
    state::Reserved<7> unused;
};

constexpr auto fields_of(state::Type<Head>) {
    using state::field;
    return state::fields("Head", field("tick", &Head::tick), field("random", &Head::random),
                         field("match", &Head::match), field("ticks_left", &Head::ticks_left),
                         field("showing_scores", &Head::showing_scores), field("unused", &Head::unused));
}

inline constexpr std::uint32_t no_body = 0xFFFFFFFF;

struct Player {
    contract::PlayerName name;
    Flight ship;
    double heat = 0;
    std::int32_t score = 0;
    std::int32_t health = 0;
    std::uint32_t kills = 0;  // of this match
    std::uint32_t deaths = 0;
    std::uint32_t fire_pause = 0;     // ticks until it may fire again
    std::uint32_t respawn_pause = 0;  // ticks until it flies again; 0 for the living
    Input input;                      // the last one applied
    Slot slot = 0;
    bool overheated = false;
    Slot attacker = no_player;  // whose shot hit it last; no_player once claim_ticks are over
    Weapon weapon = Weapon::cannon;
    std::uint32_t identity = 0;     // Join::player
    std::uint32_t claim_ticks = 0;  // in which the attacker still gets the kill
    std::uint32_t met = no_body;    // the body that it collided with last
    std::uint32_t met_ticks = 0;    // in which meeting it again is the same touch
    std::uint32_t ammunition = 0;   // salvos of a weapon that was picked up; 0: it has the cannon
    state::Reserved<4> unused;

    bool alive() const { return respawn_pause == 0; }
};

constexpr auto fields_of(state::Type<Player>) {
    using state::field;
    // clang-format off
    return state::fields("Player",
        field("name", &Player::name),
        field("ship", &Player::ship),
        field("heat", &Player::heat, {.low = 0, .high = 256, .precision = 1.0 / 64}),
        field("score", &Player::score),
        field("health", &Player::health),
        field("kills", &Player::kills),
        field("deaths", &Player::deaths),
        field("fire_pause", &Player::fire_pause),
        field("respawn_pause", &Player::respawn_pause),
        field("input", &Player::input),
        field("slot", &Player::slot),
        field("overheated", &Player::overheated),
        field("attacker", &Player::attacker),
        field("weapon", &Player::weapon, {.labels = weapon_names}),
        field("identity", &Player::identity),
        field("claim_ticks", &Player::claim_ticks),
        field("met", &Player::met),
        field("met_ticks", &Player::met_ticks),
        field("ammunition", &Player::ammunition),
        field("unused", &Player::unused));
    // clang-format on
}

// A player that left during this match, as it would be had it stayed without a ship: roster.h.
struct Departed {
    Player player;
    std::uint32_t away_ticks = 0;
    state::Reserved<4> unused;
};

constexpr auto fields_of(state::Type<Departed>) {
    using state::field;
    return state::fields("Departed", field("player", &Departed::player),
                         field("away_ticks", &Departed::away_ticks), field("unused", &Departed::unused));
}

// The i-th one is the i-th of the setup.
struct Rock {
    Flight flight;
    std::uint32_t hits = 0;   // of those that its strength allows
    std::uint32_t pause = 0;  // ticks until it is back, of a broken one; 1 for pieces of a whole one

    bool is_there() const { return pause == 0; }
};

constexpr auto fields_of(state::Type<Rock>) {
    using state::field;
    return state::fields("Rock", field("flight", &Rock::flight), field("hits", &Rock::hits),
                         field("pause", &Rock::pause));
}

// The i-th one is the i-th of the setup.
struct Pickup {
    Vec2 position;            // exact on the wire: it never changes
    std::uint32_t pause = 0;  // ticks until it is there again; 0: it is
    Weapon weapon = Weapon::scatter;
    state::Reserved<3> unused;
};

constexpr auto fields_of(state::Type<Pickup>) {
    using state::field;
    return state::fields("Pickup", field("position", &Pickup::position), field("pause", &Pickup::pause),
                         field("weapon", &Pickup::weapon, {.labels = weapon_names}),
                         field("unused", &Pickup::unused));
}

struct Shot {
    Flight flight;
    std::uint32_t ticks_left = 0;
    Slot owner = 0;
    Weapon weapon = Weapon::cannon;
    state::Reserved<2> unused;
};

constexpr auto fields_of(state::Type<Shot>) {
    using state::field;
    return state::fields("Shot", field("flight", &Shot::flight), field("ticks_left", &Shot::ticks_left),
                         field("owner", &Shot::owner),
                         field("weapon", &Shot::weapon, {.labels = weapon_names}),
                         field("unused", &Shot::unused));
}

// Two bodies that touch, with the impulses that the next tick begins with. On the wire these are rounded.
struct Touch {
    rigid::Contact contact;
};

constexpr auto fields_of(state::Type<Touch>) {
    return state::fields("Touch", state::field("contact", &Touch::contact,
                                               {.low = -1024, .high = 1024, .precision = 1.0 / 1024}));
}

struct State {
    state::Single<Head> head;
    state::Pool<Player> players;
    state::Pool<Rock> rocks;
    state::Pool<Shot> shots;
    state::Pool<Touch> touches;  // in the order of rigid::key_of
    state::Pool<Departed> departed;
    state::Pool<Pickup> pickups;
};

inline auto parts_of(state::Type<State>) {
    return state::parts(
        state::head(&State::head),
        state::pool("players", &State::players, [](const Setup& setup) { return setup.field.most_players; },
                    {.position = {&Player::ship, &Flight::position},
                     .owner = &Player::slot,
                     .shown = state::Shown::present}),
        state::pool("rocks", &State::rocks,
                    [](const Setup& setup) { return static_cast<std::uint32_t>(setup.rocks.size()); },
                    {.position = {&Rock::flight, &Flight::position}, .shown = state::Shown::present}),
        state::pool("shots", &State::shots, [](const Setup& setup) { return setup.field.most_shots; },
                    {.position = {&Shot::flight, &Flight::position},
                     .owner = &Shot::owner,
                     .replication = state::Replication::events,
                     .shown = state::Shown::present}),
        state::pool("touches", &State::touches, [](const Setup& setup) { return setup.bodies.max_contacts; }),
        state::pool("departed", &State::departed, [](const Setup&) { return most_departed; }),
        state::pool("pickups", &State::pickups,
                    [](const Setup& setup) { return static_cast<std::uint32_t>(setup.pickups.size()); },
                    {.position = &Pickup::position, .shown = state::Shown::present}));
}

enum class EventKind : std::uint8_t {
    joined,
    left,
    fired,
    hit,        // by a shot
    collision,  // of two bodies, one of them a ship
    overheated,
    recovered,
    explosion,  // of a ship
    respawned,
    match_over,
    match_began,
    shattered,  // a rock
    picked_up,  // a weapon
};
inline constexpr auto event_kinds = contract::event_table<EventKind>({
    {EventKind::joined, "joined", "$slot joined"},
    {EventKind::left, "left", "$slot left"},
    {EventKind::fired, "fired"},
    {EventKind::hit, "hit", "$slot was hit[ by $by]", Mood::hurt},
    {EventKind::collision, "collision", "", Mood::hurt},
    {EventKind::overheated, "overheated", "$slot overheated", Mood::hurt},
    {EventKind::recovered, "recovered"},
    {EventKind::explosion, "explosion", "$slot blew up[, shot by $by]", Mood::grave},
    {EventKind::respawned, "respawned", "$slot is back"},
    {EventKind::match_over, "match_over", "the match is over", Mood::good},
    {EventKind::match_began, "match_began", "a new match begins"},
    {EventKind::shattered, "shattered", "", Mood::slight},
    {EventKind::picked_up, "picked_up", "$slot has another weapon", Mood::good},
});

struct Event {
    Vec2 position;
    double speed = 0;  // at which they met; of a collision
    EventKind kind = EventKind::joined;
    Slot slot = no_player;  // the player concerned
    Slot by = no_player;    // the player that did it
    state::Reserved<5> unused;
};

constexpr auto fields_of(state::Type<Event>) {
    using state::field;
    return state::fields(
        "Event",
        field("position", &Event::position, {.low = -2048, .high = 2048, .precision = 0.25, .unit = "u"}),
        field("speed", &Event::speed, {.low = 0, .high = 256, .precision = 1, .unit = "u/s"}),
        field("kind", &Event::kind, {.labels = event_kinds.labels}), field("slot", &Event::slot),
        field("by", &Event::by), field("unused", &Event::unused));
}

}  // namespace instep::worlds::arena
