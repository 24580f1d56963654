// SPDX-License-Identifier: MIT
// The document's ship and its heat, alone in space.
#include <arena/ship.h>
#include <instep/math/units.h>

#include <doctest/doctest.h>

#include <arena/tests/support.h>
#include <tests/support/property.h>

#include <cmath>

using namespace instep;
namespace arena = worlds::arena;
using test::arena::make;
using test::arena::Room;
using test::arena::Vec2;
using worlds::arena::EventKind;
using worlds::arena::faithful;
using worlds::arena::game;
using worlds::arena::hottest;
using worlds::arena::Player;
using worlds::arena::Rules;

namespace {

// Alone in the middle, at rest, its nose along +y.
Room alone(const Rules& rules) {
    Room room(make(rules, {.half_width = 1500, .half_height = 1500}));
    room.join_at(0, {0, 0});
    return room;
}

}  // namespace

TEST_CASE("arena ship: the ship weighs what the recordings say") {
    const auto setup = make(faithful);
    const rigid::BodyDef& ship = setup.bodies.body_defs[worlds::arena::ship_def];
    CHECK(ship.mass == doctest::Approx(0.75));
    CHECK(ship.inertia == doctest::Approx(0.125));
    CHECK(length(ship.origin) < 1e-15);
}

TEST_CASE("arena ship: a faithful ship thrusts along its side and a ship of the game along its nose") {
    Room original = alone(faithful);
    original.inputs[0].thrust = true;
    original.step(3);
    CHECK(original.player(0).ship.velocity.x > 1);
    CHECK(std::fabs(original.player(0).ship.velocity.y) < 1e-9);

    Room ours = alone(game);
    ours.inputs[0].thrust = true;
    ours.step(3);
    CHECK(ours.player(0).ship.velocity.y > 0.5);
    CHECK(std::fabs(ours.player(0).ship.velocity.x) < 1e-9);
}

TEST_CASE("arena ship: a released turn key leaves a faithful ship spinning and stops one of the game") {
    for (const bool is_faithful : {true, false}) {
        CAPTURE(is_faithful);
        Room room = alone(is_faithful ? faithful : game);
        room.inputs[0].left = true;
        room.step(5);
        CHECK(std::fabs(room.player(0).ship.spin) > 2.9);
        room.inputs[0].left = false;
        room.step(5);
        CHECK((std::fabs(room.player(0).ship.spin) > 2.9) == is_faithful);
    }
}

TEST_CASE("arena ship: left turns counterclockwise in the game and wins over right") {
    Room room = alone(game);
    room.inputs[0] = {.left = true, .right = true};
    room.step(10);
    CHECK(room.player(0).ship.angle > 0.3);
    Room original = alone(faithful);
    original.inputs[0] = {.left = true, .right = true};
    original.step(10);
    CHECK(original.player(0).ship.angle < -0.3);
}

TEST_CASE("arena ship: no ship of the game flies faster than its limit, and shots outrun all of them") {
    test::for_each_seed(20, [](math::Random& random) {
        Room room = alone(game);
        for (int i = 0; i < 600; ++i) {
            room.inputs[0] = test::arena::random_keys(random);
            room.inputs[0].thrust = true;
            room.inputs[0].fire = i % 60 == 0;
            room.player(0).heat = 0;
            room.step();
            REQUIRE(length(room.player(0).ship.velocity) <= game.most_speed + 1e-9);
        }
        for (const auto& shot : room.state.shots) {
            const Vec2 ahead = shot.flight.velocity - room.player(0).ship.velocity;
            CHECK(length(ahead) > 0);
        }
    });
}

TEST_CASE("arena ship: an overheated ship that something has hit is held to the limit as well") {
    Room room = alone(game);
    room.player(0).heat = game.most_heat + 10;
    room.player(0).overheated = true;
    room.player(0).ship.velocity = {60, 0};
    room.step();
    REQUIRE(room.player(0).overheated);
    CHECK(length(room.player(0).ship.velocity) <= game.most_speed);
}

TEST_CASE("arena ship: heat follows its model to the bit, whatever keys are pressed") {
    for (const bool is_faithful : {true, false}) {
        CAPTURE(is_faithful);
        const Rules& rules = is_faithful ? faithful : game;
        test::for_each_seed(50, [&](math::Random& random) {
            Room room = alone(rules);
            double heat = 0;
            bool overheated = false;
            int pause = 0;
            for (int i = 0; i < 1500; ++i) {
                room.inputs[0] = test::arena::random_keys(random);
                room.step();
                const auto& keys = room.inputs[0];
                if (pause > 0) --pause;
                if (!overheated) {
                    if (keys.thrust) heat += 15.0 * (1.0 / 60);
                    if (keys.fire && pause == 0) {
                        heat += 25;
                        pause = 12;
                    }
                    heat = std::max(0.0, heat - 10.0 * (1.0 / 60));
                    overheated = heat >= 100;
                } else if (!is_faithful) {
                    heat = std::max(0.0, heat - 10.0 * (1.0 / 60));
                    overheated = heat > 50;
                }
                REQUIRE(room.player(0).heat == heat);
                REQUIRE(room.player(0).overheated == overheated);
                REQUIRE(heat <= hottest(rules, 1.0 / 60));
            }
        });
    }
}

