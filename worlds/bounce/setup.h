// SPDX-License-Identifier: MIT
// The constant part of a match of bounce: the box and the rules. Lengths are in world units, y points
// down.
#pragma once

#include <cstdint>
#include <string>

#include <instep/state/field.h>
#include <instep/state/json.h>

namespace instep::worlds::bounce {

using state::field;
using state::fields;

struct Rules {
    double radius = 3;        // of every ball
    double push = 120;        // acceleration at full push, units/s²
    double drag = 0;          // 1/s
    double restitution = 1;   // 1 keeps all speed in an impact, 0 loses all speed along the normal
    double knock_speed = 10;  // an approach at least this fast scores, units/s
    std::uint32_t tick_rate = 60;
    state::Reserved<4> unused;
};

// No drag and nothing lost in an impact: energy and momentum can be checked against the textbook.
inline constexpr Rules faithful{};
inline constexpr Rules game{.drag = 0.6, .restitution = 0.9};

constexpr auto fields_of(state::Type<Rules>) {
    return fields("Rules", field("radius", &Rules::radius, {.low = 0.1, .high = 100, .unit = "u"}),
                  field("push", &Rules::push, {.low = 0, .high = 10'000, .unit = "u/s²"}),
                  field("drag", &Rules::drag, {.low = 0, .high = 100, .unit = "1/s"}),
                  field("restitution", &Rules::restitution, {.low = 0, .high = 1}),
                  field("knock_speed", &Rules::knock_speed, {.low = 0, .high = 10'000, .unit = "u/s"}),
                  field("tick_rate", &Rules::tick_rate, {.low = 10, .high = 1000, .unit = "Hz"}),
                  field("unused", &Rules::unused));
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
                  field("loose_balls", &Box::loose_balls, {.low = 0, .high = 1000}),
                  field("most_players", &Box::most_players, {.low = 1, .high = 64}));
}

struct Setup {
    Rules rules;
    Box box;
};

state::Result<Setup> load(state::Type<Setup>, const state::Json& level, const std::string& where);
// The bodies that a level may have more of, and the level with one more of them.
std::vector<std::string> bodies(state::Type<Setup>, const state::Json& level);
state::Result<state::Json> with_body(state::Type<Setup>, const state::Json& level, std::string_view body,
                                     math::Vec2 position);

}  // namespace instep::worlds::bounce
