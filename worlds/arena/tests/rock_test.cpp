// SPDX-License-Identifier: MIT
#include <arena/rock.h>

#include <doctest/doctest.h>

#include <arena/tests/support.h>

using namespace instep;
using namespace instep::worlds::arena;
using test::arena::make;
using test::arena::Room;

namespace {

constexpr std::uint32_t solid =
    1 + pieces_of_rock;  // the rock that does not break; pieces of the other come before it

// One rock that breaks and one that does not, far from all starts.
Setup two_rocks() {
    Rules rules = game;
    rules.rock_pause = 50;
    return make(rules, {}, {},
                {{.position = {0, 0}, .radius = 2, .strength = 3}, {.position = {30, 20}, .radius = 2}});
}

void hit(Room& room, std::uint32_t rock, int times) {
    room.events = contract::Events<Event>(room.event_room);
    for (int i = 0; i < times; ++i) hit_rock(room.state, rock, room.setup, room.events);
}

void check_legal(const Room& room) {
    const auto legal = validate(room.state, room.setup);
    REQUIRE_MESSAGE(legal, legal.error().text());
}

int there(const Room& room) {
    int count = 0;
    for (const Rock& rock : room.state.rocks) count += rock.is_there() ? 1 : 0;
    return count;
}

}  // namespace

TEST_CASE("arena rocks: one breaks after as many hits as its strength, into pieces that keep its momentum") {
    Room room(two_rocks());
    REQUIRE(room.state.rocks.size() == 2 + pieces_of_rock);
    CHECK(there(room) == 2);
    room.state.rocks[0].flight.velocity = {1, 2};
    hit(room, 0, 2);
    CHECK(room.state.rocks[0].is_there());
    hit(room, 0, 1);
    CHECK(!room.state.rocks[0].is_there());
    CHECK(room.count(EventKind::shattered) == 1);
    CHECK(there(room) == 1 + int{pieces_of_rock});
    Vec2 sum{};
    for (std::uint32_t i = 1; i < solid; ++i) sum += room.state.rocks[i].flight.velocity;
    CHECK(length(sum / double{pieces_of_rock} - Vec2{1, 2}) < 1e-12);
    check_legal(room);
}

TEST_CASE("arena rocks: pieces fly apart, a hit ends one, and the rock comes back without them") {
    Room room(two_rocks());
    hit(room, 0, 3);
    hit(room, 1, 1);
    CHECK(there(room) == int{pieces_of_rock});
    for (int i = 0; i < 50; ++i) {
        CHECK(!room.state.rocks[0].is_there());
        room.step();
        check_legal(room);
    }
    CHECK(room.state.rocks[0].is_there());
    CHECK(room.state.rocks[0].flight.position == room.setup.rocks[0].position);
    CHECK(there(room) == 2);
}

TEST_CASE("arena rocks: one does not come back into a ship") {
    Room room(two_rocks());
    room.join_at(0, {0, 3});
    hit(room, 0, 3);
    for (std::uint32_t i = 1; i < solid; ++i) hit(room, i, 1);
    room.step(200);
    CHECK(!room.state.rocks[0].is_there());
    room.player(0).ship = {.position = {-30, 0}};
    room.step(1);
    CHECK(room.state.rocks[0].is_there());
    check_legal(room);
}

TEST_CASE("arena rocks: shots break them, and those without strength stay whole") {
    Room room(two_rocks());
    Player& player = room.join_at(0, {0, -8});
    for (int i = 0; i < 600 && room.state.rocks[0].is_there(); ++i) {
        player.heat = 0;
        player.overheated = false;
        player.ship = {.position = {0, -8}};
        room.inputs[0].fire = true;
        room.step();
        check_legal(room);
    }
    CHECK(!room.state.rocks[0].is_there());
    hit(room, solid, 1000);
    CHECK(room.state.rocks[solid].is_there());
}

TEST_CASE("arena rocks: a broken state that no match has is refused") {
    const auto refusal = [](auto change) {
        Room room(two_rocks());
        change(room.state);
        const auto legal = validate(room.state, room.setup);
        return legal ? std::string() : legal.error().text();
    };
    CHECK(refusal([](State&) {}).empty());
    CHECK(!refusal([](State& state) { state.rocks[0].pause = 51; }).empty());
    CHECK(!refusal([](State& state) { state.rocks[solid].pause = 1; }).empty());
    CHECK(!refusal([](State& state) { state.rocks[0].hits = 3; }).empty());
}
