// SPDX-License-Identifier: MIT
// Currents, walkers on paths and the choice of a body.
#include <creature/body.h>

#include <doctest/doctest.h>

#include <creature/tests/room.h>

#include <cmath>

using namespace instep;
using namespace instep::test;

namespace {

// One free node at the origin, in a playground with these currents.
Room one_node(std::vector<Current> currents) {
    Scene scene;
    SceneNode node;
    node.radius = 5;
    scene.nodes.push_back(node);
    Setup setup = setup_with(scene);
    setup.currents = std::move(currents);
    return Room(setup);
}

constexpr double dt = 1.0 / 60;

Setup river() { return setup_of(level_text("river")); }

}  // namespace

TEST_CASE("creature current: a node in a current moves as if its constant acceleration had changed") {
    Room room = one_node({{.low = {-10, -10}, .high = {10, 10}, .acceleration = {900, 0}}});
    Vec2 position;
    Vec2 velocity;
    for (int tick = 0; tick < 200; ++tick) {
        const bool inside = std::abs(position.x) <= 10;
        velocity = velocity * 0.98 + Vec2{inside ? 900 * dt * dt : 0, 0};
        position += velocity;
        room.step();
        REQUIRE(distance(room.body().nodes[0].position, position) < 1e-9);
    }
    CHECK(position.x > 10);
}

TEST_CASE("creature current: currents add up, and gusts swing there and back in their period") {
    Room room = one_node({{.low = {-10, -10}, .high = {10, 10}, .acceleration = {0, 100}},
                          {.low = {-10, -10}, .high = {10, 10}, .acceleration = {60, 0}, .period = 40}});
    CHECK(current_at({0, 0}, 0, room.setup) == Vec2{60, 100});
    CHECK(current_at({0, 0}, 20, room.setup).x == doctest::Approx(-60));
    CHECK(std::abs(current_at({0, 0}, 10, room.setup).x) < 1e-9);
    CHECK(current_at({0, 0}, 40, room.setup) == Vec2{60, 100});
    CHECK(current_at({11, 0}, 0, room.setup) == Vec2{});
}

TEST_CASE("creature current: in the river tails hang in the air, float in the water, and blow in the wind") {
    const Setup setup = river();
    REQUIRE(setup.currents.size() == 4);
    const auto drop_of_tail = [&](Vec2 at, int ticks) {
        Room room(setup);
        room.join(0, 0);
        Body& own = room.body_of(0);
        own = newborn(own.plan, at, 0, setup);
        own.owner = 0;
        room.inputs[0].pointer = at;
        for (int tick = 0; tick < ticks; ++tick) {
            room.state.motes.remove_if([](const Mote&) { return true; });
            room.step();
        }
        room.check_legal();
        return room.body_of(0).nodes[9].position - at;
    };
    CHECK(drop_of_tail({0, 100}, 120).y < -30);
    CHECK(drop_of_tail({0, -600}, 120).y > 30);
    const Vec2 gust = drop_of_tail({0, 440}, 90);
    const Vec2 lull = drop_of_tail({0, 440}, 90 + 240);
    CHECK(std::abs(gust.x - lull.x) > 5);
}

TEST_CASE("creature current: the river has walkers on circles and waves, and they keep to their paths") {
    const Setup setup = river();
    bool circles = false;
    bool waves = false;
    for (const Resident& resident : setup.residents)
        for (const PlanAnchor& anchor : setup.plans[resident.plan].anchors) {
            circles = circles || anchor.path == Path::circle;
            waves = waves || anchor.path == Path::wave;
        }
    CHECK(circles);
    CHECK(waves);
    for (std::uint32_t i = 0; i < setup.player_plans; ++i)
        for (const PlanAnchor& anchor : setup.plans[i].anchors) CHECK(anchor.path == Path::wander);

    Room room(setup);
    std::array<Vec2, 4> low;
    std::array<Vec2, 4> high;
    for (int tick = 0; tick < 1200; ++tick) {
        room.step();
        if (tick % 100 == 0) room.check_legal();
        for (std::uint32_t i = 0; i < 4; ++i) {
            const Vec2 at = room.body(i).nodes[0].position;
            if (tick == 0) low[i] = high[i] = at;
            low[i] = {std::min(low[i].x, at.x), std::min(low[i].y, at.y)};
            high[i] = {std::max(high[i].x, at.x), std::max(high[i].y, at.y)};
        }
    }
    for (std::uint32_t i = 0; i < 4; ++i) {
        const PlanAnchor& anchor = setup.plans[setup.residents[i].plan].anchors[0];
        CAPTURE(i);
        CHECK(high[i].x - low[i].x > anchor.amplitude.x);
        CHECK(high[i].x - low[i].x < 2.2 * anchor.amplitude.x + 20);
    }
}

TEST_CASE("creature current: levels with impossible currents are refused with a sentence") {
    const auto error = [](const std::string& currents) {
        return error_of_level(R"({"rules": "faithful", "currents": )" + currents + "}");
    };
    CHECK(error(R"({})").find("expected an array") != std::string::npos);
    CHECK(error(R"([{"low": [1, 0], "high": [0, 1]}])").find("below") != std::string::npos);
    CHECK(error(R"([{"low": [0, 0], "high": [1, 1], "acceleration": [1e9, 0]}])").find("acceleration") !=
          std::string::npos);
}

TEST_CASE("creature body: a press changes a newborn's body where it is, once for each press") {
    Room room(setup_of(level_text("garden")));
    room.join(0, 0);
    const std::uint32_t first = room.player(0).plan;
    room.inputs[0].pointer = room.body_of(0).nodes[0].position;
    const Vec2 head = room.body_of(0).nodes[room.plan_of(room.body_of(0)).head].position;
    room.inputs[0].next_body = true;
    room.step();
    CHECK(room.count(EventKind::changed) == 1);
    CHECK(room.player(0).plan == (first + 1) % room.setup.player_plans);
    CHECK(room.body_of(0).plan == room.player(0).plan);
    CHECK(distance(room.body_of(0).nodes[room.plan_of(room.body_of(0)).head].position, head) < 20);
    CHECK(room.body_of(0).bite_pause < room.setup.rules.bite_pause);
    room.check_legal();
    for (int tick = 0; tick < 10; ++tick) room.step();  // held: it does not change again
    CHECK(room.player(0).plan == (first + 1) % room.setup.player_plans);
    for (std::uint32_t press = 1; press < room.setup.player_plans; ++press) {
        room.inputs[0].next_body = false;
        room.step();
        room.inputs[0].next_body = true;
        room.step();
        room.check_legal();
    }
    CHECK(room.player(0).plan == first);
}

TEST_CASE("creature body: a creature that has eaten keeps its body, and the next life has the new one") {
    Room room(setup_of(level_text("garden")));
    room.join(0, 0);
    Body& own = room.body_of(0);
    const std::uint32_t before = own.plan;
    resize(own, 1, room.plan_of(own), room.setup.rules);
    room.inputs[0] = {.pointer = own.nodes[0].position, .next_body = true};
    room.step();
    CHECK(room.body_of(0).plan == before);
    CHECK(room.player(0).plan == (before + 1) % room.setup.player_plans);
    room.check_legal();
}
