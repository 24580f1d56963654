// SPDX-License-Identifier: MIT
// Shots, deaths, matches and bots.
#include <arena/combat.h>
#include <instep/match/builtin_levels.h>

#include <doctest/doctest.h>

#include <arena/tests/support.h>
#include <tests/support/property.h>

#include <cmath>

using namespace instep;
using test::arena::crowded;
using test::arena::make;
using test::arena::Room;
using test::arena::Vec2;
using worlds::arena::EventKind;
using worlds::arena::game;
using worlds::arena::Player;
using worlds::arena::Rules;

namespace {

// Slot 0 at the origin with its nose at slot 1, ten units up.
Room duel(const Rules& rules = game) {
    Room room(make(rules));
    room.join_at(0, {0, 0});
    room.join_at(1, {0, 10});
    return room;
}

// Fires once and waits until the shot has ended.
void fire_once(Room& room, contract::Slot slot) {
    room.inputs[slot].fire = true;
    room.step();
    room.inputs[slot].fire = false;
    while (!room.state.shots.empty()) room.step();
}

}  // namespace

TEST_CASE("arena combat: a shot takes its damage from the ship it hits, pushes it, and ends") {
    Room room = duel();
    fire_once(room, 0);
    CHECK(room.player(1).health == 90);
    CHECK(room.player(0).health == 100);
    CHECK(room.player(1).ship.velocity.y > 0.5);
    CHECK(room.count(EventKind::hit) == 1);
}

TEST_CASE("arena combat: ships of one team do each other no harm, and its bots look for enemies") {
    Rules rules = game;
    rules.teams = 2;
    Room room(make(rules));
    room.join_at(0, {0, 0});
    room.join_at(2, {0, 10});
    fire_once(room, 0);
    CHECK(room.player(2).health == 100);
    CHECK(room.count(EventKind::hit) == 0);
    room.step();
    const auto without = worlds::arena::bot(room.state, room.setup, 0);
    CHECK(!without.fire);
    room.join_at(1, {0, 20});
    room.player(2).ship.position = {5, 10};
    fire_once(room, 0);
    CHECK(room.player(1).health == 90);
    CHECK(room.count(EventKind::hit) == 1);
}

TEST_CASE(
    "arena combat: a shot never hits its owner in its first tenth of a second, however fast the owner "
    "flies") {
    Rules rules = game;
    rules.most_speed = 0;
    test::for_each_seed(100, [&](math::Random& random) {
        Room room(make(rules, {.half_width = 1000, .half_height = 1000}));
        room.join_at(0, {0, 0}, random.uniform(-4, 4));
        room.player(0).ship.velocity = {random.uniform(-100, 100), random.uniform(-100, 100)};
        room.player(0).ship.spin = random.uniform(-3, 3);
        room.inputs[0] = {.left = random.below(2) == 0, .fire = true};
        for (int i = 0; i < 6; ++i) {
            room.step();
            REQUIRE(room.count(EventKind::hit) == 0);
            REQUIRE(room.player(0).health == 100);
        }
    });
}

TEST_CASE("arena combat: a shot that comes back later hits its owner, and that costs a point") {
    Room room = duel();
    room.join_at(2, {30, 30});
    Player& owner = room.player(0);
    owner.health = 10;
    room.state.shots.add(
        {.flight = {.position = {-5, 0}, .velocity = {40, 0}}, .ticks_left = 100, .owner = 0});
    room.step(8);
    CHECK(!room.player(0).alive());
    CHECK(room.player(0).score == -game.own_kill_cost);
    CHECK(room.player(0).deaths == 1);
    CHECK(room.player(0).kills == 0);
}

TEST_CASE(
    "arena combat: ten shots explode a ship, score for the killer, and the dead comes back after three "
    "seconds") {
    Room room = duel();
    for (int i = 0; i < 9; ++i) {
        fire_once(room, 0);
        room.player(0).heat = 0;
        room.player(0).overheated = false;
        room.player(1).ship = {.position = {0, 10}};
        room.step(12);
    }
    REQUIRE(room.player(1).health == 10);
    room.inputs[0].fire = true;
    room.step();
    room.inputs[0].fire = false;
    int explosions = 0;
    while (room.player(1).alive()) {
        room.step();
        explosions += room.count(EventKind::explosion);
    }
    CHECK(explosions == 1);
    CHECK(room.player(1).health == 0);
    CHECK(room.player(0).score == 1);
    CHECK(room.player(0).kills == 1);
    int ticks = 0;
    while (!room.player(1).alive()) {
        room.step();
        ++ticks;
    }
    CHECK(ticks == 180);
    CHECK(room.count(EventKind::respawned) == 1);
    CHECK(room.player(1).health == 100);
    CHECK(room.player(1).heat == 0);
}

TEST_CASE("arena combat: dead ships do not collide: shots and ships pass where one exploded") {
    Room room = duel();
    room.player(1).health = 10;
    fire_once(room, 0);
    REQUIRE(!room.player(1).alive());
    room.player(0).fire_pause = 0;
    room.inputs[0].fire = true;
    room.step();
    room.inputs[0].fire = false;
    room.step(30);
    REQUIRE(room.state.shots.size() == 1);
    CHECK(room.state.shots[0].flight.position.y > 15);
}

