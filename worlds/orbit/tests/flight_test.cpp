// SPDX-License-Identifier: MIT
#include <orbit/flight.h>

#include <instep/math/rotation.h>

#include <doctest/doctest.h>

#include <orbit/tests/support.h>
#include <tests/support/property.h>

using namespace instep;
using namespace instep::worlds::orbit;

namespace {

Setup empty_space() {
    Space space;
    space.sun.mass = 0;
    return make_setup(faithful, space, {});
}

Player fresh(const Setup& setup) {
    Player player;
    launch(player, setup);
    return player;
}

Player random_player(math::Random& random) {
    Player player;
    player.ship.position = Vec2{random.uniform(-300, 300), random.uniform(-300, 300)};
    player.ship.velocity = Vec2{random.uniform(-50, 50), random.uniform(-50, 50)};
    player.rotation = random.uniform(0, math::two_pi);
    player.energy = static_cast<float>(random.uniform(0, 100));
    const auto thrust = static_cast<float>(random.uniform());
    player.input = {thrust, static_cast<float>(random.uniform(-1, 1))};
    return player;
}

}  // namespace

TEST_CASE("orbit flight: a full turn takes a tenth of a radian a tick, and two pi thirds of a second") {
    const Setup setup = empty_space();
    Player player = fresh(setup);
    player.input.turn = 1;
    for (int tick = 1; tick <= 62; ++tick) {
        steer(player, setup);
        CHECK(player.rotation == doctest::Approx(tick * 0.1));
    }
    steer(player, setup);
    CHECK(player.rotation == doctest::Approx(6.3 - math::two_pi));
}

TEST_CASE("orbit flight: a rotation stays between nothing and a full turn, whichever way a ship turns") {
    const Setup setup = empty_space();
    test::for_each_seed(1000, [&](math::Random& random) {
        Player player = random_player(random);
        const double before = player.rotation;
        steer(player, setup);
        CHECK(player.rotation >= 0);
        CHECK(player.rotation <= math::two_pi);
        const double turned = math::angle_difference(before, player.rotation);
        CHECK(turned == doctest::Approx(0.1 * double{player.input.turn}).epsilon(1e-9));
    });
}

TEST_CASE("orbit flight: the nose points right at first and up after a quarter turn, where y points down") {
    CHECK(heading_of(0) == Vec2{1, 0});
    CHECK(distance(heading_of(math::half_pi), {0, -1}) < 1e-15);
}

TEST_CASE("orbit flight: thrust goes along the heading after the turn of the same tick") {
    const Setup setup = empty_space();
    Player player = fresh(setup);
    player.input = {1, 1};
    fly(player, setup);
    CHECK(distance(player.ship.velocity, heading_of(0.1) * (20.0 / 30)) < 1e-15);
}

TEST_CASE("orbit flight: thrust is proportional, its price is not") {
    const Setup setup = empty_space();
    for (const float throttle : {0.01f, 0.5f, 1.0f}) {
        Player player = fresh(setup);
        player.input.thrust = throttle;
        thrust(player, setup);
        CHECK(player.ship.velocity.x == doctest::Approx(20.0 / 30 * double{throttle}));
        CHECK(player.energy == 99.5f);
    }
}

TEST_CASE("orbit flight: a full tank lasts for 200 ticks of thrust, and then the engine is dead") {
    const Setup setup = empty_space();
    Player player = fresh(setup);
    player.input.thrust = 1;
    for (int tick = 1; tick <= 200; ++tick) {
        CHECK(is_thrusting(player, setup));
        fly(player, setup);
        CHECK(player.energy == 100 - 0.5f * static_cast<float>(tick));
    }
    const double speed = player.ship.velocity.x;
    CHECK(speed == doctest::Approx(200 * 20.0 / 30));
    CHECK(!is_thrusting(player, setup));
    for (int tick = 0; tick < 10; ++tick) fly(player, setup);
    CHECK(player.ship.velocity.x == speed);
    CHECK(player.energy == 0);
}

TEST_CASE(
    "orbit flight: the last rest of energy still gives a whole tick of thrust, and never goes below "
    "nothing") {
    const Setup setup = empty_space();
    Player player = fresh(setup);
    player.energy = 0.125f;
    player.input.thrust = 1;
    fly(player, setup);
    CHECK(player.ship.velocity.x == doctest::Approx(20.0 / 30));
    CHECK(player.energy == 0);
}

TEST_CASE("orbit flight: energy only ever falls by thrust: the budget of a flight adds up") {
    const Setup setup = test::orbit::default_world();
    test::for_each_seed(100, [&](math::Random& random) {
        Player player = fresh(setup);
        int thrusts = 0;
        for (int tick = 0; tick < 150; ++tick) {
            player.input = {static_cast<float>(random.below(3)) / 2,
                            static_cast<float>(random.uniform(-1, 1))};
            thrusts += player.input.thrust > 0 ? 1 : 0;
            fly(player, setup);
            REQUIRE(player.energy == 100 - 0.5f * static_cast<float>(thrusts));
        }
    });
}

