// SPDX-License-Identifier: MIT
// The constant part of a match of orbit. Names in capitals are the document's, names in small letters
// with a bar are those of the program that it describes (README.md says where they come from).
// Lengths in world units (the document's metres), y points down, speeds and accelerations per second.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <instep/math/units.h>
#include <instep/math/vec2.h>
#include <instep/motion/gravity.h>
#include <instep/state/field.h>
#include <instep/state/json.h>

namespace instep::worlds::orbit {

inline constexpr std::uint32_t most_ships = 32;
inline constexpr std::uint32_t most_pallets = 256;

struct Rules {
    // The document's physics.
    double gravitational_constant = 1;  // G, u³/s² a unit of mass
    double most_acceleration = 100;     // A_MAX, u/s²: gravity is never stronger
    double drag_k = 0;                  // DRAG_K, 1/s: 0.12 in the document, and not in the program
    double turn_rate = 3;               // turn_rate_rad_s, at full turn
    double thrust_acceleration = 20;    // thrust_acceleration, u/s², at full thrust
    double pickup_radius = 15;          // PICKUP_RADIUS, u
    double ship_radius = 1;             // SHIP_RADIUS, u; for drawing: a ship touches with its centre
    float most_energy = 100;            // max_energy
    float thrust_drain = 0.5f;          // thrust_drain_per_tick, however gentle the thrust
    float least_energy = 0;             // min_energy_for_thrust: a ship thrusts while it has more than this
    float pallet_energy = 25;           // pallet_restore
    std::uint32_t tick_rate = 30;       // TICK_RATE, Hz; DT is 1 / TICK_RATE

    // The document's game; our game has the opposite values.
    bool match_ends = true;      // no pallet left wins, the sun loses, and then all but the tick stands still
    bool starts_at_rest = true;  // where the level's `start` says; else ships start on circular orbits
    bool space_is_endless = true;  // ships may drift off; else beyond `edge` a ship starts again
    bool pallets_return = false;   // a collected pallet comes back

    // What the game adds.
    double edge = 3000;               // from the sun, u
    float recharge = 0;               // energy of a tick without thrust
    std::uint32_t pallet_pause = 1;   // ticks until a collected pallet is back
    std::uint32_t respawn_pause = 1;  // ticks until a ship that fell into the sun flies again
    std::int32_t pallet_score = 1;    // for collecting one
    std::int32_t sun_cost = 0;        // of the score, for falling into the sun
    bool pallets_wander = false;      // a pallet comes back elsewhere, as far from the sun as before
    state::Reserved<3> unused;
    std::uint32_t round_ticks = 0;    // after which the best score wins; 0: no clock
    std::int32_t round_goal = 0;      // the first to have this score wins; 0: no goal
    std::uint32_t restart_pause = 0;  // from the end of a match or round to the next; 0: it stays over
    state::Reserved<4> unused_too;

