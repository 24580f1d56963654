// SPDX-License-Identifier: MIT
// The world as a whole: parity with the original, an hour of walking, the bounds of a state, levels.
#include <creature/creature.h>
#include <instep/match/parity.h>

#include <creature/tests/room.h>
#include <tests/support/files.h>
#include <tests/support/property.h>

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <iterator>

using namespace instep;
using namespace instep::test;

TEST_CASE("creature: recordings of the original are met within their tolerances") {
    const match::WorldTable table = match::make_table<worlds::creature::World>();
    const std::filesystem::path vectors = source_dir() / "worlds/creature/vectors";
    const state::Json index = json_of(text_of(vectors / "../vectors.json"));
    int compared = 0;
    for (const auto& entry : std::filesystem::directory_iterator(vectors)) {
        const std::string name = entry.path().filename().string();
        CAPTURE(name);
        const auto rules = match::find_parity_rules(index, "vectors.json", name);
        REQUIRE(rules);
        const auto json = state::parse_json(text_of(entry.path()), name);
        REQUIRE(json);
        const auto report = match::check_parity(table, *json, name, *rules);
        REQUIRE_MESSAGE(report, report.error().text());
        CHECK_MESSAGE(report->within(), report->largest.column, " at tick ", report->largest.tick,
                      ": expected ", report->largest.expected, ", got ", report->largest.got);
        ++compared;
    }
    CHECK(compared == 13);
}

TEST_CASE("creature: a recording that is broken is refused with its position in the file") {
    const auto error_of = [](std::string_view text) {
        const auto recording = worlds::creature::parity({}, json_of(text), "file.json");
        REQUIRE(!recording);
        return recording.error().text();
    };
    CHECK(error_of(R"({"header": {}, "columns": ["t"], "rows": []})").find("initial_state") !=
          std::string::npos);
    CHECK(error_of(R"({"header": {"initial_state": {"nodes": [{"type": "Normal", "x": null, "y": 0}]}},
                       "columns": ["t"], "rows": []})")
              .find("nodes[0].position") != std::string::npos);
    CHECK(
        error_of(
            R"({"header": {"initial_state": {"nodes": [{"type": "Normal", "x": 0, "y": 0, "prev_x": 0, "prev_y": 0}]},
                       "playground_half_size": [100, 100]}, "columns": ["t", "n1_x"], "rows": [[1, 2]]})")
            .find("n1_x") != std::string::npos);
}

TEST_CASE("creature: a crowd of wanderers stays in the playground under the game's rules") {
    for (const std::string_view rules : {R"("game")", R"({"base": "game", "solver": "iterated"})"}) {
        Room room(wild("lizard", 12, rules));
        for (int tick = 0; tick < 3000; ++tick) {
            room.step();
            for (const Body& creature : room.state.creatures)
                for (std::uint32_t i = 0; i < room.size(creature).nodes; ++i)
                    REQUIRE(room.setup.edge().contains(creature.nodes[i].position));
        }
        room.check_legal();
    }
}

TEST_CASE("creature: circles that push keep bodies apart") {
    const auto ticks_on_each_other = [](std::string_view rules) {
        Room room(wild("snake", 8, rules));
        const BodyPlan& plan = room.plan_of(room.body());
        const auto overlap = [&](const Body& a, const Body& b) {
            for (std::uint32_t i = 0; i < plan.born; ++i)
                for (std::uint32_t k = 0; k < plan.born; ++k)
                    if (distance(a.nodes[i].position, b.nodes[k].position) <
                        plan.nodes[i].radius + plan.nodes[k].radius - 3)
                        return true;
            return false;
        };
        int ticks = 0;
        for (int tick = 0; tick < 3600; ++tick) {
            room.step();
            for (std::uint32_t a = 0; a < 8; ++a)
                for (std::uint32_t b = a + 1; b < 8; ++b)
                    if (overlap(room.body(a), room.body(b))) ++ticks;
        }
        return ticks;
    };
    const int with = ticks_on_each_other(R"("game")");
    const int without = ticks_on_each_other(R"({"base": "game", "collision_passes": 0})");
    CAPTURE(with);
    CHECK(without > 500);
    CHECK(with < without / 3);
}

TEST_CASE(
    "creature: in a scene, anchors that follow a target follow the first player's pointer, if there is one") {
    Room room(setup_with(chain_scene(5, 20, 1, Movement::follow_target)));
    const Vec2 before = room.body().nodes[0].position;
    room.step();
    CHECK(room.body().nodes[0].position == before);
    room.inputs[0].pointer = {0, -500};
    room.inputs[1].pointer = {0, 500};
    room.join(1);
    CHECK(room.body().nodes[0].position.y > 0);
    room.join(0);
    room.step();
    CHECK(room.body().nodes[0].position.y < 1);
    CHECK(room.state.creatures.size() == 1);
}

