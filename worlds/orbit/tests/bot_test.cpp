// SPDX-License-Identifier: MIT
#include <orbit/flight.h>
#include <orbit/orbit.h>

#include <doctest/doctest.h>

#include <orbit/tests/support.h>
#include <tests/support/property.h>

using namespace instep;
using namespace instep::worlds::orbit;
using test::orbit::Room;

namespace {

void play(Room& room) {
    for (const Player& player : room.state.players)
        room.inputs[player.slot] = worlds::orbit::bot(room.state, room.setup, player.slot);
    room.step();
}

Room load_room(const std::string& name) {
    const auto setup =
        load({}, test::orbit::read_json(test::source_dir() / "worlds/orbit/levels" / name), name);
    REQUIRE_MESSAGE(setup, setup.error().text());
    return Room(*setup);
}

}  // namespace

TEST_CASE("orbit bot: a bot wins the document's own world") {
    Room room = load_room("original.json");
    room.join(0);
    for (int tick = 0; tick < 120 * 30 && !room.state.head->over; ++tick) play(room);
    CHECK(room.state.head->won);
    CHECK(room.player(0).score == 10);
}

TEST_CASE("orbit bot: bots in the belt collect, save their energy and keep out of the sun") {
    Room room = load_room("belt.json");
    for (Slot slot = 0; slot < most_ships; ++slot) room.join(slot);
    int collected = 0;
    int died = 0;
    int empty = 0;
    constexpr int ticks = 60 * 30;
    for (int tick = 0; tick < ticks; ++tick) {
        play(room);
        collected += room.count(EventKind::collected);
        died += room.count(EventKind::died);
        for (const Player& player : room.state.players) empty += player.energy < 1 ? 1 : 0;
    }
    CHECK(collected > 100);
    CHECK(died * 50 < collected);
    CHECK(empty * 100 < ticks * static_cast<int>(most_ships));
}

TEST_CASE("orbit bot: a bot whose path leads to a pallet anyway saves its energy") {
    Room room(make_setup(faithful, {.start = {.position = {500, 0}, .velocity = {30, 0}}}, {{600, 0}}));
    room.join(0);
    const Input input = worlds::orbit::bot(room.state, room.setup, 0);
    CHECK(input.thrust == 0);
}

TEST_CASE("orbit bot: a bot that falls towards the sun turns away from it and lives") {
    Room room(test::orbit::game_world());
    room.join(0);
    test::for_each_seed(20, [&](math::Random& random) {
        room.ship(0) = {{400, random.uniform(-30, 30)}, {-30, random.uniform(-5, 5)}};
        room.player(0).energy = 100;
        for (int tick = 0; tick < 300; ++tick) {
            play(room);
            REQUIRE(room.count(EventKind::died) == 0);
        }
    });
}

TEST_CASE(
    "orbit bot: bots ask for nothing that sanitizing would change, and nothing at all when dead or absent") {
    Room room = load_room("belt.json");
    for (Slot slot = 0; slot < 8; ++slot) room.join(slot);
    for (int tick = 0; tick < 300; ++tick) {
        for (Slot slot = 0; slot < 8; ++slot) {
            const Input input = worlds::orbit::bot(room.state, room.setup, slot);
            Input legal = input;
            REQUIRE(worlds::orbit::sanitize(legal, room.setup));
            REQUIRE(legal.thrust == input.thrust);
            REQUIRE(legal.turn == input.turn);
        }
        play(room);
    }
    room.player(0).respawn_pause = 5;
    for (const Slot slot : {Slot{0}, Slot{20}}) {
        const Input input = worlds::orbit::bot(room.state, room.setup, slot);
        CHECK(input.thrust == 0);
        CHECK(input.turn == 0);
    }
}
