// SPDX-License-Identifier: MIT
// Shared by the tests of arena: a room whose state is open to the test, small worlds, and the recordings.
#pragma once

#include <arena/arena.h>
#include <instep/state/json.h>

#include <doctest/doctest.h>

#include <tests/support/files.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace instep::test::arena {

using math::Vec2;
namespace world = worlds::arena;

inline world::Setup make(const world::Rules& rules, const world::Field& field = {},
                         std::vector<world::Wall> walls = {}, std::vector<world::RockPlan> rocks = {}) {
    const std::vector<world::Start> starts{{{-20, 0}, 0}, {{20, 0}, 0}, {{0, -20}, 0}, {{0, 20}, 0}};
    auto setup = world::make_setup(rules, field, std::move(walls), std::move(rocks), starts);
    REQUIRE_MESSAGE(setup, setup.error().text());
    return *setup;
}

// Rocks of all sizes, crowded and fast.
inline world::Setup crowded(const world::Rules& rules = world::game) {
    std::vector<world::RockPlan> rocks;
    for (int i = 0; i < 20; ++i)
        rocks.push_back({.position = {-26.0 + 6 * (i % 10), i < 10 ? -10.0 : 10.0},
                         .velocity = {3.0 * (i % 3) - 3, 2.0 * (i % 5) - 4},
                         .spin = 0.3 * (i % 4),
                         .radius = 0.6 + 0.3 * (i % 6),
                         .corners = 5 + static_cast<std::uint32_t>(i % 4)});
    return make(rules, {.half_width = 32, .half_height = 26}, {{{0, 0}, {6, 0.2}, 0.5}}, rocks);
}

struct Room {
    world::Setup setup;
    state::Layout layout = state::make_layout<world::State>(setup);
    state::Block block{layout};
    world::State state = state::bind<world::State>(layout, block.data());
    std::array<world::Input, world::most_ships> inputs{};
    std::vector<world::Event> event_room = std::vector<world::Event>(4096);
    contract::Events<world::Event> events{event_room};

    explicit Room(const world::Setup& chosen) : setup(chosen) {
        *state.head = {};
        state.head->random = math::Random::from_seed(1);
        worlds::arena::start(state, setup);
    }
    Room(Room&&) = default;  // what the windows look into stays where it is; a copy would share it

    void step(std::span<const contract::Join> joins = {}, std::span<const contract::Slot> leaves = {}) {
        events = contract::Events<world::Event>(event_room);
        worlds::arena::step(state, setup, {leaves, joins, inputs}, events);
    }
    void step(int ticks) {
        for (int i = 0; i < ticks; ++i) step();
    }
    void join(contract::Slot slot) {
        const contract::Join join{.slot = slot};
        step({&join, 1});
    }
    void leave(contract::Slot slot) { step({}, {&slot, 1}); }
    // At rest at a position, with its nose along +y turned by `angle`.
    world::Player& join_at(contract::Slot slot, Vec2 at, double angle = 0) {
        join(slot);
        player(slot).ship = {.position = at, .angle = angle};
        return player(slot);
    }

    world::Player& player(contract::Slot slot) {
        for (world::Player& player : state.players)
            if (player.slot == slot) return player;
        FAIL("no such player");
        std::abort();
    }
    int count(world::EventKind kind) const {
        int found = 0;
        for (const world::Event& event : events.all()) found += event.kind == kind ? 1 : 0;
        return found;
    }
    // Everyone does as a bot would.
    void step_bots(int ticks) {
        for (int i = 0; i < ticks; ++i) {
            for (const world::Player& player : state.players)
                inputs[player.slot] = worlds::arena::bot(state, setup, player.slot);
            step();
        }
    }
    void require_legal() const {
        const auto legal = worlds::arena::validate(state, setup);
        REQUIRE_MESSAGE(legal, legal.error().text());
    }
    std::uint64_t hash() const { return state::hash(layout, block.data()); }
};

inline world::Input random_keys(math::Random& random) {
    return {random.below(2) == 0, random.below(4) == 0, random.below(4) == 0, random.below(3) == 0};
}

inline state::Json read_json(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    REQUIRE_MESSAGE(file, path.string());
    const auto json = state::parse_json(text.str(), path.filename().string());
    REQUIRE_MESSAGE(json, json.error().text());
    return *json;
}

inline std::filesystem::path vectors() { return source_dir() / "worlds/arena/vectors"; }
inline state::Json recording(const std::string& name) { return read_json(vectors() / name); }

// A member that must be there.
inline const state::Json& at(const state::Json& object, std::string_view key) {
    const state::Json* found = object.find(key);
    REQUIRE_MESSAGE(found, key);
    return *found;
}

}  // namespace instep::test::arena