TEST_CASE("creature: a limb can reach for a node of another creature") {
    Scene scene = chain_scene(2, 20, 1);
    SceneNode joint;
    joint.kind = NodeKind::limb;
    joint.angle_min = -math::pi;
    joint.angle_max = math::pi;
    for (const Vec2 at : {Vec2{30, 0}, Vec2{60, 0}}) {
        joint.position = joint.previous = at;
        scene.nodes.push_back(joint);
    }
    scene.edges.push_back({30, 0, 2});
    scene.edges.push_back({30, 2, 3});
    SceneNode other;
    other.position = other.previous = {40, 20};
    scene.nodes.push_back(other);
    scene.limbs.push_back({.body = 0, .joints = {2, 3}, .target_node = 4, .where = "limb"});
    Room room(setup_with(scene));
    for (int tick = 0; tick < 60; ++tick) room.step();
    CHECK(distance(room.body(0).nodes[3].position, room.body(1).nodes[0].position) <= 0.1);
}

TEST_CASE("creature: a pointer from outside ends inside the playground or is refused") {
    const Setup setup = wild("snake", 1, R"("game")");
    Input input{{1e9, -3}};
    CHECK(worlds::creature::sanitize(input, setup));
    CHECK(input.pointer == Vec2{1000, -3});
    input.pointer.y = std::numeric_limits<double>::quiet_NaN();
    CHECK(!worlds::creature::sanitize(input, setup));
}

TEST_CASE("creature: an impossible state is refused") {
    const auto refused = [](auto change) {
        Room room(setup_of(level_text("garden")));
        room.join(0);
        room.step();
        room.check_legal();
        change(room);
        return !worlds::creature::validate(room.state, room.setup);
    };
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    CHECK(!refused([](Room&) {}));
    CHECK(refused([](Room& room) { room.body().nodes[3].position.x = nan; }));
    CHECK(refused([](Room& room) { room.body().nodes[63].velocity.y = 1e200; }));
    CHECK(refused([](Room& room) { room.body().feet[0].progress = -1; }));
    CHECK(refused([](Room& room) { room.body().anchors[0].heading = {0, 0}; }));
    CHECK(refused([](Room& room) { room.body().plan = 99; }));
    CHECK(refused([](Room& room) { room.body().owner = 0; }));
    CHECK(refused([](Room& room) { room.body_of(0).meals = 10'000; }));
    CHECK(refused([](Room& room) { room.body_of(0).owner = 1; }));
    CHECK(refused([](Room& room) { room.player(0).respawn_pause = 5; }));
    CHECK(refused([](Room& room) { room.player(0).creature = {}; }));
    CHECK(refused([](Room& room) { room.state.head->random.gamma = 2; }));
}

TEST_CASE("creature: a faulty level is refused with the reason") {
    const auto mentions = [](std::string_view level, std::string_view part) {
        const std::string text = error_of_level(level);
        CAPTURE(text);
        return text.find(part) != std::string::npos;
    };
    constexpr std::string_view snake = R"({"name": "snake", "nodes": [{"node_type": "Anchor"}]})";
    CHECK(mentions(R"({"rules": "game"})", "plans"));
    CHECK(mentions(R"({"rules": "game", "plans": [{"name": "x", "nodes": [{}]}]})", "has no Anchor"));
    CHECK(mentions(R"({"rules": "game", "plans": [{"nodes": [{}]}]})", "has no \"name\""));
    CHECK(mentions(R"({"rules": "game", "plans": [)" + std::string(snake) + "," + std::string(snake) + "]}",
                   "plans[1]"));
    CHECK(
        mentions(R"({"rules": "game", "plans": [)" + std::string(snake) + R"(], "wild": [{"plan": "cow"}]})",
                 "wild[0].plan"));
    CHECK(mentions(R"({"rules": "game", "plans": [)" + std::string(snake) +
                       R"(], "wild": [{"plan": "snake", "on": 1}]})",
                   "wild[0]"));
    CHECK(mentions(
        R"({"rules": "game", "plans": [)" + std::string(snake) + R"(], "playground": {"most_creatures": 3}})",
        "most_creatures"));
    CHECK(mentions(R"({"rules": {"base": "game", "margin": 999}, "plans": [)" + std::string(snake) + "]}",
                   "too small"));
    CHECK(mentions(R"({"rules": "faithful", "scene": {"nodes": 3}})", "scene.nodes"));
    CHECK(mentions(R"({"rules": {"base": "game", "solver": "magic"}})", "rules.solver"));
}

TEST_CASE("creature: a drawing has a skin for every body, and a bot of each kind finds something to eat") {
    Room room(setup_of(level_text("garden")));
    for (Slot slot = 0; slot < 4; ++slot) room.join(slot, slot);
    for (int tick = 0; tick < 1200; ++tick) {
        for (Slot slot = 0; slot < 4; ++slot)
            room.inputs[slot] = worlds::creature::bot(room.state, room.setup, slot);
        room.step();
    }
    for (Slot slot = 0; slot < 4; ++slot) {
        CAPTURE(slot);
        CHECK(room.player(slot).score > 0);
    }
    contract::DrawList list;
    worlds::creature::view(room.state, room.setup, {}, list);
    std::uint32_t skins = 0;
    for (const contract::Shape& shape : list.shapes)
        if (shape.kind == contract::ShapeKind::polygon) ++skins;
    CHECK(skins == room.state.creatures.size());
}
