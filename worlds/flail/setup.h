// SPDX-License-Identifier: MIT
// The constant part of a match of flail. Names in capitals and section numbers are those of the document
// (README.md says where it comes from). World units; y points down; speeds are per tick, because
// the document's are.
#pragma once

#include <cstdint>
#include <string>

#include <instep/contract/rounds.h>
#include <instep/motion/spring.h>
#include <instep/state/field.h>
#include <instep/state/json.h>

namespace instep::worlds::flail {

inline constexpr std::uint32_t most_rope_nodes = 16;

struct Rules {
    // The document's physics.
    double push = 1;                  // acceleration of a moving body, u/tick² (section 4)
    double drag_divisor = 1.1;        // v <- v / 1.1 each tick (section 9)
    double rope_stiffness = 0.1;      // k (section 6), 1/tick²
    double rope_rest_length = 80;     // restLength (section 6), u, of each link
    std::uint32_t rope_nodes = 3;     // segmentCount (section 6), body and flail included
    std::uint32_t flail_size = 1000;  // default size (section 11); the game gives it a meaning
    std::uint32_t tick_rate = 40;     // Hz (section 1)

    // The document's quirks (section 12).
    bool rope_pulls_body = false;   // the body is not moved by its own rope
    bool spring_pushes = false;     // a link resists stretching only
    bool spawn_together = true;     // flail and rope start at the position of the body
    bool map_holds_bodies = false;  // the map's size is announced, not enforced

