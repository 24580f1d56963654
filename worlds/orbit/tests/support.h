// SPDX-License-Identifier: MIT
// Shared by the tests of orbit: a room whose state is open to the test, the document's default world, and
// the recordings.
#pragma once

#include <instep/state/json.h>
#include <orbit/orbit.h>

#include <doctest/doctest.h>

#include <tests/support/files.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace instep::test::orbit {

inline worlds::orbit::Setup default_world() {
    return worlds::orbit::make_setup(worlds::orbit::faithful, {},
                                     {{80, 0},
                                      {-80, 0},
                                      {0, 80},
                                      {0, -80},
                                      {120, 60},
                                      {-120, 60},
                                      {120, -60},
                                      {-120, -60},
                                      {150, 0},
                                      {-150, 0}});
}

// A game around a strong sun.
inline worlds::orbit::Setup game_world(std::vector<math::Vec2> pallets = {},
                                       std::uint32_t most_players = 32) {
    return worlds::orbit::make_setup(
        worlds::orbit::game,
        {.sun = {.mass = 1e6, .radius = 60}, .orbit_radius = 500, .most_players = most_players},
        std::move(pallets));
}

struct Room {
    worlds::orbit::Setup setup;
    state::Layout layout = state::make_layout<worlds::orbit::State>(setup);
    state::Block block{layout};
    worlds::orbit::State state = state::bind<worlds::orbit::State>(layout, block.data());
    std::array<worlds::orbit::Input, worlds::orbit::most_ships> inputs{};
    std::vector<worlds::orbit::Event> event_room = std::vector<worlds::orbit::Event>(1024);
    contract::Events<worlds::orbit::Event> events{event_room};

    explicit Room(const worlds::orbit::Setup& chosen) : setup(chosen) {
        *state.head = {};
        state.head->random = math::Random::from_seed(1);
        worlds::orbit::start(state, setup);
    }
    Room(Room&&) = default;  // what the windows look into stays where it is; a copy would share it

    void step(std::span<const contract::Join> joins = {}, std::span<const contract::Slot> leaves = {}) {
        events = contract::Events<worlds::orbit::Event>(event_room);
        worlds::orbit::step(state, setup, {leaves, joins, inputs}, events);
    }
    void step(int ticks) {
        for (int i = 0; i < ticks; ++i) step();
    }
    void join(contract::Slot slot) {
        const contract::Join join{.slot = slot};
        step({&join, 1});
    }
    void leave(contract::Slot slot) { step({}, {&slot, 1}); }

    worlds::orbit::Player& player(contract::Slot slot) {
        for (worlds::orbit::Player& player : state.players)
            if (player.slot == slot) return player;
        FAIL("no such player");
        std::abort();
    }
    motion::Particle& ship(contract::Slot slot) { return player(slot).ship; }

    int count(worlds::orbit::EventKind kind) const {
        int found = 0;
        for (const worlds::orbit::Event& event : events.all()) found += event.kind == kind ? 1 : 0;
        return found;
    }
    int active_pallets() const {
        int active = 0;
        for (const worlds::orbit::Pallet& pallet : state.pallets) active += pallet.active ? 1 : 0;
        return active;
    }
    std::vector<std::byte> image() const {
        std::vector<std::byte> bytes(state::image_size(layout, block.data()));
        state::save(layout, block.data(), bytes);
        return bytes;
    }
};

inline state::Json read_json(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    REQUIRE_MESSAGE(file, path.string());
    const auto json = state::parse_json(text.str(), path.filename().string());
    REQUIRE_MESSAGE(json, json.error().text());
    return *json;
}

inline std::filesystem::path vectors() { return source_dir() / "worlds/orbit/vectors"; }

// A member that must be there.
inline const state::Json& at(const state::Json& object, std::string_view key) {
    const state::Json* found = object.find(key);
    REQUIRE_MESSAGE(found, key);
    return *found;
}

}  // namespace instep::test::orbit
