// SPDX-License-Identifier: MIT
// The constant part of a match of creature: the playground, the body plans, and the rules. Names in
// capitals are the document's, the others come from the program that it describes (README.md).
// World units; y points up; speeds are per tick, accelerations per second².
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <creature/plan.h>
#include <instep/contract/rounds.h>
#include <instep/motion/box.h>
#include <instep/state/field.h>
#include <instep/state/json.h>

namespace instep::worlds::creature {

enum class Solver : std::uint8_t {
    forward_pass,  // once along each chain, as the program does
    iterated,      // distances and angles in turn, several times, as the document has it
};
inline constexpr std::string_view solver_names[] = {"forward_pass", "iterated"};

struct Rules {
    double air_damping = 0.98;   // AIR_DAMPING: the part of a velocity that is kept in a tick
    double margin = 12;          // between the playground's edge and its walls, u
    double collision_cell = 20;  // circles that touch one cell of this size are looked at, u
    std::uint32_t collision_passes = 4;
    std::uint32_t constraint_iterations = 4;  // CONSTRAINT_ITERATIONS, of the iterated solver
    std::uint32_t tick_rate = 60;             // Hz
    Solver solver = Solver::forward_pass;

    // The program's quirks.
    bool loose_branches = true;        // a chain that leads up to a fork is not tied to it
    bool walls_before_circles = true;  // circles may push each other through a wall, until the next tick
    bool limbs_cross_walls = true;     // feet stay inside, knees need not

