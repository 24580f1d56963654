// SPDX-License-Identifier: MIT
// Replays a recording of the original program: its constants become rules, its initial state becomes a level,
// its inputs become ticks of the real step, and the state after each tick becomes a row of the same columns.
#include <algorithm>
#include <array>

#include <instep/contract/recording.h>
#include <orbit/flight.h>
#include <orbit/orbit.h>

namespace instep::worlds::orbit {

using contract::Recording;
using contract::RecordingReader;
using state::Json;
using state::refuse;
using state::Result;

namespace {

constexpr std::size_t most_recorded_pallets = 53;  // active_mask, a double, has a bit for each

// One object of the header, read number by number. The first number that is missing or out of bounds is what
// all of them come to.
class Numbers {
public:
    Numbers(const Json* object, std::string where) : object_(object), where_(std::move(where)) {}

    double operator()(std::string_view key, double low, double high) {
        const Json* found = object_ ? object_->find(key) : nullptr;
        if (found && found->is_number() && found->number() >= low && found->number() <= high)
            return found->number();
        if (check_)
            check_ = refuse(where_ + "." + std::string(key), "expected a number that the world can have");
        return low;
    }
    Vec2 pair(std::string_view x, std::string_view y, double limit) {
        const double first = (*this)(x, -limit, limit);
        return {first, (*this)(y, -limit, limit)};
    }
    float single(std::string_view key, double low, double high) {
        return static_cast<float>((*this)(key, low, high));
    }
    const Result<void>& check() const { return check_; }

private:
    const Json* object_;
    std::string where_;
    Result<void> check_;
};

Result<Rules> rules_of(const Json& header, const std::string& where) {
    Rules rules = faithful;
    const Json* constants = header.find("constants");
    Numbers read(constants, where + ".constants");
    rules.gravitational_constant = read("G", 0, 1e9);
    rules.most_acceleration = read("a_max", 0, 1e9);
    rules.turn_rate = read("turn_rate_rad_s", -1e3, 1e3);
    rules.thrust_acceleration = read("thrust_acceleration", -1e6, 1e6);
    rules.pickup_radius = read("pickup_radius", 0, 1e6);
    rules.most_energy = read.single("max_energy", 0, 1e6);
    rules.thrust_drain = read.single("thrust_drain_per_tick", -1e6, 1e6);
    rules.least_energy = read.single("min_energy_for_thrust", -1e6, 1e6);
    rules.pallet_energy = read.single("pallet_restore", -1e6, 1e6);
    if (!read.check()) return std::unexpected(read.check().error());
    const Json* dt = constants->find("dt");
    if (!dt || !dt->string() || !dt->string()->starts_with("1.0/30.0"))
        return refuse(where + ".constants.dt", "expected \"1.0/30.0\", the only tick that the program knows");
    return rules;
}

Result<Space> space_of(const Json& start, const std::string& where) {
    Space space;
    Numbers sun(start.find("sun"), where + ".sun");
    space.sun.position = sun.pair("x", "y", 1e9);
    space.sun.mass = sun("mass", 0, 1e15);
    space.sun.radius = sun.single("radius", 0, 1e9);
    if (!sun.check()) return std::unexpected(sun.check().error());

    Numbers ship(start.find("ship"), where + ".ship");
    space.start.position = ship.pair("x", "y", 1e9);
    space.start.velocity = ship.pair("vx", "vy", 1e9);
    space.start.rotation = ship("rot", -1e9, 1e9);
    space.start.energy = ship.single("energy", -1e6, 1e6);
    if (!ship.check()) return std::unexpected(ship.check().error());
    return space;
}

Result<std::vector<Pallet>> pallets_of(const Json& start, const std::string& where) {
    std::vector<Pallet> pallets;
    const Json* list = start.find("pallets");
    if (!list || !list->array() || list->array()->size() > most_recorded_pallets)
        return refuse(where + ".pallets",
                      "expected an array of at most " + std::to_string(most_recorded_pallets) + " pallets");
    for (const Json& item : *list->array()) {
        const std::string entry = where + ".pallets[" + std::to_string(pallets.size()) + "]";
        Numbers read(&item, entry);
        const Vec2 position = read.pair("x", "y", 1e9);
        if (!read.check()) return std::unexpected(read.check().error());
        const Json* active = item.find("active");
        if (!active || !active->boolean()) return refuse(entry + ".active", "expected true or false");
        pallets.push_back({.position = position, .active = *active->boolean()});
    }
    return pallets;
}

// An input of any size, in the 32 bits that the program had for it.
float narrowed(double input) { return static_cast<float>(std::min(1e30, std::max(-1e30, input))); }

double active_mask(const State& state) {
    std::uint64_t mask = 0;
    for (std::uint32_t i = 0; i < state.pallets.size(); ++i)
        mask |= std::uint64_t{state.pallets[i].active} << i;
    return static_cast<double>(mask);
}

Result<double> value_named(const std::string& column, const State& state, const RecordingReader& file) {
    const Player& player = state.players[0];
    if (column == "x") return player.ship.position.x;
    if (column == "y") return player.ship.position.y;
    if (column == "vx") return player.ship.velocity.x;
    if (column == "vy") return player.ship.velocity.y;
    if (column == "rot") return player.rotation;
    if (column == "energy") return player.energy;
    if (column == "active_mask") return active_mask(state);
    if (column == "done") return state.head->over;
    if (column == "win") return state.head->won;
    return std::unexpected(file.unknown_column(column));
}

}  // namespace

Result<Recording> parity(state::Type<Setup>, const Json& json, const std::string& where) {
    const auto file = RecordingReader::open(json, where);
    if (!file) return std::unexpected(file.error());
    const auto thrust = file->column("in_thrust");
    if (!thrust) return std::unexpected(thrust.error());
    const auto turn = file->column("in_turn");
    if (!turn) return std::unexpected(turn.error());

    const std::string header = where + ": header";
    const auto rules = rules_of(file->header(), header);
    if (!rules) return std::unexpected(rules.error());
    const Json* initial = file->header().find("initial_state");
    if (!initial) return refuse(header, "expected an object \"initial_state\"");
    const auto space = space_of(*initial, header + ".initial_state");
    if (!space) return std::unexpected(space.error());
    const auto pallets = pallets_of(*initial, header + ".initial_state");
    if (!pallets) return std::unexpected(pallets.error());

    std::vector<Vec2> positions;
    for (const Pallet& pallet : *pallets) positions.push_back(pallet.position);
    const Setup setup = make_setup(*rules, *space, std::move(positions));
    const state::Layout layout = state::make_layout<State>(setup);
    state::Block block(layout);
    State state = state::bind<State>(layout, block.data());
    *state.head = {};
    for (const Pallet& pallet : *pallets) state.pallets.add(pallet);
    launch(*state.players.add(), setup);

    std::array<Event, 8> room;
    const auto step_once = [&](std::size_t row) {
        const Input input{narrowed(file->at(row, *thrust)), narrowed(file->at(row, *turn))};
        contract::Events<Event> events(room);
        step(state, setup, {{}, {}, {&input, 1}}, events);
    };
    return file->replay(step_once,
                        [&](const std::string& column) { return value_named(column, state, *file); });
}

}  // namespace instep::worlds::orbit