TEST_CASE("arena ship: an overheated ship does nothing, and obeys again at half its heat") {
    Room room = alone(game);
    room.player(0).heat = 99.9;
    room.inputs[0] = {.thrust = true, .left = true, .fire = true};
    room.step();
    REQUIRE(room.player(0).overheated);
    CHECK(room.count(EventKind::overheated) == 1);
    const Vec2 velocity = room.player(0).ship.velocity;
    int ticks = 0;
    while (room.player(0).overheated) {
        room.step();
        REQUIRE(length(room.player(0).ship.velocity) <= length(velocity));
        REQUIRE(room.state.shots.size() <= 1);
        REQUIRE(++ticks < 1000);
    }
    CHECK(room.count(EventKind::recovered) == 1);
    CHECK(room.player(0).heat == doctest::Approx(50).epsilon(0.01));
    CHECK(ticks == doctest::Approx((99.9 + 25 + 0.25 - 50) * 6).epsilon(0.02));  // 10 a second
    room.step();
    CHECK(room.player(0).ship.spin > 2.9);
}

TEST_CASE("arena ship: a faithful ship that overheats stays so") {
    Room room = alone(faithful);
    room.player(0).heat = 99.99;
    room.inputs[0].fire = true;
    room.step();
    REQUIRE(room.player(0).overheated);
    const double heat = room.player(0).heat;
    room.step(2000);
    CHECK(room.player(0).overheated);
    CHECK(room.player(0).heat == heat);
}

TEST_CASE("arena ship: a held trigger fires every fifth of a second, while heat allows") {
    Rules cold = game;
    cold.shot_heat = 0;
    Room room = alone(cold);
    room.inputs[0].fire = true;
    int shots = 0;
    for (int i = 0; i < 120; ++i) {
        room.step();
        const int fired = room.count(EventKind::fired);
        CHECK(fired == (i % 12 == 0 ? 1 : 0));
        shots += fired;
    }
    CHECK(shots == 10);

    Room hot = alone(game);
    hot.inputs[0].fire = true;
    hot.step(120);
    CHECK(hot.player(0).overheated);  // after five shots: four at 25 each cool a little in between
}

TEST_CASE("arena ship: a shot leaves along the nose with the ship's velocity, and ends after two seconds") {
    test::for_each_seed(50, [](math::Random& random) {
        Room room = alone(game);
        Player& player = room.player(0);
        player.ship = {.position = {random.uniform(-100, 100), random.uniform(-100, 100)},
                       .velocity = {random.uniform(-15, 15), random.uniform(-15, 15)},
                       .angle = random.uniform(-10, 10)};
        const Vec2 nose = worlds::arena::nose_of(player.ship.angle);
        const Vec2 drift = player.ship.velocity;
        room.inputs[0].fire = true;
        room.step();
        room.inputs[0].fire = false;
        REQUIRE(room.state.shots.size() == 1);
        CHECK(length(room.state.shots[0].flight.velocity - (drift + nose * 40)) < 0.05);
        room.step(118);
        CHECK(room.state.shots.size() == 1);
        room.step();
        CHECK(room.state.shots.empty());
    });
}

TEST_CASE("arena ship: no crash turns a ship of the game by itself, and each is one collision") {
    test::for_each_seed(200, [&](math::Random& random) {
        const bool at_wall = random.below(3) == 0;
        std::vector<arena::Wall> walls;
        std::vector<arena::RockPlan> rocks;
        if (at_wall)
            walls.push_back({{8, 0}, {1, 15}, random.uniform(-0.6, 0.6)});
        else
            rocks.push_back({.position = {8, random.uniform(-2, 2)},
                             .velocity = {random.uniform(-8, 0), 0},
                             .spin = random.uniform(-2, 2),
                             .radius = random.uniform(1, 3)});
        Room room(make(arena::game, {}, walls, rocks));
        const double angle = random.uniform(-4, 4);
        room.join_at(0, {0, 0}, angle);
        room.player(0).ship.velocity = {random.uniform(8, 25), 0};
        int collisions = 0;
        int since_first = 0;
        for (int i = 0; i < 90 && since_first < 30; ++i) {
            room.step();
            collisions += room.count(arena::EventKind::collision);
            since_first += collisions > 0 ? 1 : 0;
            REQUIRE(room.player(0).ship.angle == angle);
            REQUIRE(room.player(0).ship.spin == 0);
        }
        if (since_first > 0) REQUIRE(collisions == 1);
    });
}

TEST_CASE("arena ship: two ships that crash are one collision, and neither is turned") {
    test::for_each_seed(200, [&](math::Random& random) {
        Room room(make(arena::game));
        room.join_at(0, {-3, random.uniform(-0.5, 0.5)}, random.uniform(-4, 4));
        room.join_at(1, {3, 0}, random.uniform(-4, 4));
        const double angles[] = {room.player(0).ship.angle, room.player(1).ship.angle};
        room.player(0).ship.velocity = {random.uniform(5, 25), 0};
        room.player(1).ship.velocity = {random.uniform(-25, 0), 0};
        int collisions = 0;
        for (int i = 0; i < 60; ++i) {
            room.step();
            collisions += room.count(arena::EventKind::collision);
            for (const contract::Slot slot : {contract::Slot{0}, contract::Slot{1}})
                REQUIRE(room.player(slot).ship.angle == angles[slot]);
        }
        REQUIRE(collisions <= 1);
    });
}