    bool players_have_bodies = false;  // the game; without it players only point, and scenes follow the first
    state::Reserved<7> unused;
    double mote_radius = 8;             // u
    double bite_reach = 6;              // how near to touching a tail a head must come to bite it, u
    std::uint32_t motes_per_node = 3;   // meals that bring out one more node of the tail
    std::uint32_t bite_pause = 90;      // ticks in which a bitten or newborn creature cannot be bitten
    std::uint32_t respawn_pause = 120;  // ticks
    std::int32_t bite_score = 5;        // a mote scores 1
    std::int32_t kill_score = 20;
    std::uint32_t mote_pause = 6;       // ticks between two new motes
    std::uint32_t round_ticks = 0;      // 0: no rounds
    std::int32_t round_goal = 0;        // a score that ends a round; 0: only its clock does
    std::uint32_t restart_pause = 480;  // ticks between two rounds
    state::Reserved<4> unused_too;
};

inline constexpr Rules faithful{};
inline constexpr Rules game{.loose_branches = false,
                            .walls_before_circles = false,
                            .limbs_cross_walls = false,
                            .players_have_bodies = true,
                            .round_ticks = 10800};

constexpr auto fields_of(state::Type<Rules>) {
    using state::field;
    // clang-format off
    return state::fields("Rules",
        field("air_damping", &Rules::air_damping, {.low = 0.01, .high = 1}),
        field("margin", &Rules::margin, {.low = 0, .high = 1000, .unit = "u"}),
        field("collision_cell", &Rules::collision_cell, {.low = 1, .high = 1000, .unit = "u"}),
        field("collision_passes", &Rules::collision_passes, {.low = 0, .high = 16}),
        field("constraint_iterations", &Rules::constraint_iterations, {.low = 1, .high = 64}),
        field("tick_rate", &Rules::tick_rate, {.low = 10, .high = 1000, .unit = "Hz"}),
        field("solver", &Rules::solver, {.labels = solver_names}),
        field("loose_branches", &Rules::loose_branches),
        field("walls_before_circles", &Rules::walls_before_circles),
        field("limbs_cross_walls", &Rules::limbs_cross_walls),
        field("players_have_bodies", &Rules::players_have_bodies),
        field("unused", &Rules::unused),
        field("mote_radius", &Rules::mote_radius, {.low = 0.1, .high = 1000, .unit = "u"}),
        field("bite_reach", &Rules::bite_reach, {.low = 0, .high = 1000, .unit = "u"}),
        field("motes_per_node", &Rules::motes_per_node, {.low = 1, .high = 1000}),
        field("bite_pause", &Rules::bite_pause, {.low = 1, .high = 10'000, .unit = "ticks"}),
        field("respawn_pause", &Rules::respawn_pause, {.low = 1, .high = 10'000, .unit = "ticks"}),
        field("bite_score", &Rules::bite_score, {.low = 0, .high = 10'000}),
        field("kill_score", &Rules::kill_score, {.low = 0, .high = 10'000}),
        field("mote_pause", &Rules::mote_pause, {.low = 1, .high = 10'000, .unit = "ticks"}),
        field("round_ticks", &Rules::round_ticks, {.low = 0, .high = 1'000'000, .unit = "ticks"}),
        field("round_goal", &Rules::round_goal, {.low = 0, .high = 1'000'000}),
        field("restart_pause", &Rules::restart_pause, {.low = 1, .high = 10'000, .unit = "ticks"}),
        field("unused_too", &Rules::unused_too));
    // clang-format on
}

struct Playground {
    double half_width = 1777.7778;  // u, to both sides of the origin
    double half_height = 1000;
    std::uint32_t most_players = 16;
    std::uint32_t most_creatures = 32;
    std::uint32_t motes = 0;  // that lie around, at most
    state::Reserved<4> unused;
};

constexpr auto fields_of(state::Type<Playground>) {
    using state::field;
    // clang-format off
    return state::fields("Playground",
        field("half_width", &Playground::half_width, {.low = 50, .high = 50'000, .unit = "u"}),
        field("half_height", &Playground::half_height, {.low = 50, .high = 50'000, .unit = "u"}),
        field("most_players", &Playground::most_players, {.low = 1, .high = 32}),
        field("most_creatures", &Playground::most_creatures, {.low = 1, .high = 4096}),
        field("motes", &Playground::motes, {.low = 0, .high = 4096}),
        field("unused", &Playground::unused));
    // clang-format on
}

// A creature that is there from the start and belongs to no player.
struct Resident {
    std::uint32_t plan = 0;
    Vec2 at;            // of the head
    double facing = 0;  // how far it is turned against its plan, rad
};

inline constexpr std::size_t most_currents = 16;

// A part of the playground in which nodes are accelerated beyond their own constant_acceleration: water that
// bears, or wind that comes in gusts.
struct Current {
    Vec2 low;   // u
    Vec2 high;  // u
    Vec2 acceleration;
    std::uint32_t period =
        0;  // ticks from one gust to the next; between them it blows the other way. 0: steady
    state::Reserved<4> unused;

    motion::Box box() const { return {low, high}; }
};

constexpr auto fields_of(state::Type<Current>) {
    using state::field;
    // clang-format off
    return state::fields("Current",
        field("low", &Current::low, {.low = -50'000, .high = 50'000, .unit = "u"}),
        field("high", &Current::high, {.low = -50'000, .high = 50'000, .unit = "u"}),
        field("acceleration", &Current::acceleration, {.low = -10'000, .high = 10'000, .unit = "u/s²"}),
        field("period", &Current::period, {.low = 0, .high = 100'000, .unit = "ticks"}),
        field("unused", &Current::unused));
    // clang-format on
}

struct Setup {
    Rules rules;
    Playground playground;
    std::vector<Current> currents;
    std::vector<BodyPlan> plans;      // those that players get come first, then those of residents alone
    std::uint32_t player_plans = 0;   // how many players may choose from
    std::uint32_t named_plans = 0;    // those and the residents'; a scene's come last
    std::vector<Resident> residents;  // a scene's creatures come first, in the order of its groups
    std::uint32_t scene_creatures = 0;
    std::uint32_t scene_nodes = 0;

    double dt() const { return 1.0 / rules.tick_rate; }
    contract::RoundRules round() const {
        return {rules.players_have_bodies ? rules.round_ticks : 0, rules.round_goal, rules.restart_pause};
    }
    motion::Box edge() const {
        return {{-playground.half_width, -playground.half_height},
                {playground.half_width, playground.half_height}};
    }
    motion::Box walls() const { return edge().shrunk(rules.margin); }
    std::uint32_t most_meals(const BodyPlan& plan) const {
        return (static_cast<std::uint32_t>(plan.nodes.size()) - plan.born) * rules.motes_per_node;
    }
    std::uint32_t most_circles() const;  // of all creatures together
};

// A level, or a scene file of the original as it is.
state::Result<Setup> load(state::Type<Setup>, const state::Json& level, const std::string& where);
// The bodies that a level may have more of, and the level with one more of them.
std::vector<std::string> bodies(state::Type<Setup>, const state::Json& level);
state::Result<state::Json> with_body(state::Type<Setup>, const state::Json& level, std::string_view body,
                                     math::Vec2 position);

// The creatures of a scene become residents, where the scene has them. For an empty setup that has its rules.
state::Result<void> add_scene(Setup& setup, const Scene& scene, const std::string& where);

}  // namespace instep::worlds::creature
