// SPDX-License-Identifier: MIT
// Explosions and wind.
#include <instep/rigid/forces.h>

#include <tests/rigid/support.h>
#include <tests/support/property.h>

using namespace instep;
using namespace instep::rigid;
using test::TestSpace;

TEST_CASE("explosion: pushes outwards by width and distance, and wakes") {
    TestSpace sim(test::ground_setup());
    const Handle near = sim.add(test::ball, {2, 0});
    const Handle half = sim.add(test::ball, {-5.5, 0});
    const Handle far = sim.add(test::ball, {0, 20});
    const Handle fixed = sim.add(test::ground, {0, -3});
    sim[near].asleep = true;
    QueryIndex index(sim.setup);
    explode(Queries(sim.space, index),
            {.centre = {0, 0}, .radius = 4, .falloff = 2, .impulse_per_length = 3});
    const double mass = sim.setup.body_defs[test::ball].mass;
    CHECK(sim[near].velocity.x == doctest::Approx(3 / mass));  // a width of 1
    CHECK(sim[near].velocity.y == doctest::Approx(0));
    CHECK(!sim[near].asleep);
    CHECK(sim[half].velocity.x == doctest::Approx(-1.5 / mass));
    CHECK(sim[far].velocity == Vec2{});
    CHECK(sim[fixed].velocity == Vec2{});
}

TEST_CASE("wind: drags by the square of the relative speed, never beyond its own") {
    test::for_each_seed(100, [](math::Random& random) {
        Setup setup = test::ground_setup();
        setup.config.gravity = {};
        TestSpace sim(std::move(setup));
        const Handle ball = sim.add(test::ball, {0, 0});
        const Handle box = sim.add(test::box, {5, 0}, {}, random.uniform(-3, 3));
        const double speed = random.uniform(1, 50);
        blow(sim.space, {speed, 0}, 0.1, 0.01);
        const double expected = 0.01 * 0.1 * speed * speed / sim.setup.body_defs[test::ball].mass;
        CHECK(sim[ball].velocity.x == doctest::Approx(expected));
        for (int i = 0; i < 200; ++i) {
            blow(sim.space, {speed, 0}, random.uniform(0, 100), 0.02);
            CHECK(sim[ball].velocity.x <= speed * (1 + 1e-9));
            CHECK(sim[box].velocity.x <= speed * (1 + 1e-9));
        }
        CHECK(sim[ball].velocity.x == doctest::Approx(speed).epsilon(0.05));
    });
}
