// SPDX-License-Identifier: MIT
// Every recording of the original, and recordings made here by a plain transcription of its update order from
// worlds without a recording.
#include <instep/match/parity.h>
#include <instep/match/registry.h>
#include <instep/math/trig.h>
#include <instep/math/units.h>

#include <doctest/doctest.h>

#include <orbit/tests/support.h>
#include <tests/support/property.h>

#include <cmath>

using namespace instep;
using state::Json;
using test::orbit::at;

namespace {

const match::WorldTable& orbit_table() {
    const auto world = match::find_world("orbit");
    REQUIRE(world);
    return **world;
}

match::ParityReport compare(const Json& file, const std::string& name, const match::ParityRules& rules) {
    const auto report = match::check_parity(orbit_table(), file, name, rules);
    REQUIRE_MESSAGE(report, report.error().text());
    return *report;
}

std::string largest(const match::ParityReport& report) {
    return report.largest.column + " at tick " + std::to_string(report.largest.tick) + ": expected " +
           state::write_json(Json(report.largest.expected)) + ", got " +
           state::write_json(Json(report.largest.got));
}

// The update order of the recordings' headers, written down word by word, without any of our own physics.
struct Transcript {
    struct Pallet {
        double x, y;
        bool active;
    };
    double x, y, vx, vy, rot;
    float energy;
    double sun_x, sun_y, mass;
    float radius;
    std::vector<Pallet> pallets;
    bool done = false;
    bool win = false;

    static float clamp(float value, float low, float high) {
        return value < low ? low : value > high ? high : value;
    }

