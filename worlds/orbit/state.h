// SPDX-License-Identifier: MIT
// All that changes during a match of orbit, each field described once, beside its struct.
#pragma once

#include <cstdint>

#include <instep/contract/event_table.h>
#include <instep/contract/tick.h>
#include <instep/math/random.h>
#include <instep/math/units.h>
#include <instep/motion/particle.h>
#include <instep/state/layout.h>
#include <orbit/setup.h>

namespace instep::worlds::orbit {

using contract::Mood;
using contract::no_player;
using contract::Slot;
using math::Vec2;
using motion::Particle;

struct Input {
    float thrust = 0;  // 0 to 1
    float turn = 0;    // -1 to 1; positive turns counterclockwise on the screen
};

constexpr auto fields_of(state::Type<Input>) {
    using state::field;
    // Precise to a power of two, so that nothing, half and full come through exactly.
    return state::fields(
        "Input",
        field("thrust", &Input::thrust,
              {.low = 0, .high = 1, .precision = 1.0 / 128, .control = state::Control::up}),
        field("turn", &Input::turn,
              {.low = -1, .high = 1, .precision = 1.0 / 128, .control = state::Control::turn}));
}

constexpr float between(float value, float low, float high) {
    return value < low ? low : value > high ? high : value;
}

constexpr Input clamped(const Input& input) {
    return {between(input.thrust, 0, 1), between(input.turn, -1, 1)};
}

struct Head {
    std::uint64_t tick = 0;
    math::Random random;
    bool over = false;  // the document's `done`; of a match that ends, or of a round
    bool won = false;
    Slot winner = no_player;  // of the round that is over; no_player if the best scores are equal
    state::Reserved<1> unused;
    std::uint32_t ticks_left = 0;  // of the round, or until the next one begins; 0: no clock runs
};

constexpr auto fields_of(state::Type<Head>) {
    using state::field;
    return state::fields("Head", field("tick", &Head::tick), field("random", &Head::random),
                         field("over", &Head::over), field("won", &Head::won), field("winner", &Head::winner),
                         field("unused", &Head::unused), field("ticks_left", &Head::ticks_left));
}

struct Player {
    contract::PlayerName name;
    Input input;          // the last one applied
    Particle ship;        // u, u/s
    double rotation = 0;  // of the nose, rad, from 0 to a full turn; counterclockwise on the screen
    float energy = 0;     // 32 bits, as the document's
    std::int32_t score = 0;
    std::uint32_t respawn_pause = 0;  // ticks until it flies again; 0 for the living
    Slot slot = 0;
    state::Reserved<3> unused;

    bool alive() const { return respawn_pause == 0; }
};

constexpr auto fields_of(state::Type<Player>) {
    using state::Blend;
    using state::field;
    // clang-format off
    return state::fields("Player",
        field("name", &Player::name),
        field("input", &Player::input),
        field("ship", &Player::ship, {.low = -4096, .high = 4096, .precision = 0.01, .blend = Blend::linear}),
        field("rotation", &Player::rotation, {.low = 0, .high = math::two_pi, .precision = 0.001, .blend = Blend::angle}),
        field("energy", &Player::energy, {.low = 0, .high = 128, .precision = 1.0 / 16}),
        field("score", &Player::score),
        field("respawn_pause", &Player::respawn_pause),
        field("slot", &Player::slot),
        field("unused", &Player::unused));
    // clang-format on
}

// The i-th one belongs to setup.pallets[i].
struct Pallet {
    Vec2 position;            // exact on the wire: it hardly ever changes
    std::uint32_t pause = 0;  // ticks until it is back; 0 if it is there, or gone for good
    bool active = true;
    state::Reserved<3> unused;
};

constexpr auto fields_of(state::Type<Pallet>) {
    using state::field;
    return state::fields("Pallet", field("position", &Pallet::position), field("pause", &Pallet::pause),
                         field("active", &Pallet::active), field("unused", &Pallet::unused));
}

struct State {
    state::Single<Head> head;
    state::Pool<Player> players;
    state::Pool<Pallet> pallets;
};

inline auto parts_of(state::Type<State>) {
    return state::parts(
        state::head(&State::head),
        state::pool("players", &State::players, [](const Setup& setup) { return setup.space.most_players; },
                    {.position = {&Player::ship, &Particle::position}, .owner = &Player::slot}),
        state::pool("pallets", &State::pallets,
                    [](const Setup& setup) { return static_cast<std::uint32_t>(setup.pallets.size()); },
                    {.position = &Pallet::position}));
}

enum class EventKind : std::uint8_t {
    joined,
    left,
    collected,
    returned,
    died,
    respawned,
    strayed,
    won,
    lost,
    drawn,
    restarted,
};
inline constexpr auto event_kinds = contract::event_table<EventKind>({
    {EventKind::joined, "joined", "$slot joined"},
    {EventKind::left, "left", "$slot left"},
    {EventKind::collected, "collected", "$slot collected a pallet", Mood::good},
    {EventKind::returned, "returned", "a pallet is back", Mood::slight},
    {EventKind::died, "died", "$slot died", Mood::grave},
    {EventKind::respawned, "respawned", "$slot is back"},
    {EventKind::strayed, "strayed", "$slot strayed too far", Mood::hurt},
    {EventKind::won, "won", "[$slot ]won", Mood::good},
    {EventKind::lost, "lost", "[$slot ]lost", Mood::hurt},
    {EventKind::drawn, "drawn", "nobody won: the best scores are equal"},
    {EventKind::restarted, "restarted", "a new round begins"},
});

struct Event {
    Vec2 position;
    std::int32_t points = 0;  // that it brought or cost
    EventKind kind = EventKind::joined;
    Slot slot = no_player;  // the player concerned; no_player for a pallet that returns
    state::Reserved<2> unused;
};

constexpr auto fields_of(state::Type<Event>) {
    using state::field;
    return state::fields(
        "Event", field("position", &Event::position, {.low = -4096, .high = 4096, .precision = 0.1}),
        field("points", &Event::points), field("kind", &Event::kind, {.labels = event_kinds.labels}),
        field("slot", &Event::slot), field("unused", &Event::unused));
}

}  // namespace instep::worlds::orbit
