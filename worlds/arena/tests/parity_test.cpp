// SPDX-License-Identifier: MIT
// Every recording of the original: to the bit until bodies first touch, and after that what physics says of
// both: momentum, restitution, and where they end up.
#include <arena/ship.h>
#include <instep/match/parity.h>
#include <instep/match/registry.h>

#include <doctest/doctest.h>

#include <arena/tests/support.h>

#include <cmath>

using namespace instep;
using contract::Recording;
using state::Json;
using test::arena::at;
using test::arena::recording;
using test::arena::Vec2;
namespace arena = worlds::arena;

namespace {

match::ParityReport compare(const Json& file, const std::string& name, const match::ParityRules& rules) {
    const auto world = match::find_world("arena");
    REQUIRE(world);
    const auto report = match::check_parity(**world, file, name, rules);
    REQUIRE_MESSAGE(report, report.error().text());
    return *report;
}

std::string largest(const match::ParityReport& report) {
    return report.largest.column + " at tick " + std::to_string(report.largest.tick) + ": expected " +
           state::write_json(Json(report.largest.expected)) + ", got " +
           state::write_json(Json(report.largest.got));
}

// A recording and our run of it, row for row.
struct Pair {
    Recording theirs;
    Recording ours;

    explicit Pair(const std::string& name) {
        const Json file = recording(name);
        const auto read = match::read_recording(file, name);
        REQUIRE_MESSAGE(read, read.error().text());
        theirs = *read;
        const auto run = worlds::arena::parity({}, file, name);
        REQUIRE_MESSAGE(run, run.error().text());
        ours = *run;
        REQUIRE(ours.rows.size() == theirs.rows.size());
    }
};

double value(const Recording& recording, std::size_t row, const std::string& column) {
    for (std::size_t i = 0; i < recording.columns.size(); ++i)
        if (recording.columns[i] == column) return recording.rows[row][i];
    FAIL("no column " << column);
    std::abort();
}

Vec2 velocity(const Recording& recording, std::size_t row, int body) {
    const std::string prefix = "b" + std::to_string(body) + "_";
    return {value(recording, row, prefix + "vx"), value(recording, row, prefix + "vy")};
}

// Of ships, which all have the same mass.
Vec2 momentum(const Recording& recording, std::size_t row, int ships) {
    Vec2 sum{};
    for (int i = 0; i < ships; ++i) sum += velocity(recording, row, i);
    return 0.75 * sum;
}

double energy(const Recording& recording, std::size_t row, int ships) {
    double sum = 0;
    for (int i = 0; i < ships; ++i) {
        const double spin = value(recording, row, "b" + std::to_string(i) + "_w");
        sum += 0.5 * (0.75 * length_squared(velocity(recording, row, i)) + 0.125 * spin * spin);
    }
    return sum;
}

// The same object with the value at a path of keys replaced, or taken out.
Json with(const Json& object, std::span<const std::string_view> path, const Json* value) {
    Json::Object changed;
    for (const auto& [key, old] : *object.object()) {
        if (key != path[0])
            changed.emplace_back(key, old);
        else if (path.size() > 1)
            changed.emplace_back(key, with(old, path.subspan(1), value));
        else if (value)
            changed.emplace_back(key, *value);
    }
    return changed;
}

}  // namespace

TEST_CASE("arena parity: every recording of the arena is reproduced to the bit until bodies touch") {
    const Json index = test::arena::read_json(test::arena::vectors() / "../vectors.json");
    int compared = 0;
    for (const auto& entry : std::filesystem::directory_iterator(test::arena::vectors())) {
        const std::string name = entry.path().filename().string();
        CAPTURE(name);
        const auto rules = match::find_parity_rules(index, "vectors.json", name);
        REQUIRE_MESSAGE(rules, rules.error().text());
        if (rules->by_hand) continue;
        const match::ParityReport report = compare(test::arena::read_json(entry.path()), name, *rules);
        CHECK_MESSAGE(report.largest.size == 0, largest(report));
        CHECK(report.rows > 0);
        ++compared;
    }
    CHECK(compared == 11);
}

TEST_CASE(
    "arena parity: six ships that fly at each other do so to the bit of the recording until they meet") {
    const match::ParityReport report = compare(recording("six_ship_pile.json"), "pile", {.rows = 53});
    CHECK_MESSAGE(report.largest.size == 0, largest(report));
    CHECK(report.rows == 53);
    CHECK(report.columns == 36);
}

TEST_CASE("arena parity: a difference is found: the comparison of the arena can fail") {
    const Json file = recording("coast_damping.json");
    const Json value = 0.0501;
    const std::string_view path[] = {"header", "constants", "linearDamping"};
    CHECK(!compare(with(file, path, &value), "coast", {}).within());
}

// Damping takes the same part of every ship's velocity, so it takes that part of their sum,
// whatever collided.
TEST_CASE("arena parity: ships that meet have the momentum of the recorded ones at every tick") {
    struct Case {
        const char* file;
        int ships;
    };
    for (const auto& [file, ships] : {Case{"ship_ship_headon.json", 2}, Case{"ship_ship_oblique.json", 2},
                                      Case{"six_ship_pile.json", 6}}) {
        CAPTURE(file);
        const Pair pair(file);
        for (std::size_t row = 0; row < pair.ours.rows.size(); ++row) {
            const Vec2 difference = momentum(pair.ours, row, ships) - momentum(pair.theirs, row, ships);
            REQUIRE(length(difference) < 1e-9);
        }
    }
}

