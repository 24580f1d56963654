// SPDX-License-Identifier: MIT
// Replays a recording of the original program: its constants become rules, its bodies become ships, shots and
// walls, its keys become ticks of the real step, and the state after each tick becomes a row of the same
// columns.
#include <array>
#include <cmath>
#include <optional>

#include <arena/arena.h>
#include <instep/contract/recording.h>

namespace instep::worlds::arena {

using contract::Recording;
using contract::RecordingReader;
using state::Json;
using state::refuse;
using state::Result;

namespace {

constexpr std::uint32_t endless = 10'000'000;                // ticks; no recording is as long
constexpr Field endless_space{9000, 9000, most_ships, 256};  // as large as the engine's walls can be

// One body of the recording, and its counterpart in our state.
struct Body {
    enum class Kind : std::uint8_t { ship, shot, wall } kind = Kind::ship;
    std::uint32_t index = 0;  // in its pool
    Flight flight;
    Vec2 half_size;
};

Result<Rules> rules_of(const RecordingReader& file) {
    Rules rules = faithful;
    rules.match_ticks = endless;
    rules.shot_ticks = endless;
    struct Constant {
        const char* name;
        double* value;
    };
    for (const auto& [name, value] : std::initializer_list<Constant>{
             {"thrustForce", &rules.thrust},
             {"rotationSpeed", &rules.turn_speed},
             {"linearDamping", &rules.linear_damping},
             {"angularDamping", &rules.angular_damping},
             {"maxHeat", &rules.most_heat},
             {"heatDecayRate", &rules.cooling},
             {"thrustHeatGeneration", &rules.thrust_heat},
             {"weaponHeatGeneration", &rules.shot_heat},
         }) {
        const auto read = file.constant(name, 0, 1e6);
        if (!read) return std::unexpected(read.error());
        *value = *read;
    }
    const auto velocity_iterations = file.whole_constant("velocityIterations", 1, 50);
    if (!velocity_iterations) return std::unexpected(velocity_iterations.error());
    const auto position_iterations = file.whole_constant("positionIterations", 0, 50);
    if (!position_iterations) return std::unexpected(position_iterations.error());
    const auto time_step = file.constant("timeStep", 1.0 / 60, 1.0 / 60);
    if (!time_step) return std::unexpected(time_step.error());
    rules.velocity_iterations = *velocity_iterations;
    rules.position_iterations = *position_iterations;
    return rules;
}

Result<double> number_of(const Json& object, std::string_view key, const std::string& where) {
    const Json* found = object.find(key);
    if (!found || !found->is_number() || !(std::fabs(found->number()) <= 1000))
        return refuse(where + "." + std::string(key), "expected a number of at most 1000");
    return found->number();
}

Result<void> read_flight(const Json& item, Flight& flight, const std::string& where) {
    struct Number {
        const char* name;
        double* value;
    };
    for (const auto& [name, value] : std::initializer_list<Number>{{"x", &flight.position.x},
                                                                   {"y", &flight.position.y},
                                                                   {"vx", &flight.velocity.x},
                                                                   {"vy", &flight.velocity.y},
                                                                   {"angle", &flight.angle},
                                                                   {"w", &flight.spin}}) {
        const auto read = number_of(item, name, where);
        if (!read) return std::unexpected(read.error());
        *value = *read;
    }
    return {};
}

Result<void> read_half_size(const Json& item, Vec2& half_size, const std::string& where) {
    const Json* pair = item.find("half_size");
    const bool is_pair = pair && pair->array() && pair->array()->size() == 2;
    if (!is_pair || !(*pair->array())[0].is_number() || !(*pair->array())[1].is_number())
        return refuse(where + ".half_size", "expected two numbers");
    half_size = {(*pair->array())[0].number(), (*pair->array())[1].number()};
    return {};
}

Result<Body> read_body(const Json& item, const std::string& where) {
    Body body;
    const Json* kind = item.find("kind");
    const std::string name = kind && kind->string() ? *kind->string() : "";
    if (name == "projectile")
        body.kind = Body::Kind::shot;
    else if (name == "wall")
        body.kind = Body::Kind::wall;
    else if (name != "ship")
        return refuse(where + ".kind", "expected \"ship\", \"projectile\" or \"wall\"");
    if (auto read = read_flight(item, body.flight, where); !read) return std::unexpected(read.error());
    if (body.kind == Body::Kind::wall)
        if (auto read = read_half_size(item, body.half_size, where); !read)
            return std::unexpected(read.error());
    return body;
}

Result<std::vector<Body>> bodies_of(const Json& header, const std::string& where) {
    const Json* list = header.find("initial_state");
    if (!list || !list->array() || list->array()->empty() || list->array()->size() > most_ships)
        return refuse(where + ".initial_state",
                      "expected an array of 1 to " + std::to_string(most_ships) + " bodies");
    std::vector<Body> bodies;
    std::array<std::uint32_t, 3> counts{};
    for (const Json& item : *list->array()) {
        auto body = read_body(item, where + ".initial_state[" + std::to_string(bodies.size()) + "]");
        if (!body) return std::unexpected(body.error());
        body->index = counts[static_cast<std::size_t>(body->kind)]++;
        bodies.push_back(*body);
    }
    return bodies;
}

void add_bodies(State& state, const std::vector<Body>& bodies, const Rules& rules) {
    for (const Body& body : bodies) {
        if (body.kind == Body::Kind::ship)
            state.players.add(
                {.ship = body.flight, .health = rules.most_health, .slot = static_cast<Slot>(body.index)});
        if (body.kind == Body::Kind::shot)
            state.shots.add({.flight = body.flight, .ticks_left = rules.shot_ticks - rules.shot_safe_ticks});
    }
}

// "b1_vx": a number of the second body.
std::optional<double> value_named(const std::string& column, const std::vector<Body>& bodies,
                                  const State& state) {
    const std::size_t bar = column.find('_');
    if (bar != 2 || column[0] != 'b' || column[1] < '0' || column[1] > '9') return {};
    const auto number = static_cast<std::size_t>(column[1] - '0');
    if (number >= bodies.size()) return {};
    const Body& body = bodies[number];
    if (body.kind == Body::Kind::wall) return {};
    const std::string name = column.substr(bar + 1);
    if (body.kind == Body::Kind::ship) {
        if (name == "heat") return state.players[body.index].heat;
        if (name == "overheated") return state.players[body.index].overheated;
    }
    const Flight& flight =
        body.kind == Body::Kind::ship ? state.players[body.index].ship : state.shots[body.index].flight;
    if (name == "x") return flight.position.x;
    if (name == "y") return flight.position.y;
    if (name == "angle") return flight.angle;
    if (name == "vx") return flight.velocity.x;
    if (name == "vy") return flight.velocity.y;
    if (name == "w") return flight.spin;
    return {};
}

// The keys of the first body; a recording without such columns presses none.
struct Keys {
    std::optional<std::size_t> thrust, left, right, fire;

