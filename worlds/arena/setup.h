// SPDX-License-Identifier: MIT
// The constant part of a match of arena. Names in mixed case are those of the document's PHYSICS_CONFIG
// (README.md lists what it leaves open). Lengths in world units, y points up, angles in radians
// and counterclockwise, speeds per second, pauses in ticks.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <instep/math/units.h>
#include <instep/math/vec2.h>
#include <instep/rigid/scratch.h>
#include <instep/state/field.h>
#include <instep/state/json.h>
#include <instep/state/scratch_pool.h>

namespace instep::worlds::arena {

using math::Vec2;

inline constexpr std::uint32_t most_ships = 16;
inline constexpr std::uint32_t most_rocks = 64;
inline constexpr std::uint32_t most_walls = 64;
inline constexpr std::uint32_t most_starts = 64;
inline constexpr std::uint32_t most_shots_of_all = 512;
inline constexpr std::uint32_t most_departed = 64;  // players that left, of a match
inline constexpr std::uint32_t most_pickups = 16;
inline constexpr std::uint32_t pieces_of_rock = 3;  // that a rock breaks into
inline constexpr double pickup_reach = 1.5;         // of a ship's centre, u
inline constexpr double shot_radius = 0.1;          // u
inline constexpr double ship_reach = 1;             // of the nose from the centre, u
inline constexpr double edge_thickness = 2;         // of the walls around the field, u

enum class Weapon : std::uint8_t { cannon, scatter, lance };
inline constexpr std::string_view weapon_names[] = {"cannon", "scatter", "lance"};

struct Rules {
    // The document's ship.
    double thrust = 500;           // thrustForce; a ship's mass is 0.75
    double turn_speed = 3;         // rotationSpeed, rad/s
    double linear_damping = 0.05;  // linearDamping, 1/s
    double angular_damping = 0.1;  // angularDamping, 1/s
    double most_heat = 100;        // maxHeat: a ship that reaches it is overheated
    double cooling = 10;           // heatDecayRate, 1/s
    double thrust_heat = 15;       // thrustHeatGeneration, 1/s
    double shot_heat = 25;         // weaponHeatGeneration, a shot
    double most_speed = 0;         // of a ship, u/s; 0: only the engine's limit, 2 units a tick

    // Where players want something else than the document's program does.
    double recovered_heat = 0;        // at which an overheated ship obeys again
    bool overheated_for_good = true;  // an overheated ship never cools
    bool thrusts_sideways = true;     // along the body's x, although the nose is at +y
    bool spin_goes_on = true;         // a released turn key does not stop the spin
    bool left_is_clockwise = true;    // the document's angles suit a screen with y down
    bool shots_bounce = true;         // a shot that has hit flies on, like any body
    state::Reserved<3> unused;

    // Values that the document names but does not give.
    double shot_speed = 40;             // on top of the ship's velocity, u/s
    std::uint32_t fire_pause = 12;      // from one shot to the next
    std::uint32_t shot_ticks = 120;     // that a shot flies
    std::uint32_t shot_safe_ticks = 6;  // in which it passes through its own ship
    std::int32_t shot_damage = 10;
    std::int32_t most_health = 100;
    std::uint32_t respawn_pause = 180;
    std::uint32_t match_ticks = 18'000;    // five minutes
    std::uint32_t scoreboard_ticks = 600;  // between two matches: no steering, no damage
    std::int32_t kill_score = 1;
    std::int32_t own_kill_cost = 1;         // of the score, for shooting oneself
    std::uint32_t tick_rate = 60;           // 1 / timeStep, Hz
    std::uint32_t velocity_iterations = 8;  // velocityIterations
    std::uint32_t position_iterations = 3;  // positionIterations
    std::uint32_t claim_ticks = 600;        // after a hit, in which leaving is a kill by the last attacker
    std::uint32_t touch_pause = 15;         // two bodies that meet again within it have not parted
    std::uint32_t teams = 0;                // that slots alternate between; 0: each ship for itself
    double rock_density = 2;
    double rock_bounce = 0.8;  // restitution