TEST_CASE("arena combat: walls and rocks end a shot of the game, and let a faithful one fly on") {
    for (const bool is_faithful : {true, false}) {
        Room room(make(is_faithful ? worlds::arena::faithful : game, {}, {{{0, 8}, {5, 1}, 0}}));
        room.join_at(0, {0, 0});
        room.inputs[0].fire = true;
        room.step();
        room.inputs[0].fire = false;
        room.step(30);
        CHECK(room.state.shots.size() == (is_faithful ? 1 : 0));
    }
}

TEST_CASE("arena combat: at the shot limit no ship fires, and none heats up") {
    Room room(make(game, {.most_shots = 1}));
    room.join_at(0, {-10, 0});
    room.join_at(1, {10, 0});
    room.inputs[0].fire = room.inputs[1].fire = true;
    room.step();
    CHECK(room.state.shots.size() == 1);
    CHECK(room.count(EventKind::fired) == 1);
    CHECK(room.player(0).heat > 20);
    CHECK(room.player(1).heat == 0);
    CHECK(room.player(1).fire_pause == 0);
}

TEST_CASE("arena combat: ships start far from the others") {
    Room room(crowded());
    for (contract::Slot slot = 0; slot < 4; ++slot) {
        room.join(slot);
        for (const Player& other : room.state.players)
            if (other.slot != slot)
                CHECK(distance(other.ship.position, room.player(slot).ship.position) > 20);
    }
}

TEST_CASE("arena combat: a match lasts five minutes, then scores are shown, then all begins anew") {
    Room room = duel();
    const std::uint32_t begin = room.state.head->ticks_left;
    room.player(0).score = 7;
    room.player(0).kills = 7;
    CHECK(begin == 18'000 - 2);
    room.state.head->ticks_left = 1;
    room.inputs[0] = {.thrust = true, .fire = true};
    room.step();
    CHECK(room.count(EventKind::match_over) == 1);
    CHECK(room.state.head->showing_scores);
    CHECK(room.state.shots.empty());
    CHECK(room.player(0).score == 7);
    room.require_legal();

    const Vec2 velocity = room.player(0).ship.velocity;
    room.step(599);
    CHECK(room.state.shots.empty());
    CHECK(length(room.player(0).ship.velocity) <= length(velocity));
    CHECK(room.player(0).score == 7);
    room.step();
    CHECK(room.count(EventKind::match_began) == 1);
    CHECK(!room.state.head->showing_scores);
    CHECK(room.state.head->match == 1);
    CHECK(room.state.head->ticks_left == 18'000);
    CHECK(room.player(0).score == 0);
    CHECK(room.player(0).kills == 0);
    CHECK(room.player(1).health == 100);
    CHECK(distance(room.player(0).ship.position, room.player(1).ship.position) > 20);
    room.require_legal();
}

TEST_CASE("arena combat: every match begins with the level's rocks") {
    Room room(crowded());
    const std::vector<worlds::arena::Rock> first(room.state.rocks.begin(), room.state.rocks.end());
    room.step(200);
    room.state.head->ticks_left = 1;
    room.step(601);
    REQUIRE(room.state.head->match == 1);
    for (std::uint32_t i = 0; i < first.size(); ++i) {
        CHECK(room.state.rocks[i].flight.position == first[i].flight.position);
        CHECK(room.state.rocks[i].flight.velocity == first[i].flight.velocity);
    }
    CHECK(room.state.touches.empty());
}

TEST_CASE("arena combat: bots find and hit each other") {
    Room room(make(game));
    room.join(0);
    room.join(1);
    int hits = 0;
    for (int i = 0; i < 60 * 30; ++i) {
        room.step_bots(1);
        hits += room.count(EventKind::hit);
    }
    CHECK(hits >= 5);
}

TEST_CASE("arena combat: bots seldom overheat") {
    Room room(crowded());
    for (contract::Slot slot = 0; slot < 8; ++slot) room.join(slot);
    int overheated = 0;
    for (int i = 0; i < 60 * 20; ++i) {
        room.step_bots(1);
        for (const Player& player : room.state.players) overheated += player.overheated ? 1 : 0;
    }
    CHECK(overheated < 8 * 60 * 20 / 20);
}

TEST_CASE("arena view: a hot ship glows, and the result of a match is left to the page") {
    Room room = duel();
    contract::DrawList list;
    worlds::arena::view(room.state, room.setup, {}, list);
    const std::size_t shapes = list.shapes.size();
    room.player(0).heat = 80;
    list.clear();
    worlds::arena::view(room.state, room.setup, {}, list);
    CHECK(list.shapes.size() > shapes);  // it glows
    room.state.head->ticks_left = 1;
    room.step();
    list.clear();
    worlds::arena::view(room.state, room.setup, {}, list);
    REQUIRE(room.state.head->showing_scores);
    CHECK(list.letters.find("scores") == std::string::npos);
}

TEST_CASE("arena combat: a shot hits a ship that flies away from it, however fast") {
    test::for_each_seed(200, [](math::Random& random) {
        Room room = duel();
        Player& target = room.player(1);
        const double speed = random.uniform(0, 25);
        target.ship = {.position = {random.uniform(-0.2, 0.2), -5},
                       .velocity = {0, speed},
                       .angle = random.uniform(-4, 4)};
        room.player(0).ship.position = {30, 0};
        room.state.shots.add(
            {.flight = {.position = {0, -8}, .velocity = {0, 40}}, .ticks_left = 100, .owner = 0});
        room.step(25);
        REQUIRE(room.player(1).health == 90);
        REQUIRE(room.state.shots.empty());
    });
}
