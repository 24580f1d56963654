// SPDX-License-Identifier: MIT
#include <orbit/setup.h>

#include <instep/contract/facts.h>
#include <instep/math/trig.h>

#include <doctest/doctest.h>

#include <orbit/tests/support.h>
#include <tests/support/property.h>

using namespace instep;
using namespace instep::worlds::orbit;

namespace {

Setup load_level(const std::string& name) {
    const auto setup =
        load({}, test::orbit::read_json(test::source_dir() / "worlds/orbit/levels" / name), name);
    REQUIRE_MESSAGE(setup, setup.error().text());
    return *setup;
}

Setup load_text(std::string_view text) {
    const auto json = state::parse_json(text, "test.json");
    REQUIRE_MESSAGE(json, json.error().text());
    const auto setup = load({}, *json, "test.json");
    REQUIRE_MESSAGE(setup, setup.error().text());
    return *setup;
}

std::string error_of(std::string_view text) {
    const auto json = state::parse_json(text, "test.json");
    REQUIRE_MESSAGE(json, json.error().text());
    const auto setup = load({}, *json, "test.json");
    REQUIRE(!setup);
    return setup.error().text();
}

bool says(const std::string& error, std::string_view what) { return error.find(what) != std::string::npos; }

}  // namespace

TEST_CASE("orbit setup: the original level is the document's default world") {
    const Setup level = load_level("original.json");
    Setup world = test::orbit::default_world();
    CHECK(world.rules.restart_pause == 0);  // the recordings stand still for ever
    world.rules.restart_pause = 150;        // a level that people play begins again
    CHECK(level.pallets == world.pallets);
    CHECK(state::write_json(state::struct_to_json(level.rules)) ==
          state::write_json(state::struct_to_json(world.rules)));
    CHECK(state::write_json(state::struct_to_json(level.space)) ==
          state::write_json(state::struct_to_json(world.space)));
    CHECK(level.rules.match_ends);
    CHECK(level.dt == 1.0 / 30);
    CHECK(level.sun.strength == 1000);
    CHECK(level.sun.most_acceleration == 100);
}

TEST_CASE("orbit setup: the belt is a game for 32 ships, with more pallets than they are") {
    const Setup setup = load_level("belt.json");
    CHECK(setup.space.most_players == 32);
    CHECK(setup.pallets.size() > 32);
    CHECK(!setup.rules.match_ends);
    const contract::Facts facts = worlds::orbit::facts(setup);
    CHECK(facts.tick_rate == 30);
    CHECK(facts.snapshot_every == 2);
    CHECK(facts.most_players == 32);
    for (const math::Vec2 pallet : setup.pallets) {
        CHECK(pallet.x > facts.view_low.x);
        CHECK(pallet.x < facts.view_high.x);
    }
}

TEST_CASE(
    "orbit setup: a jump shown as a jump is longer than any flight between two snapshots, and shorter than a "
    "respawn") {
    const Setup setup = load_level("belt.json");
    const contract::Facts facts = worlds::orbit::facts(setup);
    // Falling from the edge, all its energy burnt on the way.
    const double speed = std::sqrt(2 * setup.sun.strength / setup.sun_radius) + 200 * 20.0 / 30;
    CHECK(facts.teleport_distance > speed * facts.snapshot_every / facts.tick_rate);
    CHECK(facts.teleport_distance < setup.space.orbit_radius - setup.sun_radius);
}

TEST_CASE("orbit setup: a ring spreads its pallets evenly around the sun") {
    const Setup setup = load_text(R"({"rules": "game", "space": {"sun": {"position": [10, 20]}},
                                      "pallets": [[500, 0]],
                                      "rings": [{"radius": 100, "angle": 0.5, "count": 7}]})");
    REQUIRE(setup.pallets.size() == 8);
    CHECK(setup.pallets[0] == math::Vec2{500, 0});
    const double side = 200 * math::sin(math::pi / 7);
    for (std::size_t i = 1; i < 8; ++i) {
        CHECK(distance(setup.pallets[i], {10, 20}) == doctest::Approx(100));
        CHECK(distance(setup.pallets[i], setup.pallets[i == 7 ? 1 : i + 1]) == doctest::Approx(side));
    }
    CHECK(setup.pallets[1].x == doctest::Approx(10 + 100 * math::cos(0.5)));
}

TEST_CASE("orbit setup: a faulty level is refused with the reason") {
    CHECK(error_of(R"({"rules": "hard"})") ==
          R"(test.json: rules: expected "faithful" or "game", got "hard")");
    CHECK(says(error_of("{}"), "has no \"rules\""));
    CHECK(says(error_of(R"({"rules": "game", "palets": []})"), "\"palets\""));
    CHECK(says(error_of(R"({"rules": {"base": "game", "drag_k": "slow"}})"), "rules.drag_k"));
    CHECK(says(error_of(R"({"rules": "game", "space": {"most_players": 33}})"), "space.most_players"));
    CHECK(says(error_of(R"({"rules": "game", "space": {"sun": {"mass": -1}}})"), "space.sun.mass"));
    CHECK(says(error_of(R"({"rules": "game", "space": {"sun": {"radius": 1e9}}})"), "space.sun.radius"));
    CHECK(says(error_of(R"({"rules": "game", "pallets": 5})"), "pallets"));
    CHECK(says(error_of(R"({"rules": "game", "pallets": [[100, 100], [1]]})"), "pallets[1]"));
    CHECK(says(error_of(R"({"rules": "game", "pallets": [[100, 100], [1, "x"]]})"), "pallets[1]"));
    CHECK(says(error_of(R"({"rules": "game", "rings": [{"radius": 100, "angle": 0}]})"), "rings[0]"));
    CHECK(says(error_of(R"({"rules": "game", "rings": [{"radius": 100, "angle": 0, "count": 300}]})"),
               "rings[0].count"));
}

TEST_CASE("orbit setup: a level that cannot be played is refused") {
    CHECK(says(error_of(R"({"rules": "faithful", "pallets": [[80, 0], [30, 30]]})"),
               "pallet 2: lies in the sun"));
    CHECK(says(error_of(R"({"rules": "faithful", "pallets": [[1e9, 0]]})"), "beyond all reach"));
    CHECK(says(error_of(R"({"rules": "faithful", "space": {"start": {"position": [20, 10]}}})"),
               "space.start: is in the sun"));
    CHECK(says(error_of(R"({"rules": "game", "space": {"orbit_radius": 40}})"),
               "space.orbit_radius: is in the sun"));
    CHECK(says(error_of(R"({"rules": "game", "space": {"orbit_radius": 4000}})"), "beyond rules.edge"));
    CHECK(says(error_of(R"({"rules": "game", "rings": [{"radius": 100, "angle": 0, "count": 200},
                                                       {"radius": 200, "angle": 0, "count": 57}]})"),
               "257 pallets"));
}