    // What levels may add to the game.
    std::uint32_t rock_pause = 1800;    // ticks until a broken rock is back
    std::uint32_t pickup_pause = 900;   // ticks until a weapon that was taken lies there again
    std::uint32_t most_ammunition = 8;  // salvos of a weapon that was picked up
    state::Reserved<4> unused_too;
};

// Two ships of one team do each other no harm.
constexpr bool are_mates(std::uint32_t a, std::uint32_t b, const Rules& rules) {
    return rules.teams > 1 && a != b && a % rules.teams == b % rules.teams;
}

inline constexpr Rules faithful{};
inline constexpr Rules game{.thrust = 15,
                            .most_speed = 25,
                            .recovered_heat = 50,
                            .overheated_for_good = false,
                            .thrusts_sideways = false,
                            .spin_goes_on = false,
                            .left_is_clockwise = false,
                            .shots_bounce = false};

constexpr auto fields_of(state::Type<Rules>) {
    using state::field;
    // clang-format off
    return state::fields("Rules",
        field("thrust", &Rules::thrust, {.low = 0, .high = 10'000}),
        field("turn_speed", &Rules::turn_speed, {.low = 0, .high = 60, .unit = "rad/s"}),
        field("linear_damping", &Rules::linear_damping, {.low = 0, .high = 100, .unit = "1/s"}),
        field("angular_damping", &Rules::angular_damping, {.low = 0, .high = 100, .unit = "1/s"}),
        field("most_heat", &Rules::most_heat, {.low = 1, .high = 10'000}),
        field("cooling", &Rules::cooling, {.low = 0, .high = 10'000, .unit = "1/s"}),
        field("thrust_heat", &Rules::thrust_heat, {.low = 0, .high = 10'000, .unit = "1/s"}),
        field("shot_heat", &Rules::shot_heat, {.low = 0, .high = 10'000}),
        field("most_speed", &Rules::most_speed, {.low = 0, .high = 1000, .unit = "u/s"}),
        field("recovered_heat", &Rules::recovered_heat, {.low = 0, .high = 10'000}),
        field("overheated_for_good", &Rules::overheated_for_good),
        field("thrusts_sideways", &Rules::thrusts_sideways),
        field("spin_goes_on", &Rules::spin_goes_on),
        field("left_is_clockwise", &Rules::left_is_clockwise),
        field("shots_bounce", &Rules::shots_bounce),
        field("unused", &Rules::unused),
        field("shot_speed", &Rules::shot_speed, {.low = 0, .high = 1000, .unit = "u/s"}),
        field("fire_pause", &Rules::fire_pause, {.low = 1, .high = 10'000, .unit = "ticks"}),
        field("shot_ticks", &Rules::shot_ticks, {.low = 1, .high = 10'000, .unit = "ticks"}),
        field("shot_safe_ticks", &Rules::shot_safe_ticks, {.low = 0, .high = 10'000, .unit = "ticks"}),
        field("shot_damage", &Rules::shot_damage, {.low = 0, .high = 10'000}),
        field("most_health", &Rules::most_health, {.low = 1, .high = 10'000}),
        field("respawn_pause", &Rules::respawn_pause, {.low = 1, .high = 100'000, .unit = "ticks"}),
        field("match_ticks", &Rules::match_ticks, {.low = 1, .high = 10'000'000, .unit = "ticks"}),
        field("scoreboard_ticks", &Rules::scoreboard_ticks, {.low = 1, .high = 100'000, .unit = "ticks"}),
        field("kill_score", &Rules::kill_score, {.low = 0, .high = 1000}),
        field("own_kill_cost", &Rules::own_kill_cost, {.low = 0, .high = 1000}),
        field("tick_rate", &Rules::tick_rate, {.low = 20, .high = 1000, .unit = "Hz"}),
        field("velocity_iterations", &Rules::velocity_iterations, {.low = 1, .high = 50}),
        field("position_iterations", &Rules::position_iterations, {.low = 0, .high = 50}),
        field("claim_ticks", &Rules::claim_ticks, {.low = 0, .high = 100'000, .unit = "ticks"}),
        field("touch_pause", &Rules::touch_pause, {.low = 0, .high = 10'000, .unit = "ticks"}),
        field("teams", &Rules::teams, {.low = 0, .high = 4}),
        field("rock_density", &Rules::rock_density, {.low = 0.1, .high = 100}),
        field("rock_bounce", &Rules::rock_bounce, {.low = 0, .high = 1}),
        field("rock_pause", &Rules::rock_pause, {.low = 1, .high = 100'000, .unit = "ticks"}),
        field("pickup_pause", &Rules::pickup_pause, {.low = 1, .high = 100'000, .unit = "ticks"}),
        field("most_ammunition", &Rules::most_ammunition, {.low = 1, .high = 1000}),
        field("unused_too", &Rules::unused_too));
    // clang-format on
}

// A rectangle around the origin with a wall around it.
struct Field {
    double half_width = 60;
    double half_height = 40;
    std::uint32_t most_players = most_ships;
    std::uint32_t most_shots = 160;  // at once
};

constexpr auto fields_of(state::Type<Field>) {
    using state::field;
    return state::fields("Field",
                         field("half_width", &Field::half_width, {.low = 5, .high = 2000, .unit = "u"}),
                         field("half_height", &Field::half_height, {.low = 5, .high = 2000, .unit = "u"}),
                         field("most_players", &Field::most_players, {.low = 1, .high = most_ships}),
                         field("most_shots", &Field::most_shots, {.low = 1, .high = most_shots_of_all}));
}

struct Wall {
    Vec2 position;
    Vec2 half_size{1, 1};
    double angle = 0;
};

constexpr auto fields_of(state::Type<Wall>) {
    using state::field;
    return state::fields("Wall",
                         field("position", &Wall::position, {.low = -2000, .high = 2000, .unit = "u"}),
                         field("half_size", &Wall::half_size, {.low = 0.05, .high = 2000, .unit = "u"}),
                         field("angle", &Wall::angle, {.low = -7, .high = 7, .unit = "rad"}));
}

// An asteroid, and how it drifts when a match begins. Its corners lie on a circle, unevenly.
struct RockPlan {
    Vec2 position;
    Vec2 velocity;
    double angle = 0;
    double spin = 0;  // rad/s
    double radius = 2;
    std::uint32_t corners = 7;
    std::uint32_t strength = 0;  // hits that break it; 0: it never breaks
};

constexpr auto fields_of(state::Type<RockPlan>) {
    using state::field;
    // clang-format off
    return state::fields("Rock",
        field("position", &RockPlan::position, {.low = -2000, .high = 2000, .unit = "u"}),
        field("velocity", &RockPlan::velocity, {.low = -60, .high = 60, .unit = "u/s"}),
        field("angle", &RockPlan::angle, {.low = -7, .high = 7, .unit = "rad"}),
        field("spin", &RockPlan::spin, {.low = -10, .high = 10, .unit = "rad/s"}),
        field("radius", &RockPlan::radius, {.low = 0.2, .high = 50, .unit = "u"}),
        field("corners", &RockPlan::corners, {.low = 5, .high = 8}),
        field("strength", &RockPlan::strength, {.low = 0, .high = 1000, .unit = "hits"}));

    // clang-format on
}

// A weapon that lies in the field.
struct PickupPlan {
    Vec2 position;
    Weapon weapon = Weapon::scatter;
    state::Reserved<7> unused;
};

constexpr auto fields_of(state::Type<PickupPlan>) {
    using state::field;
    return state::fields(
        "Pickup", field("position", &PickupPlan::position, {.low = -2000, .high = 2000, .unit = "u"}),
        field("weapon", &PickupPlan::weapon, {.labels = weapon_names}), field("unused", &PickupPlan::unused));
}

struct Start {
    Vec2 position;
    double angle = 0;
};

constexpr auto fields_of(state::Type<Start>) {
    using state::field;
    return state::fields("Start",
                         field("position", &Start::position, {.low = -2000, .high = 2000, .unit = "u"}),
                         field("angle", &Start::angle, {.low = -7, .high = 7, .unit = "rad"}));
}

struct Setup {
    Rules rules;
    Field field;
    std::vector<Wall> walls;      // those around the field come last
    std::vector<RockPlan> rocks;  // the level's; after each that breaks, its pieces
    std::vector<Start> starts;
    std::vector<PickupPlan> pickups;

    // Worked out from the above.
    std::vector<std::uint32_t> first_pieces;  // of each rock: where its pieces begin; 0: it has none
    double dt = 0;                            // s a tick
    rigid::Setup bodies;                      // body definitions: ship, shot, one per wall, one per rock
    std::shared_ptr<state::ScratchPool<rigid::Scratch>> scratch_pool;

    bool has_pieces(std::uint32_t rock) const { return first_pieces[rock] > 0; }
    // Whether a point lies in the field, or beyond it by no more than `margin`.
    bool holds(Vec2 at, double margin) const {
        return std::fabs(at.x) <= field.half_width + margin && std::fabs(at.y) <= field.half_height + margin;
    }
};

inline constexpr std::uint16_t ship_def = 0;
inline constexpr std::uint16_t shot_def = 1;
inline constexpr std::uint16_t first_wall_def = 2;

// Of the number-th rock, about its middle.
std::vector<Vec2> rock_corners(const RockPlan& rock, std::size_t number);

// Everything but the walls around the field is given. Refuses setups beyond the engine's limits.
state::Result<Setup> make_setup(const Rules& rules, const Field& field, std::vector<Wall> walls,
                                std::vector<RockPlan> rocks, std::vector<Start> starts,
                                std::vector<PickupPlan> pickups = {});

state::Result<Setup> load(state::Type<Setup>, const state::Json& level, const std::string& where);
// The bodies that a level may have more of, and the level with one more of them.
std::vector<std::string> bodies(state::Type<Setup>, const state::Json& level);
state::Result<state::Json> with_body(state::Type<Setup>, const state::Json& level, std::string_view body,
                                     Vec2 position);

}  // namespace instep::worlds::arena
