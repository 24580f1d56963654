// SPDX-License-Identifier: MIT
// A match of creature whose state is open to the test, and scenes to put into it.
#pragma once

#include <creature/body.h>
#include <creature/creature.h>

#include <tests/support/files.h>

#include <doctest/doctest.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

namespace instep::test {

using namespace instep::worlds::creature;

inline state::Json json_of(std::string_view text) {
    const auto json = state::parse_json(text, "test.json");
    REQUIRE_MESSAGE(json, json.error().text());
    return *json;
}

inline Setup setup_of(std::string_view level) {
    const auto setup = worlds::creature::load({}, json_of(level), "test.json");
    REQUIRE_MESSAGE(setup, setup.error().text());
    return *setup;
}

inline std::string error_of_level(std::string_view level) {
    const auto setup = worlds::creature::load({}, json_of(level), "test.json");
    REQUIRE(!setup);
    return setup.error().text();
}

// A chain along -x with the head at the origin: an anchor and then normal nodes.
inline Scene chain_scene(std::uint32_t count, double length, double limit,
                         Movement movement = Movement::none) {
    Scene scene;
    for (std::uint32_t i = 0; i < count; ++i) {
        SceneNode node;
        node.position = node.previous = node.target = {-length * i, 0};
        node.radius = 5;
        node.angle_min = -limit;
        node.angle_max = limit;
        if (i == 0) {
            node.kind = NodeKind::anchor;
            node.movement = movement;
        } else {
            scene.edges.push_back({length, i - 1, i});
        }
        scene.nodes.push_back(node);
    }
    return scene;
}

inline Setup setup_with(const Scene& scene, const Rules& rules = faithful, double half_width = 2000,
                        double half_height = 1500) {
    Setup setup{.rules = rules};
    setup.playground = {.half_width = half_width, .half_height = half_height, .most_players = 2};
    const auto added = add_scene(setup, scene, "scene");
    REQUIRE_MESSAGE(added, added.error().text());
    return setup;
}

struct Room {
    Setup setup;
    state::Layout layout = state::make_layout<State>(setup);
    state::Block block{layout};
    State state = state::bind<State>(layout, block.data());
    std::array<Input, 64> inputs{};
    std::array<Event, 512> event_room{};
    contract::Events<Event> events{event_room};

    explicit Room(Setup chosen, std::uint64_t seed = 1) : setup(std::move(chosen)) {
        *state.head = {};
        state.head->random = math::Random::from_seed(seed);
        worlds::creature::start(state, setup);
    }
    void step(std::span<const contract::Join> joins = {}, std::span<const Slot> leaves = {}) {
        events = contract::Events<Event>(event_room);
        worlds::creature::step(state, setup, {leaves, joins, inputs}, events);
    }
    void join(Slot slot, std::uint64_t seed = 0) {
        const contract::Join join{.seed = seed, .slot = slot};
        step({&join, 1});
    }
    void check_legal() const {
        const auto legal = worlds::creature::validate(state, setup);
        REQUIRE_MESSAGE(legal, legal.error().text());
    }
    Player& player(Slot slot) {
        for (Player& player : state.players)
            if (player.slot == slot) return player;
        FAIL("no such player");
        std::abort();
    }
    Body& body(std::uint32_t place = 0) { return state.creatures[place]; }
    Body& body_of(Slot slot) {
        Body* own = state.creatures.find(player(slot).creature);
        REQUIRE(own);
        return *own;
    }
    const BodyPlan& plan_of(const Body& creature) const { return setup.plans[creature.plan]; }
    Size size(const Body& creature) const { return size_of(creature.meals, plan_of(creature), setup.rules); }
    int count(EventKind kind) const {
        int found = 0;
        for (const Event& event : events.all()) found += event.kind == kind ? 1 : 0;
        return found;
    }
};

inline std::string text_of(const std::filesystem::path& path) {
    std::ifstream file(path);
    REQUIRE_MESSAGE(file.good(), path);
    return {std::istreambuf_iterator<char>(file), {}};
}

inline std::string level_text(std::string_view name) {
    return text_of(source_dir() / "worlds/creature/levels" / (std::string(name) + ".json"));
}

// A level of one of our own plans, alone or several, wandering by itself.
inline Setup wild(std::string_view plan, std::uint32_t count, std::string_view rules) {
    const state::Json garden = json_of(level_text("garden"));
    state::Json::Array residents;
    for (std::uint32_t i = 0; i < count; ++i)
        residents.emplace_back(state::Json::Object{
            {"plan", std::string(plan)},
            {"at", state::Json(state::Json::Array{state::Json(-500 + 300.0 * (i % 4)),
                                                  state::Json(-300 + 300.0 * (i / 4))})}});
    const state::Json level(state::Json::Object{
        {"rules", json_of(rules)},
        {"playground",
         json_of(R"({"half_width": 1000, "half_height": 700, "most_players": 1, "most_creatures": 16})")},
        {"plans", *garden.find("plans")},
        {"wild", state::Json(std::move(residents))}});
    const auto setup = worlds::creature::load({}, level, "test");
    REQUIRE_MESSAGE(setup, setup.error().text());
    return *setup;
}

}  // namespace instep::test