    explicit Keys(const RecordingReader& file) {
        const auto find = [&file](std::string_view name) -> std::optional<std::size_t> {
            const auto column = file.column(name);
            return column ? std::optional(*column) : std::nullopt;
        };
        thrust = find("in_thrust");
        left = find("in_left");
        right = find("in_right");
        fire = find("in_fire");
    }
    Input at(const RecordingReader& file, std::size_t row) const {
        const auto is_down = [&](std::optional<std::size_t> key) { return key && file.at(row, *key) != 0; };
        return {is_down(thrust), is_down(left), is_down(right), is_down(fire)};
    }
};

}  // namespace

Result<Recording> parity(state::Type<Setup>, const Json& json, const std::string& where) {
    const auto file = RecordingReader::open(json, where);
    if (!file) return std::unexpected(file.error());
    const auto rules = rules_of(*file);
    if (!rules) return std::unexpected(rules.error());
    const auto bodies = bodies_of(file->header(), where + ": header");
    if (!bodies) return std::unexpected(bodies.error());
    std::vector<Wall> walls;
    for (const Body& body : *bodies)
        if (body.kind == Body::Kind::wall)
            walls.push_back({body.flight.position, body.half_size, body.flight.angle});
    const auto setup = make_setup(*rules, endless_space, walls, {}, {{}});
    if (!setup) return state::within(where, setup.error());

    const state::Layout layout = state::make_layout<State>(*setup);
    state::Block block(layout);
    State state = state::bind<State>(layout, block.data());
    *state.head = {};
    start(state, *setup);
    add_bodies(state, *bodies, *rules);

    const Keys keys(*file);
    std::vector<Event> room(facts(*setup).most_events);
    std::array<Input, most_ships> inputs{};
    const auto step_once = [&](std::size_t row) {
        inputs[0] = keys.at(*file, row);
        contract::Events<Event> events(room);
        step(state, *setup, {{}, {}, inputs}, events);
    };
    return file->replay(step_once, [&](const std::string& column) -> Result<double> {
        if (const auto value = value_named(column, *bodies, state)) return *value;
        return std::unexpected(file->unknown_column(column));
    });
}

}  // namespace instep::worlds::arena
