// SPDX-License-Identifier: MIT
// Leaving and joining again, as an exploit: it must not cool, heal, hurry or deny anything.
#include <arena/combat.h>

#include <doctest/doctest.h>

#include <arena/tests/support.h>
#include <tests/support/property.h>

using namespace instep;
using test::arena::make;
using test::arena::Room;
using worlds::arena::EventKind;
using worlds::arena::game;
using worlds::arena::Player;

namespace {

constexpr std::uint32_t cheat = 7;  // a player's number

void join_as(Room& room, contract::Slot slot, std::uint32_t player) {
    const contract::Join join{.slot = slot, .player = player};
    room.step({&join, 1});
}

// Slot 0 is the cheat, slot 1 an opponent far away.
Room two(const worlds::arena::Rules& rules = game) {
    Room room(make(rules));
    join_as(room, 0, cheat);
    join_as(room, 1, 8);
    return room;
}

// Leaves, stays away for `ticks` and joins again in another slot.
Player& rejoin(Room& room, int ticks = 0) {
    room.leave(0);
    room.step(ticks);
    join_as(room, 2, cheat);
    return room.player(2);
}

void hit_by(Room& room, contract::Slot owner, contract::Slot target) {
    const test::arena::Vec2 at = room.player(target).ship.position;
    room.state.shots.add(
        {.flight = {.position = {at.x - 3, at.y}, .velocity = {40, 0}}, .ticks_left = 100, .owner = owner});
    const int before = room.player(target).health;
    for (int i = 0; i < 20 && room.player(target).health == before; ++i) room.step();
    REQUIRE(room.player(target).health < before);
}

}  // namespace

TEST_CASE("arena roster: an overheated ship that leaves and joins again is as hot as one that stayed") {
    Room away = two();
    Room stayed = two();
    for (Room* room : {&away, &stayed}) {
        room->player(0).heat = 110;
        room->player(0).overheated = true;
    }
    stayed.step(32);
    Player& back = rejoin(away, 30);
    CHECK(back.overheated);
    CHECK(back.heat == stayed.player(0).heat);
    away.require_legal();
}

TEST_CASE("arena roster: heat below the limit and the pause between two shots are kept too") {
    Room room = two();
    room.inputs[0].fire = true;
    room.step();
    room.inputs[0].fire = false;
    const double heat = room.player(0).heat;
    const Player& back = rejoin(room);
    CHECK(back.heat > heat - 1);
    CHECK(back.fire_pause == game.fire_pause - 2);
}

TEST_CASE("arena roster: a faithful ship that is overheated for good stays so") {
    Room room = two(worlds::arena::faithful);
    room.player(0).heat = 120;
    room.player(0).overheated = true;
    const Player& back = rejoin(room, 1000);
    CHECK(back.overheated);
    CHECK(back.heat == 120);
}

TEST_CASE("arena roster: leaving heals nothing") {
    Room room = two();
    room.player(0).health = 30;
    CHECK(rejoin(room, 500).health == 30);
    CHECK(room.player(2).alive());
}

TEST_CASE("arena roster: leaving does not shorten the wait for a new ship") {
    Room room = two();
    room.player(0).health = 10;
    hit_by(room, 1, 0);
    REQUIRE(!room.player(0).alive());
    room.step(20);
    CHECK(rejoin(room).respawn_pause == game.respawn_pause - 22);
    CHECK(!room.player(2).alive());
    int ticks = 0;
    while (!room.player(2).alive()) {
        room.step();
        ++ticks;
    }
    CHECK(ticks == static_cast<int>(game.respawn_pause) - 22);
    CHECK(room.player(2).health == 100);
}

TEST_CASE("arena roster: a ship that waited while its player was away flies at once") {
    Room room = two();
    room.player(0).health = 10;
    room.player(0).heat = 90;
    hit_by(room, 1, 0);
    const Player& back = rejoin(room, 300);
    CHECK(back.alive());
    CHECK(back.health == 100);
    CHECK(back.heat == 0);
}

TEST_CASE("arena roster: a ship that leaves under fire is its attacker's kill, known or not") {
    for (const std::uint32_t player : {cheat, 0u}) {
        Room room(make(game));
        join_as(room, 0, player);
        join_as(room, 1, 8);
        hit_by(room, 1, 0);
        room.leave(0);
        CHECK(room.count(EventKind::explosion) == 1);
        CHECK(room.player(1).score == 1);
        CHECK(room.player(1).kills == 1);
        join_as(room, 2, player);
        CHECK(room.player(2).alive() == (player == 0));
        CHECK(room.player(2).deaths == (player == 0 ? 0 : 1));
        room.require_legal();
    }
}

TEST_CASE("arena roster: a claim ends ten seconds after the hit, and with the attacker's leave") {
    Room room = two();
    hit_by(room, 1, 0);
    room.step(600);
    room.leave(0);
    CHECK(room.player(1).kills == 0);
    join_as(room, 0, cheat);
    CHECK(room.player(0).health == 90);
    hit_by(room, 1, 0);
    room.leave(1);
    join_as(room, 1, 9);  // the slot's next player did nothing
    room.leave(0);
    CHECK(room.player(1).kills == 0);
}

TEST_CASE("arena roster: a ship that shoots itself does not deny the kill") {
    Room room = two();
    hit_by(room, 1, 0);
    room.player(0).health = 10;
    hit_by(room, 0, 0);
    CHECK(!room.player(0).alive());
    CHECK(room.player(1).kills == 1);
    CHECK(room.player(0).score == 0);
}

TEST_CASE("arena roster: scores come back with their player, and the next match begins without the past") {
    Room room = two();
    room.player(0).score = -3;
    room.player(0).deaths = 3;
    room.player(0).health = 20;
    CHECK(rejoin(room).score == -3);
    CHECK(room.player(2).deaths == 3);
    room.player(2).heat = 60;
    room.leave(2);
    REQUIRE(room.state.departed.size() == 1);
    room.state.head->ticks_left = 1;
    room.step(601);
    REQUIRE(room.state.head->match == 1);
    CHECK(room.state.departed.empty());
    join_as(room, 2, cheat);
    CHECK(room.player(2).health == 100);
    CHECK(room.player(2).heat == 0);
}

TEST_CASE("arena roster: players without an identity are not remembered, and memory has a limit") {
    Room room(make(game));
    join_as(room, 0, 0);
    room.player(0).health = 30;
    room.leave(0);
    CHECK(room.state.departed.empty());
    for (std::uint32_t player = 1; player <= worlds::arena::most_departed + 5; ++player) {
        join_as(room, 0, player);
        room.player(0).health = 30;
        room.leave(0);
        room.require_legal();
    }
    CHECK(room.state.departed.size() == worlds::arena::most_departed);
    join_as(room, 0, 5);  // the first five were forgotten, the longest away first
    CHECK(room.player(0).health == 100);
    join_as(room, 1, 6);
    CHECK(room.player(1).health == 30);
}
