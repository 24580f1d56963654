// SPDX-License-Identifier: MIT
// The laws of the arena as a whole: walls hold, joins and leaves of others do not matter, and a rounded state
// is legal.
#include <arena/bodies.h>
#include <instep/codec/state_codec.h>

#include <doctest/doctest.h>

#include <arena/tests/support.h>
#include <tests/support/property.h>

#include <cmath>

using namespace instep;
using test::arena::crowded;
using test::arena::make;
using test::arena::random_keys;
using test::arena::Room;
using test::arena::Vec2;
namespace arena = worlds::arena;

namespace {

Room full_room(const arena::Setup& setup) {
    Room room(setup);
    for (contract::Slot slot = 0; slot < arena::most_ships; ++slot) room.join(slot);
    return room;
}

void press_keys(Room& room, math::Random& random) {
    for (arena::Input& input : room.inputs)
        if (random.below(10) == 0) input = random_keys(random);
}

// And not at its edge either, where only what the walls did not hold is put.
bool is_in_field(Vec2 at, const arena::Setup& setup) { return setup.holds(at, -0.01); }

}  // namespace

TEST_CASE("arena: nothing escapes the walls, in a crowd of rocks and ships at the engine's limit") {
    arena::Rules rules = arena::faithful;  // 500 of thrust
    rules.overheated_for_good = false;
    rules.recovered_heat = 90;
    const arena::Setup setup = crowded(rules);
    test::for_each_seed(5, [&](math::Random& random) {
        Room room = full_room(setup);
        for (int i = 0; i < 600; ++i) {
            press_keys(room, random);
            room.step();
            for (const arena::Player& player : room.state.players)
                REQUIRE(is_in_field(player.ship.position, setup));
            for (const arena::Rock& rock : room.state.rocks)
                REQUIRE(is_in_field(rock.flight.position, setup));
            for (const arena::Shot& shot : room.state.shots)
                REQUIRE(is_in_field(shot.flight.position, setup));
        }
        room.require_legal();
    });
}

TEST_CASE("arena: a thin wall stops ships and shots that come as fast as anything can") {
    const arena::Setup setup = make(arena::faithful, {.half_width = 200}, {{{50, 0}, {0.05, 40}, 0}});
    test::for_each_seed(50, [&](math::Random& random) {
        Room room(setup);
        room.join_at(0, {random.uniform(0, 45), random.uniform(-30, 30)}, random.uniform(-4, 4));
        room.player(0).ship.velocity = {120, random.uniform(-20, 20)};
        room.step();
        room.inputs[0].fire = true;
        for (int i = 0; i < 60; ++i) {
            room.step();
            if (std::fabs(room.player(0).ship.position.y) < 39) REQUIRE(room.player(0).ship.position.x < 50);
            for (const arena::Shot& shot : room.state.shots)
                if (std::fabs(shot.flight.position.y) < 39) REQUIRE(shot.flight.position.x < 50);
        }
    });
}

TEST_CASE("arena: a player that joins and leaves without touching anything changes nothing for the others") {
    const arena::Setup setup = make(arena::game, {.half_width = 400, .half_height = 60});
    test::for_each_seed(20, [&](math::Random& random) {
        Room with(setup);
        Room without(setup);
        for (Room* room : {&with, &without}) {
            room->join_at(0, {-300, 0});
            room->join_at(1, {-290, 2}, 1);
        }
        const std::uint32_t from = random.below(60);
        const std::uint32_t until = from + 1 + random.below(60);
        for (std::uint32_t tick = 0; tick < 200; ++tick) {
            press_keys(with, random);
            without.inputs = with.inputs;
            const contract::Join join{.slot = 7};
            const contract::Slot slot = 7;
            if (tick == from)
                with.step({&join, 1});
            else if (tick == until)
                with.step({}, {&slot, 1});
            else
                with.step();
            if (tick == from) with.player(7).ship.position = {300, 0};
            without.step();
            for (const contract::Slot other : {contract::Slot{0}, contract::Slot{1}}) {
                REQUIRE(with.player(other).ship.position == without.player(other).ship.position);
                REQUIRE(with.player(other).ship.angle == without.player(other).ship.angle);
                REQUIRE(with.player(other).health == without.player(other).health);
            }
        }
        CHECK(with.state.players.size() == 2);
        for (const arena::Shot& shot : with.state.shots) CHECK(shot.owner != 7);
    });
}