    // What the game adds; all off when `combat` is.
    bool combat = false;
    state::Reserved<7> unused;
    double spawn_spread = 0;              // bodies start within ± this of the centre, u
    double body_radius = 45;              // u
    double flail_radius_per_size = 0.03;  // 1000 -> 30 u
    double most_health = 100;
    double harmless_speed = 8;       // a touch slower than this does nothing, u/tick
    double damage_per_speed = 2.25;  // health for each u/tick above it
    double most_damage = 60;         // of one hit
    double knock_back = 0.6;         // part of the flail's relative velocity that the body takes over
    double flail_kept = 0;        // part of its velocity that a flail on its rope keeps in a tick; 0: as all
    double loose_kept = 0.985;    // and a loose one
    double most_flail_speed = 0;  // u/tick; 0: no limit
    double reel_speed = 24;       // at which a called flail comes back, at most, u/tick
    double reel_pull = 2;         // change of its velocity in a tick, u/tick²
    double clash_restitution = 0.8;       // of two flails that meet; 0.8 of their speed goes on
    std::uint32_t hit_pause = 12;         // ticks in which a body that was hit cannot be hit again
    std::uint32_t respawn_pause = 80;     // ticks
    std::uint32_t spawn_protection = 80;  // ticks in which a new player neither strikes nor is struck
    std::uint32_t growth = 100;           // of the flail's size, for a kill
    std::uint32_t most_flail_size = 3000;
    std::uint32_t round_ticks = 0;      // 0: no rounds
    std::int32_t round_goal = 0;        // kills that end a round; 0: only its clock does
    std::uint32_t restart_pause = 320;  // ticks between two rounds
    std::int32_t king_bounty = 0;       // points for killing the king, besides the one for the kill
    state::Reserved<4> unused_too;
};

inline constexpr Rules faithful{};
// The document's drag leaves a flail no swing: it is dragged at the speed of its body however it is led. The
// game's flail keeps 0.97 of its velocity, so that a good circle brings it to 16 to 19 u/tick where a
// straight run brings it to 11.
inline constexpr Rules game{.spawn_together = false,
                            .map_holds_bodies = true,
                            .combat = true,
                            .spawn_spread = 3500,
                            .flail_kept = 0.97,
                            .most_flail_speed = 40,
                            .round_ticks = 7200,
                            .round_goal = 20,
                            .king_bounty = 2};

constexpr auto fields_of(state::Type<Rules>) {
    using state::field;
    // clang-format off
    return state::fields("Rules",
        field("push", &Rules::push, {.low = 0, .high = 100, .unit = "u/tick²"}),
        field("drag_divisor", &Rules::drag_divisor, {.low = 1.001, .high = 10}),
        field("rope_stiffness", &Rules::rope_stiffness, {.low = 0, .high = 0.5, .unit = "1/tick²"}),
        field("rope_rest_length", &Rules::rope_rest_length, {.low = 0, .high = 1000, .unit = "u"}),
        field("rope_nodes", &Rules::rope_nodes, {.low = 2, .high = most_rope_nodes}),
        field("flail_size", &Rules::flail_size, {.low = 1, .high = 100'000}),
        field("tick_rate", &Rules::tick_rate, {.low = 10, .high = 1000, .unit = "Hz"}),
        field("rope_pulls_body", &Rules::rope_pulls_body),
        field("spring_pushes", &Rules::spring_pushes),
        field("spawn_together", &Rules::spawn_together),
        field("map_holds_bodies", &Rules::map_holds_bodies),
        field("combat", &Rules::combat),
        field("unused", &Rules::unused),
        field("spawn_spread", &Rules::spawn_spread, {.low = 0, .high = 100'000, .unit = "u"}),
        field("body_radius", &Rules::body_radius, {.low = 1, .high = 1000, .unit = "u"}),
        field("flail_radius_per_size", &Rules::flail_radius_per_size, {.low = 0, .high = 1, .unit = "u"}),
        field("most_health", &Rules::most_health, {.low = 1, .high = 100'000}),
        field("harmless_speed", &Rules::harmless_speed, {.low = 0, .high = 1000, .unit = "u/tick"}),
        field("damage_per_speed", &Rules::damage_per_speed, {.low = 0, .high = 1000}),
        field("most_damage", &Rules::most_damage, {.low = 0, .high = 100'000}),
        field("knock_back", &Rules::knock_back, {.low = 0, .high = 2}),
        field("flail_kept", &Rules::flail_kept, {.low = 0, .high = 0.999}),
        field("loose_kept", &Rules::loose_kept, {.low = 0, .high = 0.999}),
        field("most_flail_speed", &Rules::most_flail_speed, {.low = 0, .high = 10'000, .unit = "u/tick"}),
        field("reel_speed", &Rules::reel_speed, {.low = 1, .high = 1000, .unit = "u/tick"}),
        field("reel_pull", &Rules::reel_pull, {.low = 0.1, .high = 1000, .unit = "u/tick²"}),
        field("clash_restitution", &Rules::clash_restitution, {.low = 0, .high = 1}),
        field("hit_pause", &Rules::hit_pause, {.low = 0, .high = 10'000, .unit = "ticks"}),
        field("respawn_pause", &Rules::respawn_pause, {.low = 1, .high = 10'000, .unit = "ticks"}),
        field("spawn_protection", &Rules::spawn_protection, {.low = 0, .high = 10'000, .unit = "ticks"}),
        field("growth", &Rules::growth, {.low = 0, .high = 10'000}),
        field("most_flail_size", &Rules::most_flail_size, {.low = 1, .high = 100'000}),
        field("round_ticks", &Rules::round_ticks, {.low = 0, .high = 1'000'000, .unit = "ticks"}),
        field("round_goal", &Rules::round_goal, {.low = 0, .high = 1'000'000}),
        field("restart_pause", &Rules::restart_pause, {.low = 1, .high = 10'000, .unit = "ticks"}),
        field("king_bounty", &Rules::king_bounty, {.low = 0, .high = 10'000}),
        field("unused_too", &Rules::unused_too));
    // clang-format on
}

struct Map {
    double size = 8500;  // mapSize (section 2): x and y from -size/2 to size/2, u
    std::uint32_t most_players = 64;
    state::Reserved<4> unused;
};

constexpr auto fields_of(state::Type<Map>) {
    using state::field;
    return state::fields("Map", field("size", &Map::size, {.low = 200, .high = 1'000'000, .unit = "u"}),
                         field("most_players", &Map::most_players, {.low = 1, .high = 64}),
                         field("unused", &Map::unused));
}

struct Setup {
    Rules rules;
    Map map;
    double kept = 1 / 1.1;  // from drag_divisor: the part of a velocity that drag leaves

    motion::Spring rope_link() const {
        return {rules.rope_stiffness, rules.rope_rest_length, rules.spring_pushes};
    }
    contract::RoundRules round() const {
        return {rules.combat ? rules.round_ticks : 0, rules.round_goal, rules.restart_pause};
    }
    double flail_radius(std::uint32_t size) const { return rules.flail_radius_per_size * size; }
};

state::Result<Setup> load(state::Type<Setup>, const state::Json& level, const std::string& where);

}  // namespace instep::worlds::flail
