// SPDX-License-Identifier: MIT
// Replays a recording of the original program: its constants become rules, its inputs become ticks of the
// real step, and the state after each tick becomes a row of the same columns.
#include <array>

#include <flail/flail.h>
#include <instep/contract/recording.h>

namespace instep::worlds::flail {

using contract::Recording;
using state::Json;
using state::refuse;
using state::Result;

namespace {

Result<Setup> setup_of(const contract::RecordingReader& file) {
    Setup setup{
        .rules = faithful, .map = {.size = 8500, .most_players = 1}, .kept = 1 / faithful.drag_divisor};
    const Json* constants = file.header().find("constants");
    const Json* drag = constants ? constants->find("drag_multiplier") : nullptr;
    if (drag && !(drag->string() && drag->string()->starts_with("1/1.1")))
        return refuse("header.constants.drag_multiplier", "expected \"1/1.1\", the only drag that flail has");
    const auto nodes = file.whole_constant("rope_nodes", 2, most_rope_nodes);
    if (!nodes) return std::unexpected(nodes.error());
    const auto rest_length = file.constant("rope_rest_length", 0, 1e6);
    if (!rest_length) return std::unexpected(rest_length.error());
    const auto stiffness = file.constant("rope_k", 0, 10);
    if (!stiffness) return std::unexpected(stiffness.error());
    const auto push = file.constant("acceleration_per_tick", 0, 100);
    if (!push) return std::unexpected(push.error());
    setup.rules.push = *push;
    setup.rules.rope_nodes = *nodes;
    setup.rules.rope_rest_length = *rest_length;
    setup.rules.rope_stiffness = *stiffness;
    return setup;
}

// "player_x", "chain2_vy", "flail_angle": where the column's value is kept, or null if there is no such
// thing.
const double* value_named(std::string_view column, const Player& player, const Setup& setup) {
    if (column == "flail_angle") return &player.flail_angle;
    const std::size_t bar = column.find('_');
    if (bar == std::string_view::npos) return nullptr;
    const std::string_view part = column.substr(0, bar);
    const std::string_view what = column.substr(bar + 1);
    std::size_t node = 0;
    if (part == "flail") {
        node = setup.rules.rope_nodes - 1;
    } else if (part.starts_with("chain")) {
        const std::string_view digits = part.substr(5);
        if (digits.empty() || digits.size() > 2) return nullptr;
        for (const char digit : digits) {
            if (digit < '0' || digit > '9') return nullptr;
            node = node * 10 + static_cast<std::size_t>(digit - '0');
        }
        if (node == 0 || node + 1 >= setup.rules.rope_nodes) return nullptr;
    } else if (part != "player") {
        return nullptr;
    }
    const Particle& particle = player.rope[node];
    if (what == "x") return &particle.position.x;
    if (what == "y") return &particle.position.y;
    if (what == "vx") return &particle.velocity.x;
    if (what == "vy") return &particle.velocity.y;
    return nullptr;
}

}  // namespace

Result<Recording> parity(state::Type<Setup>, const state::Json& json, const std::string& where) {
    const auto file = contract::RecordingReader::open(json, where);
    if (!file) return std::unexpected(file.error());
    const auto setup = setup_of(*file);
    if (!setup) return std::unexpected(setup.error());
    const auto angle = file->column("in_angle");
    if (!angle) return std::unexpected(angle.error());
    const auto moving = file->column("in_moving");
    if (!moving) return std::unexpected(moving.error());

    const state::Layout layout = state::make_layout<State>(*setup);
    state::Block block(layout);
    State state = state::bind<State>(layout, block.data());
    *state.head = {};
    std::array<Event, 8> room;
    const contract::Join join{.slot = 0};

    const auto step_once = [&](std::size_t row) {
        const Input input{.angle = file->at(row, *angle), .moving = file->at(row, *moving) != 0};
        contract::Events<Event> events(room);
        step(state, *setup, {{}, {&join, state.players.empty() ? 1u : 0u}, {&input, 1}}, events);
    };
    const Player unborn;  // a row of tick 0 is the state before the first step: everything in the origin
    const auto read = [&](const std::string& column) -> Result<double> {
        const Player& player = state.players.empty() ? unborn : state.players[0];
        const double* value = value_named(column, player, *setup);
        if (!value) return std::unexpected(file->unknown_column(column));
        return *value;
    };
    return file->replay(step_once, read);
}

}  // namespace instep::worlds::flail