    void tick(float thrust, float turn) {
        if (done) return;
        const double dt = 1.0 / 30.0;
        thrust = clamp(thrust, 0, 1);
        turn = clamp(turn, -1, 1);
        rot = std::fmod(rot + 3 * double{turn} * dt, 2 * math::pi);
        if (rot < 0) rot += 2 * math::pi;
        if (energy > 0 && thrust > 0) {
            const double m = double{thrust} * 20;
            vx += math::cos(rot) * m * dt;
            vy += -math::sin(rot) * m * dt;
            energy = clamp(energy - 0.5f, 0, 100);
        }
        const double dx = sun_x - x;
        const double dy = sun_y - y;
        const double squared = dx * dx + dy * dy;
        const double distance = std::sqrt(squared);
        if (mass != 0 && distance != 0) {
            const double a = std::min(1 * mass / squared, 100.0);
            const double inverse = 1 / distance;
            vx += dx * inverse * a * dt;
            vy += dy * inverse * a * dt;
        }
        x += vx * dt;
        y += vy * dt;
        bool any_active = false;
        for (Pallet& pallet : pallets) {
            const double px = pallet.x - x;
            const double py = pallet.y - y;
            if (pallet.active && px * px + py * py <= 15.0 * 15.0) {
                pallet.active = false;
                energy = clamp(energy + 25, 0, 100);
            }
            any_active = any_active || pallet.active;
        }
        const double ex = sun_x - x;
        const double ey = sun_y - y;
        if (!pallets.empty() && !any_active)
            done = win = true;
        else if (ex * ex + ey * ey <= double{radius} * double{radius})
            done = true;
    }
};

Json initial_state(const Transcript& world) {
    Json::Array pallets;
    for (const Transcript::Pallet& pallet : world.pallets)
        pallets.push_back(Json::Object{
            {"active", pallet.active}, {"id", pallets.size() + 1}, {"x", pallet.x}, {"y", pallet.y}});
    return Json::Object{{"pallets", pallets},
                        {"ship", Json::Object{{"energy", double{world.energy}},
                                              {"rot", world.rot},
                                              {"vx", world.vx},
                                              {"vy", world.vy},
                                              {"x", world.x},
                                              {"y", world.y}}},
                        {"sun", Json::Object{{"mass", world.mass},
                                             {"radius", double{world.radius}},
                                             {"x", world.sun_x},
                                             {"y", world.sun_y}}}};
}

Json::Array row_of(int t, float thrust, float turn, const Transcript& world) {
    std::uint64_t mask = 0;
    for (std::size_t i = 0; i < world.pallets.size(); ++i)
        mask |= std::uint64_t{world.pallets[i].active} << i;
    return {t,
            double{thrust},
            double{turn},
            world.x,
            world.y,
            world.vx,
            world.vy,
            world.rot,
            double{world.energy},
            mask,
            world.done ? 1 : 0,
            world.win ? 1 : 0};
}

Json constants() {
    return Json::Object{{"G", 1},
                        {"a_max", 100},
                        {"dt", "1.0/30.0 (float64)"},
                        {"max_energy", 100},
                        {"min_energy_for_thrust", 0},
                        {"pallet_restore", 25},
                        {"pickup_radius", 15},
                        {"thrust_acceleration", 20},
                        {"thrust_drain_per_tick", 0.5},
                        {"turn_rate_rad_s", 3}};
}

Transcript random_world(math::Random& random) {
    Transcript world{};
    world.sun_x = random.below(2) == 0 ? 0 : random.uniform(-500, 500);
    world.sun_y = random.below(2) == 0 ? 0 : random.uniform(-500, 500);
    world.mass = std::floor(random.uniform(0, 4)) == 0 ? 0 : random.uniform(0.5, 50'000);
    world.radius = static_cast<float>(random.uniform(10, 60));
    world.x = world.sun_x + random.uniform(-400, 400);
    world.y = world.sun_y + random.uniform(-400, 400);
    world.vx = random.uniform(-40, 40);
    world.vy = random.uniform(-40, 40);
    world.rot = random.uniform(-10, 10);
    world.energy = static_cast<float>(random.uniform(0, 100));
    for (std::uint32_t n = random.below(20); n > 0; --n) {
        const double x = world.sun_x + random.uniform(-300, 300);
        const double y = world.sun_y + random.uniform(-300, 300);
        world.pallets.push_back({x, y, random.below(5) != 0});
    }
    return world;
}

// A file of the recordings' form. Inputs go beyond their range and change only where a row is kept.
Json random_recording(math::Random& random) {
    Transcript world = random_world(random);
    const Json start = initial_state(world);
    const int stride = random.below(3) == 0 ? 1 + static_cast<int>(random.below(7)) : 1;
    Json::Array rows;
    float thrust = 0;
    float turn = 0;
    for (int t = 1; t <= 600; ++t) {
        if ((t - 1) % stride == 0 && random.below(10) == 0) {
            thrust = static_cast<float>(random.uniform(-1, 2));
            turn = static_cast<float>(random.uniform(-3, 3));
        }
        world.tick(thrust, turn);
        if (t % stride == 0) rows.push_back(row_of(t, thrust, turn, world));
    }
    const Json columns = Json::Array{"t",  "in_thrust", "in_turn", "x",           "y",    "vx",
                                     "vy", "rot",       "energy",  "active_mask", "done", "win"};
    return Json::Object{{"header", Json::Object{{"system", "orbit"},
                                                {"case", "random"},
                                                {"constants", constants()},
                                                {"initial_state", start},
                                                {"row_stride", stride}}},
                        {"columns", columns},
                        {"rows", rows}};
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

std::string refusal(const Json& file) {
    const auto run = worlds::orbit::parity({}, file, "test.json");
    REQUIRE(!run);
    return run.error().text();
}

}  // namespace

TEST_CASE("orbit parity: every recording of the original is reproduced within its tolerance") {
    const Json index = test::orbit::read_json(test::orbit::vectors() / "../vectors.json");
    int compared = 0;
    for (const auto& entry : std::filesystem::directory_iterator(test::orbit::vectors())) {
        const std::string name = entry.path().filename().string();
        CAPTURE(name);
        const auto rules = match::find_parity_rules(index, "vectors.json", name);
        REQUIRE_MESSAGE(rules, rules.error().text());
        if (rules->by_hand) continue;
        const match::ParityReport report = compare(test::orbit::read_json(entry.path()), name, *rules);
        CHECK_MESSAGE(report.within(), largest(report));
        CHECK(report.columns == 9);
        ++compared;
    }
    CHECK(compared >= 8);
}

TEST_CASE("orbit parity: worlds without a recording follow the update order as well") {
    test::for_each_seed(300, [](math::Random& random) {
        const match::ParityReport report = compare(random_recording(random), "random.json", {});
        CHECK_MESSAGE(report.within(), largest(report));
    });
}

TEST_CASE("orbit parity: a recording may begin with the state before the first tick") {
    auto random = math::Random::from_seed(3);
    const Json file = random_recording(random);
    const Json& ship = at(at(at(file, "header"), "initial_state"), "ship");
    Json::Array rows;  // not in braces: a list of one list is a copy of it to some compilers
    rows.push_back(Json::Array{0, 0, 0, at(ship, "x"), at(ship, "energy")});
    const Json first_row = rows;
    const Json columns = Json::Array{"t", "in_thrust", "in_turn", "x", "energy"};
    const std::string_view columns_path[] = {"columns"};
    const std::string_view rows_path[] = {"rows"};
    const Json changed = with(with(file, columns_path, &columns), rows_path, &first_row);
    CHECK(compare(changed, "random.json", {}).largest.size == 0);
}

TEST_CASE("orbit parity: a difference is found: the comparison can fail") {
    auto random = math::Random::from_seed(3);
    const Json file = random_recording(random);
    const std::string_view path[] = {"header", "initial_state", "ship", "vx"};
    const Json value = at(at(at(at(file, "header"), "initial_state"), "ship"), "vx").number() + 1e-6;
    CHECK(!compare(with(file, path, &value), "random.json", {}).within());
}

TEST_CASE(
    "orbit parity: a recording that lacks something, or asks for the impossible, is refused with its "
    "position in the file") {
    auto random = math::Random::from_seed(5);
    const Json file = random_recording(random);
    REQUIRE(worlds::orbit::parity({}, file, "test.json"));
    const auto without = [&](std::initializer_list<std::string_view> path) {
        return refusal(with(file, std::span(path.begin(), path.size()), nullptr));
    };
    const auto says = [](const std::string& error, std::string_view what) {
        return error.find(what) != std::string::npos;
    };
    CHECK(says(without({"header"}), "header"));
    CHECK(says(without({"rows"}), "rows"));
    CHECK(says(without({"header", "constants"}), "header.constants.G"));
    CHECK(says(without({"header", "constants", "dt"}), "constants.dt"));
    CHECK(says(without({"header", "constants", "a_max"}), "constants.a_max"));
    CHECK(says(without({"header", "initial_state"}), "initial_state"));
    CHECK(says(without({"header", "initial_state", "sun"}), "initial_state.sun"));
    CHECK(says(without({"header", "initial_state", "ship", "rot"}), "initial_state.ship.rot"));
    CHECK(says(without({"header", "initial_state", "pallets"}), "initial_state.pallets"));

    const auto replaced = [&](std::initializer_list<std::string_view> path, const Json& value) {
        return refusal(with(file, std::span(path.begin(), path.size()), &value));
    };
    CHECK(says(replaced({"header", "initial_state", "ship", "x"}, 1e300), "ship.x"));
    CHECK(says(replaced({"header", "initial_state", "ship", "x"}, "far"), "ship.x"));
    CHECK(says(replaced({"header", "initial_state", "sun", "mass"}, -1), "sun.mass"));
    CHECK(says(replaced({"header", "constants", "dt"}, "1.0/60.0"), "constants.dt"));
    CHECK(says(replaced({"header", "initial_state", "pallets"}, Json::Array(54, Json())), "at most 53"));
    CHECK(
        says(replaced({"header", "initial_state", "pallets"}, Json::Array{Json::Object{{"x", 1}, {"y", 2}}}),
             "pallets[0].active"));
    CHECK(says(replaced({"columns"}, Json::Array(12, Json("t"))), "in_thrust"));
    const Json unknown = Json::Array{"t",  "in_thrust", "in_turn", "x",           "y",    "vx",
                                     "vy", "rot",       "mood",    "active_mask", "done", "win"};
    CHECK(says(replaced({"columns"}, unknown), "\"mood\""));
}
