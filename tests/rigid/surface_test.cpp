// SPDX-License-Identifier: MIT
// Conveyors, rolling resistance, mixing rules, filter groups and one-way shapes, against what mechanics says.
#include <instep/rigid/step.h>

#include <cmath>
#include <string>

#include <tests/rigid/support.h>
#include <tests/support/property.h>

using namespace instep;
using namespace instep::rigid;
using test::TestSpace;

namespace {

constexpr double g = 10;

// The ground's top is at y = 0 and has the given material.
TestSpace space_on(const Material& ground, double friction = 0.6) {
    Setup setup = test::ground_setup(friction);
    setup.body_defs[test::ground] = test::body_def(BodyType::fixed, make_box(100, 1), ground);
    TestSpace sim(std::move(setup));
    sim.add(test::ground, {0, -1});
    return sim;
}

constexpr std::uint16_t platform = 3;

// A platform at the origin, 6 units wide and 0.2 high, that is solid from above.
Setup platform_setup(BodyType type = BodyType::fixed) {
    Setup setup = test::ground_setup();
    Shape shape{*make_box(3, 0.1), {1, 0.6, 0}, {}};
    shape.one_way.direction = {0, 1};
    setup.body_defs.push_back(*make_body_def(type, {shape}));
    return setup;
}

}  // namespace

TEST_CASE("conveyor: friction brings a box to the speed of the belt, no faster than it can") {
    for (const double speed : {3.0, -3.0}) {
        TestSpace sim = space_on({.friction = 0.6, .tangent_speed = speed});
        const Handle box = sim.add(test::box, {0, 0.5});
        sim.step(15);
        CHECK(sim[box].velocity.x == doctest::Approx(std::copysign(0.6 * g * 0.25, speed)).epsilon(0.05));
        sim.step(60);
        CHECK(sim[box].velocity.x == doctest::Approx(speed).epsilon(0.001));
        sim.step(300);
        CHECK(sim[box].velocity.x == doctest::Approx(speed).epsilon(0.001));
        CHECK(!sim[box].asleep);
    }
}

TEST_CASE("conveyor: what hangs below it goes the other way, and two belts add up") {
    Setup setup = test::ground_setup();
    setup.config.gravity = {0, 10};  // up
    setup.body_defs[test::ground] =
        test::body_def(BodyType::fixed, make_box(100, 1), {.friction = 0.6, .tangent_speed = 2});
    setup.body_defs[test::box] =
        test::body_def(BodyType::dynamic, make_box(0.5, 0.5), {.friction = 0.6, .tangent_speed = 1});
    TestSpace sim(std::move(setup));
    sim.add(test::ground, {0, 1});
    const Handle box = sim.add(test::box, {0, -0.5});
    sim.step(120);
    CHECK(sim[box].velocity.x == doctest::Approx(-3).epsilon(0.001));
}

TEST_CASE("rolling resistance: a rolling ball slows down at 2/3 of the coefficient times g") {
    constexpr double coefficient = 0.05;
    TestSpace sim = space_on({.friction = 0.6, .rolling_resistance = coefficient});
    const Handle ball = sim.add(test::ball, {0, 0.5}, {4, 0}, 0, -8);  // it rolls, since v = w r
    sim.step(60);
    CHECK(sim[ball].velocity.x == doctest::Approx(4 - 2.0 / 3 * coefficient * g).epsilon(0.01));
    CHECK(sim[ball].angular_velocity == doctest::Approx(-2 * sim[ball].velocity.x).epsilon(0.01));
    sim.step(1200);
    CHECK(sim[ball].asleep);
}

TEST_CASE("rolling resistance: a ball rests on a slope whose tangent is below the coefficient") {
    for (const double slope : {0.18, 0.22}) {
        Setup setup = test::ground_setup();
        setup.config.gravity = {g * math::sin(std::atan(slope)), -g * math::cos(std::atan(slope))};
        setup.config.sleep_ticks = 0;
        setup.body_defs[test::ball] =
            test::body_def(BodyType::dynamic, make_circle(0.5), {.friction = 0.6, .rolling_resistance = 0.2});
        TestSpace sim(std::move(setup));
        sim.add(test::ground, {0, -1});
        const Handle ball = sim.add(test::ball, {0, 0.495});
        sim.step(300);
        if (slope < 0.2)
            CHECK(std::fabs(sim[ball].position.x) < 0.02);
        else
            CHECK(sim[ball].position.x > 1);
    }
}

TEST_CASE("material: mixing rules, of which the later in the list counts") {
    const auto friction = [](Mix a, Mix b) {
        return mixed_friction({.friction = 0.2, .friction_mix = a}, {.friction = 0.8, .friction_mix = b});
    };
    CHECK(friction(Mix::standard, Mix::standard) == doctest::Approx(0.4));
    CHECK(friction(Mix::average, Mix::standard) == doctest::Approx(0.5));
    CHECK(friction(Mix::average, Mix::minimum) == doctest::Approx(0.2));
    CHECK(friction(Mix::multiply, Mix::minimum) == doctest::Approx(0.16));
    CHECK(friction(Mix::multiply, Mix::maximum) == doctest::Approx(0.8));
    CHECK(mixed_restitution({.restitution = 0.5}, {}) == doctest::Approx(0.5));
    CHECK(mixed_restitution({.restitution = 0.5}, {.restitution_mix = Mix::minimum}) == 0);

    // Ice on which nothing has friction: the box keeps its speed.
    TestSpace sim = space_on({.friction = 0, .friction_mix = Mix::minimum}, 1);
    const Handle box = sim.add(test::box, {0, 0.5}, {3, 0});
    sim.step(60);
    CHECK(sim[box].velocity.x == doctest::Approx(3));
}