    bool has_rounds() const { return round_ticks > 0 || round_goal > 0; }
};

inline constexpr Rules faithful{};
// Energy moves in sixteenths only, so that it survives its precision on the wire without loss.
inline constexpr Rules game{.pickup_radius = 24,
                            .ship_radius = 5,
                            .match_ends = false,
                            .starts_at_rest = false,
                            .space_is_endless = false,
                            .pallets_return = true,
                            .recharge = 0.0625f,
                            .pallet_pause = 240,
                            .respawn_pause = 60,
                            .sun_cost = 3,
                            .pallets_wander = true,
                            .round_ticks = 5400,
                            .round_goal = 20,
                            .restart_pause = 240};

constexpr auto fields_of(state::Type<Rules>) {
    using state::field;
    // clang-format off
    return state::fields("Rules",
        field("gravitational_constant", &Rules::gravitational_constant, {.low = 0, .high = 1e6, .unit = "u³/s²"}),
        field("most_acceleration", &Rules::most_acceleration, {.low = 0, .high = 1e6, .unit = "u/s²"}),
        field("drag_k", &Rules::drag_k, {.low = 0, .high = 100, .unit = "1/s"}),
        field("turn_rate", &Rules::turn_rate, {.low = 0, .high = 100, .unit = "rad/s"}),
        field("thrust_acceleration", &Rules::thrust_acceleration, {.low = 0, .high = 10'000, .unit = "u/s²"}),
        field("pickup_radius", &Rules::pickup_radius, {.low = 0, .high = 1000, .unit = "u"}),
        field("ship_radius", &Rules::ship_radius, {.low = 0.01, .high = 1000, .unit = "u"}),
        field("most_energy", &Rules::most_energy, {.low = 0, .high = 100'000}),
        field("thrust_drain", &Rules::thrust_drain, {.low = 0, .high = 1000, .unit = "1/tick"}),
        field("least_energy", &Rules::least_energy, {.low = 0, .high = 100'000}),
        field("pallet_energy", &Rules::pallet_energy, {.low = 0, .high = 100'000}),
        field("tick_rate", &Rules::tick_rate, {.low = 10, .high = 1000, .unit = "Hz"}),
        field("match_ends", &Rules::match_ends),
        field("starts_at_rest", &Rules::starts_at_rest),
        field("space_is_endless", &Rules::space_is_endless),
        field("pallets_return", &Rules::pallets_return),
        field("edge", &Rules::edge, {.low = 1, .high = 1e6, .unit = "u"}),
        field("recharge", &Rules::recharge, {.low = 0, .high = 1000, .unit = "1/tick"}),
        field("pallet_pause", &Rules::pallet_pause, {.low = 1, .high = 100'000, .unit = "ticks"}),
        field("respawn_pause", &Rules::respawn_pause, {.low = 1, .high = 100'000, .unit = "ticks"}),
        field("pallet_score", &Rules::pallet_score, {.low = 0, .high = 1000}),
        field("sun_cost", &Rules::sun_cost, {.low = 0, .high = 1000}),
        field("pallets_wander", &Rules::pallets_wander),
        field("unused", &Rules::unused),
        field("round_ticks", &Rules::round_ticks, {.low = 0, .high = 10'000'000, .unit = "ticks"}),
        field("round_goal", &Rules::round_goal, {.low = 0, .high = 1'000'000}),
        field("restart_pause", &Rules::restart_pause, {.low = 0, .high = 100'000, .unit = "ticks"}),
        field("unused_too", &Rules::unused_too));
    // clang-format on
}

struct Sun {
    math::Vec2 position;
    double mass = 1000;
    float radius = 50;  // the document's float32: a radius such as 0.1 is the float nearest to it
    state::Reserved<4> unused;
};

constexpr auto fields_of(state::Type<Sun>) {
    using state::field;
    return state::fields("Sun", field("position", &Sun::position, {.low = -1e6, .high = 1e6, .unit = "u"}),
                         field("mass", &Sun::mass, {.low = 0, .high = 1e12}),
                         field("radius", &Sun::radius, {.low = 0, .high = 100'000, .unit = "u"}),
                         field("unused", &Sun::unused));
}

// How a ship begins; position, velocity and rotation only where `starts_at_rest` says so.
struct Start {
    math::Vec2 position{70, 0};
    math::Vec2 velocity;
    double rotation = 0;
    float energy = 100;
    state::Reserved<4> unused;
};

constexpr auto fields_of(state::Type<Start>) {
    using state::field;
    return state::fields(
        "Start", field("position", &Start::position, {.low = -1e6, .high = 1e6, .unit = "u"}),
        field("velocity", &Start::velocity, {.low = -1e4, .high = 1e4, .unit = "u/s"}),
        field("rotation", &Start::rotation, {.low = 0, .high = math::two_pi, .unit = "rad"}),
        field("energy", &Start::energy, {.low = 0, .high = 100'000}), field("unused", &Start::unused));
}

struct Space {
    Sun sun;
    Start start;
    double orbit_radius = 500;  // of the circular orbits on which ships start, u
    std::uint32_t most_players = 1;
    state::Reserved<4> unused;
};

constexpr auto fields_of(state::Type<Space>) {
    using state::field;
    return state::fields("Space", field("sun", &Space::sun), field("start", &Space::start),
                         field("orbit_radius", &Space::orbit_radius, {.low = 1, .high = 1e6, .unit = "u"}),
                         field("most_players", &Space::most_players, {.low = 1, .high = most_ships}),
                         field("unused", &Space::unused));
}

// Pallets spread evenly on a circle around the sun, the first at `angle`.
struct Ring {
    double radius = 0;
    double angle = 0;
    std::uint32_t count = 0;
    state::Reserved<4> unused;
};

constexpr auto fields_of(state::Type<Ring>) {
    using state::field;
    return state::fields("Ring", field("radius", &Ring::radius, {.low = 1, .high = 1e6, .unit = "u"}),
                         field("angle", &Ring::angle, {.low = -7, .high = 7, .unit = "rad"}),
                         field("count", &Ring::count, {.low = 1, .high = most_pallets}),
                         field("unused", &Ring::unused));
}

struct Setup {
    Rules rules;
    Space space;
    std::vector<math::Vec2> pallets;  // in the order in which they are looked at

    // Worked out from the above.
    motion::Attractor sun;
    double sun_radius = 0;  // u
    double dt = 0;          // s a tick
    double kept = 1;        // the part of a velocity that drag leaves in a tick
    double reach = 0;       // how far from the sun there is something to see, u
};

Setup make_setup(const Rules& rules, const Space& space, std::vector<math::Vec2> pallets);

state::Result<Setup> load(state::Type<Setup>, const state::Json& level, const std::string& where);
// The bodies that a level may have more of, and the level with one more of them.
std::vector<std::string> bodies(state::Type<Setup>, const state::Json& level);
state::Result<state::Json> with_body(state::Type<Setup>, const state::Json& level, std::string_view body,
                                     math::Vec2 position);

}  // namespace instep::worlds::orbit
