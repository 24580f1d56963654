// SPDX-License-Identifier: MIT
// Shared by the tests of foothold: maps, files, and a match that is stepped by hand.
#pragma once

#include <foothold/foothold.h>
#include <foothold/player.h>

#include <doctest/doctest.h>

#include <tests/support/files.h>

#include <array>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace instep::test {

inline std::string read_text(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    REQUIRE_MESSAGE(file.good(), path.string());
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

inline state::Json read_json_file(const std::filesystem::path& path) {
    auto json = state::parse_json(read_text(path), path.filename().string());
    REQUIRE_MESSAGE(json, json.error().text());
    return std::move(*json);
}

inline std::filesystem::path foothold_vectors() { return source_dir() / "worlds/foothold/vectors"; }

// Two storeys, as in many of the recordings: a platform of three links at y = 0 over a floor at y = 300.
inline std::vector<worlds::foothold::FootholdSegment> two_storeys() {
    return {{1, 1, 0, -300, 0, -100, 0, 0, 2},
            {2, 1, 0, -100, 0, 100, 0, 1, 3},
            {3, 1, 0, 100, 0, 300, 0, 2, 0},
            {4, 1, 0, -600, 300, 600, 300, 0, 0}};
}

inline worlds::foothold::Setup foothold_setup(
    const worlds::foothold::Rules& rules, const std::vector<worlds::foothold::FootholdSegment>& segments) {
    worlds::foothold::Setup setup;
    setup.rules = rules;
    setup.ground = worlds::foothold::FootholdSet(segments);
    setup.spawns = {{0, -10}};
    worlds::foothold::complete(setup);
    return setup;
}

// A match of one setup, whose players sit in slots 0, 1, ... and do what `inputs` says.
struct FootholdMatch {
    explicit FootholdMatch(worlds::foothold::Setup made, std::uint64_t seed = 1)
        : setup(std::move(made)), layout(state::make_layout<worlds::foothold::State>(setup)), block(layout) {
        state = state::bind<worlds::foothold::State>(layout, block.data());
        *state.head = {};
        state.head->random = math::Random::from_seed(seed);
        worlds::foothold::start(state, setup);
    }

    worlds::foothold::Player& join(std::uint8_t slot) {
        const contract::Join join{.slot = slot};
        step({&join, 1});
        return state.players[state.players.size() - 1];
    }
    void step(std::span<const contract::Join> joins = {}) {
        contract::Events<worlds::foothold::Event> events(room);
        worlds::foothold::step(state, setup, {{}, joins, inputs}, events);
        happened = events.all();
        REQUIRE(events.lost() == 0);
    }
    void run(int ticks) {
        for (int i = 0; i < ticks; ++i) step();
    }
    int count(worlds::foothold::EventKind kind) const {
        int n = 0;
        for (const auto& event : happened) n += event.kind == kind;
        return n;
    }

    worlds::foothold::Setup setup;
    state::Layout layout;
    state::Block block;
    worlds::foothold::State state;
    std::array<worlds::foothold::Input, 64> inputs{};
    std::array<worlds::foothold::Event, 256> room;
    std::span<const worlds::foothold::Event> happened;
};

inline worlds::foothold::Setup plain_setup(const worlds::foothold::Rules& rules = worlds::foothold::game) {
    return foothold_setup(rules, two_storeys());
}

// A player that stands on the upper platform.
inline worlds::foothold::Player& settle(FootholdMatch& match, math::Vec2 at = {0, -5}) {
    worlds::foothold::Player& player = match.join(0);
    place(player, at, match.setup);
    match.run(60);
    REQUIRE(player.body.on_ground);
    return player;
}

inline void home_at(worlds::foothold::Setup& setup, const worlds::foothold::MobKind& kind,
                    math::Vec2 position, std::int32_t foothold) {
    setup.mob_kinds.push_back(kind);
    worlds::foothold::MobHome home{.kind = static_cast<std::uint32_t>(setup.mob_kinds.size() - 1),
                                   .position = position};
    home.spawn.position = position;
    home.spawn.foothold = foothold;
    if (foothold != 0)
        worlds::foothold::find_footing(setup.ground, foothold, home.position, home.foothold, home.on_ground);
    setup.mobs.push_back(home);
}

inline void add_trap(worlds::foothold::Setup& setup, math::Vec2 position, std::int32_t damage,
                     const worlds::foothold::Box& box = {-20, -20, 20, 20}) {
    setup.trap_kinds.push_back({.damage = damage});
    worlds::foothold::TrapAnimation animation;
    animation.frames.push_back({.box = box});
    animation.length = 100;
    setup.trap_animations.push_back(animation);
    setup.traps.push_back({position, static_cast<std::uint32_t>(setup.trap_kinds.size() - 1), false});
}

}  // namespace instep::test