TEST_CASE("arena: leaving undoes joining: no body, no shot and no contact of the leaver is left") {
    Room room(crowded());
    room.join(3);
    const std::size_t before = room.state.shots.size();
    room.inputs[3].fire = true;
    room.step(3);
    CHECK(room.state.shots.size() == before + 1);
    room.leave(3);
    CHECK(room.state.players.empty());
    CHECK(room.state.shots.empty());
    room.step();
    room.require_legal();
}

TEST_CASE("arena: a crowd of bots that come and go is legal at every tick, and stays so") {
    test::for_each_seed(3, [](math::Random& random) {
        Room room(crowded());
        contract::SlotSet live = 0;
        for (int i = 0; i < 900; ++i) {
            const auto slot = static_cast<contract::Slot>(random.below(arena::most_ships));
            const contract::Join join{.slot = slot};
            for (const arena::Player& player : room.state.players)
                room.inputs[player.slot] = worlds::arena::bot(room.state, room.setup, player.slot);
            const bool changes = random.below(20) == 0;
            const bool is_there = contract::contains(live, slot);
            if (changes && is_there) room.step({}, {&slot, 1});
            if (changes && !is_there) room.step({&join, 1});
            if (!changes) room.step();
            if (changes) live ^= contract::only(slot);
            room.require_legal();
        }
    });
}

TEST_CASE("arena: what the wire rounds is a legal state, and its ships stay alive and as hot as they were") {
    test::for_each_seed(5, [](math::Random& random) {
        Room room = full_room(crowded());
        for (int i = 0; i < 300; ++i) {
            press_keys(room, random);
            room.step();
            if (i % 10 != 0) continue;
            Room rounded(room.setup);
            std::memcpy(rounded.block.data(), room.block.data(), room.layout.size);
            codec::quantise(rounded.layout, rounded.block.data());
            rounded.require_legal();
            rounded.inputs = room.inputs;
            for (const arena::Player& player : room.state.players) {
                const arena::Player& replicated = rounded.player(player.slot);
                REQUIRE(replicated.alive() == player.alive());
                REQUIRE(replicated.overheated == player.overheated);
                REQUIRE(replicated.health == player.health);
                REQUIRE(std::fabs(replicated.heat - player.heat) <= 1.0 / 128);
            }
            rounded.step(5);
            rounded.require_legal();
        }
    });
}

TEST_CASE("arena: a shot flies on the grid of the wire, so its first snapshot stays exact until it ends") {
    test::for_each_seed(20, [](math::Random& random) {
        Room room(make(arena::game, {.half_width = 400, .half_height = 400}));
        room.join_at(0, {random.uniform(-50, 50), random.uniform(-50, 50)}, random.uniform(-4, 4));
        room.player(0).ship.velocity = {random.uniform(-10, 10), random.uniform(-10, 10)};
        room.inputs[0].fire = true;
        room.step();
        room.inputs[0].fire = false;
        Room replicated(room.setup);
        std::memcpy(replicated.block.data(), room.block.data(), room.layout.size);
        while (!room.state.shots.empty()) {
            REQUIRE(replicated.state.shots.size() == 1);
            codec::quantise(replicated.layout, replicated.block.data());
            const Vec2 off = replicated.state.shots[0].flight.position - room.state.shots[0].flight.position;
            REQUIRE(length(off) < 1e-9);
            for (Room* each : {&room, &replicated}) each->step(3);
        }
        CHECK(replicated.state.shots.empty());
    });
}