TEST_CASE("material: what is out of range is refused") {
    const auto refused = [](auto change) {
        Shape shape{*make_circle(1), {}, {}};
        change(shape);
        return !make_body_def(BodyType::dynamic, {shape}).has_value();
    };
    CHECK(!refused([](Shape&) {}));
    CHECK(refused([](Shape& shape) { shape.material.rolling_resistance = -1; }));
    CHECK(refused([](Shape& shape) { shape.material.tangent_speed = std::nan(""); }));
    CHECK(refused([](Shape& shape) { shape.one_way.direction = {0, 2}; }));
    CHECK(refused([](Shape& shape) { shape.one_way.tolerance = -1; }));
}

TEST_CASE("filter: a common group decides before categories and masks") {
    constexpr Filter none{.category = 1, .mask = 0};
    constexpr Filter all{};
    const auto with_group = [](Filter filter, std::int16_t group) {
        filter.group = group;
        return filter;
    };
    CHECK(may_touch(all, all));
    CHECK(!may_touch(all, none));
    CHECK(may_touch(with_group(all, 3), with_group(none, 3)));
    CHECK(!may_touch(with_group(all, 3), with_group(none, 4)));
    CHECK(!may_touch(with_group(all, -3), with_group(all, -3)));
    CHECK(may_touch(with_group(all, -3), with_group(all, -4)));

    Setup setup = test::ground_setup();
    setup.body_defs[test::ball].shapes[0].filter.group = -1;
    setup.body_defs[test::ground].shapes[0].filter.group = -1;
    TestSpace sim(std::move(setup));
    sim.add(test::ground, {0, -1});
    const Handle ball = sim.add(test::ball, {0, 1});
    const Handle box = sim.add(test::box, {3, 1});
    sim.step(120);
    CHECK(sim[ball].position.y < -5);
    CHECK(sim[box].position.y == doctest::Approx(0.5).epsilon(0.02));
}

TEST_CASE("one-way: a box jumps through the platform from below and lands on it") {
    TestSpace sim(platform_setup());
    sim.add(platform, {0, 0});
    const Handle box = sim.add(test::box, {0, -2}, {0.3, 9});
    sim.step(20);
    CHECK(sim[box].velocity.y == doctest::Approx(9 - g * 20 / 60.0).epsilon(0.001));  // nothing slowed it
    sim.step(280);
    CHECK(sim[box].position.y == doctest::Approx(0.6).epsilon(0.02));
    CHECK(sim[box].asleep);
}

TEST_CASE("one-way: from above it is solid at every speed, from below and from the side it is open") {
    test::for_each_seed(200, [](math::Random& random) {
        TestSpace sim(platform_setup());
        sim.add(platform, {0, 0});
        const auto def = static_cast<std::uint16_t>(1 + random.below(2));
        const double angle = def == test::box ? random.uniform(-3, 3) : 0;
        const Handle falls =
            sim.add(def, {random.uniform(-2, 2), random.uniform(1, 6)}, {0, random.uniform(-100, 0)}, angle);
        // A corner that hits may send it over the edge.
        const auto is_beside = [&] { return std::fabs(sim[falls].position.x) > 2.9; };
        for (int i = 0; i < 90 && !is_beside(); ++i) {
            sim.step();
            REQUIRE((is_beside() || sim[falls].position.y > 0.1));
        }
        CHECK((is_beside() || sim[falls].position.y > 0.55));
        sim.bodies.remove_at(1);
        const double speed = random.uniform(12, 100);
        const Handle rises = sim.add(def, {random.uniform(-2, 2), random.uniform(-6, -2)}, {0, speed}, angle);
        sim.step(3);
        CHECK(sim[rises].velocity.y == doctest::Approx(speed - g * 3 / 60.0));
        sim.bodies.remove_at(1);
        const Handle passes = sim.add(def, {-6, random.uniform(-0.1, 0.1)}, {speed, 0}, angle);
        sim.step(3);
        CHECK(sim[passes].velocity.x == doctest::Approx(speed));
    });
}

TEST_CASE("one-way: a platform that moves up carries what it is under, and a save during the ride is exact") {
    TestSpace sim(platform_setup(BodyType::kinematic));
    const Handle lift = sim.add(platform, {0, 0}, {0, 2});
    const Handle box = sim.add(test::box, {0, 1});
    const Handle below = sim.add(test::ball, {1, -3}, {0, 8});
    for (int i = 0; i < 60; ++i) {
        const auto image = sim.save();
        sim.step();
        const std::uint64_t hash = sim.hash();
        sim.restore(image);
        sim.step();
        REQUIRE(sim.hash() == hash);
    }
    CHECK(sim[box].position.y == doctest::Approx(sim[lift].position.y + 0.6).epsilon(0.02));
    CHECK(sim[below].position.y < sim[lift].position.y);
}