TEST_CASE(
    "arena parity: ships that meet never win energy, and at the end have about as much as the recorded "
    "ones") {
    struct Case {
        const char* file;
        int ships;
        double part;  // by which the ends may differ
    };
    for (const auto& [file, ships, part] :
         {Case{"ship_ship_headon.json", 2, 0.15}, Case{"ship_ship_oblique.json", 2, 0.15},
          Case{"six_ship_pile.json", 6, 0.3}}) {
        CAPTURE(file);
        const Pair pair(file);
        for (std::size_t row = 1; row < pair.ours.rows.size(); ++row)
            REQUIRE(energy(pair.ours, row, ships) <= energy(pair.ours, row - 1, ships) * (1 + 1e-12));
        const std::size_t last = pair.ours.rows.size() - 1;
        const double theirs = energy(pair.theirs, last, ships);
        CHECK(std::fabs(energy(pair.ours, last, ships) - theirs) < part * theirs);
    }
}

TEST_CASE("arena parity: a shot that hits a resting ship leaves both with the recorded speeds") {
    const Pair pair("projectile_ship.json");
    const std::size_t last = pair.ours.rows.size() - 1;
    for (int body = 0; body < 2; ++body) {
        CAPTURE(body);
        const Vec2 theirs = velocity(pair.theirs, last, body);
        CHECK(length(velocity(pair.ours, last, body) - theirs) < 0.05 * length(theirs));
    }
}

TEST_CASE("arena parity: a fast shot stays on its side of a thin wall") {
    const Pair pair("projectile_wall_bullet.json");
    const double surface = 3.3 - 0.05;
    for (std::size_t row = 0; row < pair.ours.rows.size(); ++row)
        REQUIRE(value(pair.ours, row, "b0_x") < surface);
    const std::size_t last = pair.ours.rows.size() - 1;
    CHECK(length(velocity(pair.ours, last, 0)) < 0.01);  // nothing bounces off this wall: restitution 0
    CHECK(std::fabs(value(pair.ours, last, "b0_x") - value(pair.theirs, last, "b0_x")) < 0.02);
}

TEST_CASE("arena parity: a ship bounces off a wall about as the recorded one does") {
    const Pair pair("ship_wall_bounce.json");
    const std::size_t last = pair.ours.rows.size() - 1;
    const Vec2 theirs = velocity(pair.theirs, last, 0);
    CHECK(length(velocity(pair.ours, last, 0) - theirs) < 0.1 * length(theirs));
}

// It thrusts at an angle, so that it slides; how far follows from when it comes to lie flat.
TEST_CASE(
    "arena parity: a ship that thrusts against a wall stays before it and slides along it as the recorded "
    "one does") {
    const Pair pair("ship_wall_thrust.json");
    const double surface = 6 - 0.5;
    for (std::size_t row = 0; row < pair.ours.rows.size(); ++row)
        REQUIRE(value(pair.ours, row, "b0_x") < surface);
    const std::size_t last = pair.ours.rows.size() - 1;
    const double theirs = value(pair.theirs, last, "b0_y");
    CHECK(std::fabs(value(pair.ours, last, "b0_y") - theirs) < 0.25 * std::fabs(theirs));
}

// Not a rule of ours, but one that our rules can say: cooling goes on, and ends at nothing.
TEST_CASE("arena parity: the recorded variant with a recovery follows from two rules") {
    const Json file = recording("heat_fire_recover_variant.json");
    const auto theirs = match::read_recording(file, "variant");
    REQUIRE(theirs);
    arena::Rules rules = arena::faithful;
    rules.overheated_for_good = false;
    rules.recovered_heat = 0;
    test::arena::Room room(test::arena::make(rules, {.half_width = 2000, .half_height = 50}));
    room.join_at(0, {-1900, 0});
    room.player(0).heat = 0;
    for (std::size_t row = 0; row < theirs->rows.size(); ++row) {
        const auto pressed = [&](const char* key) { return value(*theirs, row, key) != 0; };
        room.inputs[0] = {pressed("in_thrust"), pressed("in_left"), pressed("in_right"), pressed("in_fire")};
        room.step();
        CAPTURE(row);
        REQUIRE(std::fabs(room.player(0).heat - value(*theirs, row, "b0_heat")) < 1e-9);
        REQUIRE(room.player(0).overheated == (value(*theirs, row, "b0_overheated") != 0));
    }
}

TEST_CASE(
    "arena parity: a recording of the arena that lacks something is refused with its position in the file") {
    const Json file = recording("ship_wall_bounce.json");
    REQUIRE(worlds::arena::parity({}, file, "test.json"));
    const auto refusal = [](const Json& broken) {
        const auto run = worlds::arena::parity({}, broken, "test.json");
        REQUIRE(!run);
        return run.error().text();
    };
    const auto without = [&](std::initializer_list<std::string_view> path) {
        return refusal(with(file, std::span(path.begin(), path.size()), nullptr));
    };
    const auto says = [](const std::string& error, std::string_view what) {
        return error.find(what) != std::string::npos;
    };
    CHECK(says(without({"header"}), "header"));
    CHECK(says(without({"header", "constants"}), "thrustForce"));
    CHECK(says(without({"header", "constants", "timeStep"}), "timeStep"));
    CHECK(says(without({"header", "initial_state"}), "initial_state"));
    const auto replaced = [&](std::initializer_list<std::string_view> path, const Json& value) {
        return refusal(with(file, std::span(path.begin(), path.size()), &value));
    };
    CHECK(says(replaced({"header", "initial_state"}, Json::Array(17, Json())), "1 to 16"));
    CHECK(says(replaced({"header", "initial_state"}, Json::Array(1, Json::Object{{"kind", "moon"}})),
               "initial_state[0].kind"));
    CHECK(says(replaced({"header", "initial_state"}, Json::Array(1, Json::Object{{"kind", "ship"}})),
               "initial_state[0].x"));
    CHECK(says(replaced({"columns"}, Json::Array(11, Json("mood"))), "\"t\""));
}