TEST_CASE("arena: momentum is kept when rocks meet, and none of them wins energy") {
    arena::Rules rules = arena::game;
    Room room(make(rules, {.half_width = 500, .half_height = 500}, {},
                   {{.position = {-10, 0}, .velocity = {8, 0}, .spin = 1, .radius = 2},
                    {.position = {10, 0.5}, .velocity = {-8, 0}, .radius = 3},
                    {.position = {0, 14}, .velocity = {0, -9}, .spin = -2, .radius = 1}}));
    const auto measure = [&](Vec2& momentum, double& energy) {
        const rigid::Space space = arena::space_of(room.state, room.setup);
        momentum = rigid::momentum(space);
        energy = rigid::kinetic_energy(space);
    };
    Vec2 first;
    double most = 0;
    measure(first, most);
    for (int i = 0; i < 300; ++i) {
        room.step();
        Vec2 momentum;
        double energy = 0;
        measure(momentum, energy);
        REQUIRE(length(momentum - first) < 1e-9);
        REQUIRE(energy <= most * (1 + 1e-12));
        most = energy;
    }
}

// A ship that thrusts into a wall, a rock or another ship is one collision, however long it goes on, and
// never stays on the same bits while it has a speed.
TEST_CASE("arena: bots on every level keep moving, and each collision is one event") {
    for (const char* name : {"belt", "load", "original"}) {
        CAPTURE(name);
        const auto level = test::arena::read_json(test::source_dir() / "worlds/arena/levels" /
                                                  (std::string(name) + ".json"));
        const auto setup = worlds::arena::load({}, level, name);
        REQUIRE_MESSAGE(setup, setup.error().text());
        Room room = full_room(*setup);
        std::array<Vec2, arena::most_ships> last{};
        std::array<int, arena::most_ships> frozen{};
        int collisions = 0;
        constexpr int ticks = 1800;
        for (int i = 0; i < ticks; ++i) {
            room.step_bots(1);
            collisions += room.count(arena::EventKind::collision);
            for (const arena::Player& player : room.state.players) {
                const bool stays = player.alive() && length(player.ship.velocity) > 2 &&
                                   player.ship.position == last[player.slot];
                frozen[player.slot] = stays ? frozen[player.slot] + 1 : 0;
                REQUIRE(frozen[player.slot] < 5);
                last[player.slot] = player.ship.position;
            }
        }
        CHECK(collisions < ticks * arena::most_ships / 20);  // three a second each, in the thick of it
    }
}

TEST_CASE("arena: levels that cannot be played are refused with a sentence") {
    const auto refusal = [](const std::string& text) {
        const auto json = state::parse_json(text, "test.json");
        REQUIRE(json);
        const auto setup = worlds::arena::load({}, *json, "test.json");
        REQUIRE_MESSAGE(!setup, text);
        return setup.error().text();
    };
    const auto says = [](const std::string& error, std::string_view what) {
        return error.find(what) != std::string::npos;
    };
    const auto level = [](const std::string& rest) {
        return R"({"world": "arena", "name": "t", "rules": "game")" + rest + "}";
    };
    const std::string starts = R"(, "starts": [{"position": [0, 0]}])";
    CHECK(says(refusal(level("")), "starts"));
    CHECK(says(refusal(level(R"(, "starts": [{"position": [60, 0]}])")), "starts[0]"));
    CHECK(says(refusal(level(starts + R"(, "walls": [{"position": [1, 0], "half_size": [1, 1]}])")), "wall"));
    CHECK(says(refusal(level(starts + R"(, "walls": [{"half_size": [0, 1]}])")), "walls[0].half_size"));
    CHECK(says(refusal(level(starts + R"(, "rocks": [{"position": [59, 0], "radius": 3}])")), "rocks[0]"));
    CHECK(says(refusal(level(starts + R"(, "rocks": [{"corners": 9}])")), "rocks[0].corners"));
    CHECK(says(refusal(level(starts + R"(, "moons": [])")), "moons"));
    CHECK(says(refusal(level(starts + R"(, "field": {"most_players": 17})")), "most_players"));
    const std::string rules =
        R"({"world": "arena", "name": "t", "rules": {"base": "game", "recovered_heat": 100})";
    CHECK(says(refusal(rules + starts + "}"), "recovered_heat"));
}