TEST_CASE("orbit flight: only the game refills a tank, and only while the engine rests") {
    const Setup setup = test::orbit::game_world();
    Player player = fresh(setup);
    player.energy = 10;
    fly(player, setup);
    CHECK(player.energy == 10.0625f);
    player.input.thrust = 1;
    fly(player, setup);
    CHECK(player.energy == 9.5625f);
    player.input.thrust = 0;
    for (int tick = 0; tick < 3000; ++tick) fly(player, setup);
    CHECK(player.energy == 100);
}

TEST_CASE("orbit flight: gravity is that of the position where the tick began") {
    const Setup setup = test::orbit::default_world();
    Particle ship{{70, 0}, {0, 30}};
    const Vec2 pull = motion::gravity(ship.position, setup.sun);
    fall(ship, setup);
    CHECK(ship.velocity == Vec2{0, 30} + pull * setup.dt);
    CHECK(ship.position == Vec2{70, 0} + ship.velocity * setup.dt);
}

TEST_CASE(
    "orbit flight: there is no drag unless a level asks for it, and then speed falls by drag_k a second") {
    CHECK(faithful.drag_k == 0);
    CHECK(game.drag_k == 0);
    CHECK(test::orbit::default_world().kept == 1);
    Rules rules = faithful;
    rules.drag_k = 0.12;
    Space space;
    space.sun.mass = 0;
    const Setup setup = make_setup(rules, space, {});
    Particle ship{{}, {100, 0}};
    for (int tick = 0; tick < 30; ++tick) fall(ship, setup);
    CHECK(ship.velocity.x == doctest::Approx(100 * std::exp(-0.12)).epsilon(0.001));
}

TEST_CASE("orbit flight: no drag that a level may ask for turns a ship round") {
    const state::StructInfo& info = state::describe<Rules>();
    Rules rules = faithful;
    rules.drag_k = info.find("drag_k")->rules.high;
    rules.tick_rate = static_cast<std::uint32_t>(info.find("tick_rate")->rules.low);
    Space space;
    space.sun.mass = 0;
    const Setup setup = make_setup(rules, space, {});
    Particle ship{{}, {100, 0}};
    for (int tick = 0; tick < 10; ++tick) {
        fall(ship, setup);
        CHECK(ship.velocity.x > 0);
    }
}

TEST_CASE("orbit flight: a ship starts with no more energy than its tank holds") {
    Rules rules = faithful;
    rules.most_energy = 50;
    Player player;
    launch(player, make_setup(rules, {}, {}));
    CHECK(player.energy == 50);
}

TEST_CASE("orbit flight: a flight mirrored at the x axis is the mirror image") {
    const Setup setup = test::orbit::game_world();
    test::for_each_seed(200, [&](math::Random& random) {
        Player player = random_player(random);
        player.ship.position *= 2;
        Player mirrored = player;
        mirrored.ship.position.y *= -1;
        mirrored.ship.velocity.y *= -1;
        mirrored.rotation = math::two_pi - player.rotation;
        mirrored.input.turn *= -1;
        for (int tick = 0; tick < 60; ++tick) {
            fly(player, setup);
            fly(mirrored, setup);
        }
        CHECK(mirrored.ship.position.x == doctest::Approx(player.ship.position.x).epsilon(1e-6));
        CHECK(mirrored.ship.position.y == doctest::Approx(-player.ship.position.y).epsilon(1e-6));
        CHECK(mirrored.energy == player.energy);
    });
}

TEST_CASE(
    "orbit flight: a ship launched into orbit comes round again and keeps its distance without thrust") {
    const Setup setup = test::orbit::game_world();
    const double radius = setup.space.orbit_radius;
    const double period = math::two_pi * radius / std::sqrt(1e6 / radius);
    for (Slot slot = 0; slot < most_ships; ++slot) {
        Player player{.slot = slot};
        launch(player, setup);
        const Vec2 start = player.ship.position;
        CHECK(length(start) == doctest::Approx(radius));
        CHECK(dot(heading_of(player.rotation), player.ship.velocity) ==
              doctest::Approx(length(player.ship.velocity)));
        const auto ticks = static_cast<int>(period * 30);
        for (int tick = 0; tick < ticks; ++tick) {
            fly(player, setup);
            REQUIRE(length(player.ship.position) == doctest::Approx(radius).epsilon(0.01));
        }
        CHECK(distance(player.ship.position, start) < 0.05 * radius);
    }
}

TEST_CASE("orbit flight: ships start apart, however many there are") {
    const Setup setup = test::orbit::game_world();
    std::vector<Vec2> places;
    for (Slot slot = 0; slot < most_ships; ++slot) {
        Player player{.slot = slot};
        launch(player, setup);
        for (const Vec2 other : places)
            CHECK(distance(player.ship.position, other) > 2 * setup.rules.pickup_radius);
        places.push_back(player.ship.position);
    }
}
