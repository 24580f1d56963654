// SPDX-License-Identifier: MIT
// Shared by the tests of flail: a room whose state is open to the test, and the recordings.
#pragma once

#include <flail/flail.h>
#include <instep/state/json.h>

#include <doctest/doctest.h>

#include <tests/support/files.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace instep::test {

struct FlailRoom {
    worlds::flail::Setup setup;
    state::Layout layout = state::make_layout<worlds::flail::State>(setup);
    state::Block block{layout};
    worlds::flail::State state = state::bind<worlds::flail::State>(layout, block.data());
    std::array<worlds::flail::Input, contract::most_slots> inputs{};
    std::array<worlds::flail::Event, 512> event_room{};
    contract::Events<worlds::flail::Event> events{event_room};

    explicit FlailRoom(const worlds::flail::Setup& chosen) : setup(chosen) {
        *state.head = {};
        state.head->random = math::Random::from_seed(1);
        worlds::flail::start(state, setup);
    }
    explicit FlailRoom(const worlds::flail::Rules& rules)
        : FlailRoom(worlds::flail::Setup{.rules = rules, .map = {}, .kept = 1 / rules.drag_divisor}) {}

    void step(std::span<const contract::Join> joins = {}, std::span<const contract::Slot> leaves = {}) {
        events = contract::Events<worlds::flail::Event>(event_room);
        worlds::flail::step(state, setup, {leaves, joins, inputs}, events);
    }
    void join(contract::Slot slot, std::string_view name = "") {
        const contract::Join join{.name = contract::PlayerName::of(name), .slot = slot};
        step({&join, 1});
    }
    void leave(contract::Slot slot) { step({}, {&slot, 1}); }

    worlds::flail::Player& player(contract::Slot slot) {
        for (worlds::flail::Player& player : state.players)
            if (player.slot == slot) return player;
        FAIL("no such player");
        std::abort();
    }
    motion::Particle& flail_of(contract::Slot slot) { return rope_of(player(slot), setup).back(); }

    int count(worlds::flail::EventKind kind) const {
        int found = 0;
        for (const worlds::flail::Event& event : events.all()) found += event.kind == kind ? 1 : 0;
        return found;
    }
};

inline state::Json read_vector(const std::string& name) {
    const std::filesystem::path path = source_dir() / "worlds/flail/vectors" / name;
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    REQUIRE_MESSAGE(file, path.string());
    const auto json = state::parse_json(text.str(), name);
    REQUIRE_MESSAGE(json, json.error().text());
    return *json;
}

// A member that must be there.
inline const state::Json& at(const state::Json& object, std::string_view key) {
    const state::Json* found = object.find(key);
    REQUIRE_MESSAGE(found, key);
    return *found;
}

inline std::string hex_of(std::span<const std::byte> bytes) {
    constexpr char digits[] = "0123456789abcdef";
    std::string text;
    for (const std::byte byte : bytes) {
        text += digits[std::to_integer<unsigned>(byte) >> 4];
        text += digits[std::to_integer<unsigned>(byte) & 15];
    }
    return text;
}

inline std::vector<std::byte> bytes_of(std::string_view hex) {
    REQUIRE(hex.size() % 2 == 0);
    std::vector<std::byte> bytes;
    for (std::size_t i = 0; i < hex.size(); i += 2)
        bytes.push_back(
            static_cast<std::byte>(std::strtoul(std::string(hex.substr(i, 2)).c_str(), nullptr, 16)));
    return bytes;
}

}  // namespace instep::test
