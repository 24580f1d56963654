// SPDX-License-Identifier: MIT
#include <instep/rigid/continuous.h>
#include <instep/rigid/distance.h>

#include <cmath>

#include <tests/rigid/support.h>
#include <tests/support/property.h>

using namespace instep;
using namespace instep::rigid;
using test::TestSpace;

namespace {

// A box of 20 by 20 units with walls of 0.1 units, in which bodies of every shape fly at the speed limit.
Setup room_setup(double restitution) {
    const Material material{1, 0.1, restitution};
    Setup setup;
    const std::array<Vec2, 3> ship{Vec2{0, 1}, Vec2{-0.5, -0.5}, Vec2{0.5, -0.5}};
    BodyOptions bullet;
    bullet.bullet = true;
    setup.body_defs = {test::body_def(BodyType::fixed, make_box(10, 0.05), material),
                       test::body_def(BodyType::fixed, make_box(0.05, 10), material),
                       test::body_def(BodyType::dynamic, make_circle(0.1), material, bullet),
                       test::body_def(BodyType::dynamic, make_circle(0.5), material),
                       test::body_def(BodyType::dynamic, make_box(0.4, 0.05), material),
                       test::body_def(BodyType::dynamic, make_polygon(ship), material),
                       test::body_def(BodyType::fixed, make_segment({-10, 0}, {10, 0}), material)};
    setup.config.sleep_ticks = 0;
    return setup;
}

void add_walls(TestSpace& sim) {
    sim.add(0, {0, -10});
    sim.add(0, {0, 10});
    sim.add(1, {-10, 0});
    sim.add(1, {10, 0});
}

}  // namespace

TEST_CASE("continuous: nothing tunnels through a wall of 0.1 units at the speed limit") {
    test::for_each_seed(30, [](math::Random& random) {
        TestSpace sim(room_setup(random.below(2) == 0 ? 1 : 0.3));
        add_walls(sim);
        for (int i = 0; i < 12; ++i) {
            const double angle = random.uniform(-3.14, 3.14);
            const double spin = random.uniform(-20, 20);
            const Vec2 velocity{120 * math::cos(angle), 120 * math::sin(angle)};
            sim.add(static_cast<std::uint16_t>(2 + i % 4), {(i % 4) * 3.0 - 4.5, (i / 4) * 3.0 - 3}, velocity,
                    angle, spin);
        }
        for (int tick = 0; tick < 300; ++tick) {
            sim.step();
            for (const Body& body : sim.bodies) {
                REQUIRE(std::fabs(body.position.x) <= 10.05);
                REQUIRE(std::fabs(body.position.y) <= 10.05);
            }
        }
    });
}

TEST_CASE("continuous: a segment without thickness stops a bullet") {
    TestSpace sim(room_setup(0));
    sim.add(6, {0, 0});
    const Handle bullet = sim.add(2, {0, 1.5}, {30, -110});
    sim.step(5);
    CHECK(sim[bullet].position.y > 0);
}

TEST_CASE("continuous: a bullet hits a small body that it would have jumped over") {
    TestSpace sim(room_setup(1));
    const Handle target = sim.add(3, {5.3, 0});
    const Handle bullet = sim.add(2, {0, 0}, {110, 0});
    std::size_t hits = 0;
    for (int i = 0; i < 12; ++i) {
        sim.step();
        hits += sim.events_of(ContactEvent::Kind::hit);
    }
    CHECK(hits == 1);
    CHECK(sim[target].velocity.x > 1);
    CHECK(sim[bullet].velocity.x < 0);
}

TEST_CASE("time of impact: the surfaces meet there") {
    const Hull disc = *make_circle(0.5);
    const Hull wall = *make_box(0.05, 5);
    const double time = time_of_impact(disc, 0, {{-2, 0}, {4, 0}, 0, 0}, wall, 5, {});
    CHECK(time == doctest::Approx((1.45 - touching_distance) / 4).epsilon(0.01));
    CHECK(time_of_impact(disc, 0, {{-2, 0}, {-4, 0}, 0, 0}, wall, 5, {}) == 1);
    CHECK(time_of_impact(disc, 0, {{-2, 0}, {0.5, 0}, 0, 0}, wall, 5, {}) == 1);
    CHECK(time_of_impact(disc, 0, {{-0.5, 0}, {4, 0}, 0, 0}, wall, 5, {}) == 0);
}

TEST_CASE("time of impact: nothing touches before it") {
    test::for_each_seed(300, [](math::Random& random) {
        const Hull stick = *make_box(0.8, 0.1);
        const Hull block = *make_box(0.5, 0.5);
        const double x = random.uniform(-3, -1.6);
        const double y = random.uniform(-1, 1);
        const double turn = random.uniform(-1.5, 1.5);
        const Sweep motion{{x, y}, {2, random.uniform(-1, 1)}, 0, turn};
        const double max_extent = math::length(stick.points[0]);
        const double time = time_of_impact(stick, max_extent, motion, block, 0.71, {});
        for (int i = 0; i <= 20; ++i) {
            Hull placed;
            transform(stick, motion.at(time * i / 20), placed);
            CHECK(hull_distance(placed, block).distance > 0);
        }
    });
}

TEST_CASE("continuous: a body that slides fast along a wall is not slowed by it") {
    Setup setup = room_setup(0);
    setup.body_defs[0].shapes[0].material.friction = 0;
    setup.config.gravity = {0, -10};
    TestSpace sim(setup);
    sim.add(0, {0, 0});
    const Handle slider = sim.add(4, {-8, 0.1}, {40, 0});
    sim.step(20);
    CHECK(sim[slider].position.x == doctest::Approx(-8 + 40.0 / 3).epsilon(0.01));
}

// A very long wall, and a body that a motor drives into it.
TEST_CASE("continuous: a body that a motor presses into a wall slides along it and never freezes") {
    test::for_each_seed(40, [](math::Random& random) {
        Setup setup = room_setup(0.3);
        setup.body_defs[0] = test::body_def(BodyType::fixed, make_box(500, 0.5), {1, 0.1, 0.3});
        TestSpace sim(setup);
        sim.add(0, {0, -0.5});
        const auto def = static_cast<std::uint16_t>(2 + random.below(4));
        const double angle = random.uniform(-3, 3);
        const Handle pressed = sim.add(def, {0, 3}, {0, -random.uniform(0, 120)}, angle);
        const Vec2 force{random.uniform(80, 200), -random.uniform(100, 500)};
        int frozen = 0;
        for (int i = 0; i < 200; ++i) {
            const Vec2 before = sim[pressed].position;
            apply_force(sim[pressed], sim.setup, sim.setup.body_defs[def].mass * force, TestSpace::dt);
            sim.step();
            const Body& body = sim[pressed];
            frozen = body.position == before && math::length(body.velocity) > 1 ? frozen + 1 : 0;
            REQUIRE(frozen < 2);
            REQUIRE(body.position.y > 0);
        }
        // Friction takes a tenth of the pressing force, at most 50 of 80; without it the body would go 160
        // units.
        CHECK(sim[pressed].position.x > 20);
    });
}

TEST_CASE("continuous: small balls under a heavy lid are not squeezed through a thin floor") {
    for (const bool segment : {false, true})
        for (const double density : {1.0, 20.0, 200.0}) {
            CAPTURE(segment);
            CAPTURE(density);
            const Material material{1, 0.4, 0};
            Setup setup;
            setup.config.gravity = {0, -10};
            setup.config.sleep_ticks = 0;
            setup.body_defs = {
                test::body_def(BodyType::fixed, segment ? make_segment({-3, 0}, {3, 0}) : make_box(3, 0.05),
                               material),
                test::body_def(BodyType::fixed, make_box(0.5, 20), material),
                test::body_def(BodyType::dynamic, make_circle(0.1), material),
                test::body_def(BodyType::dynamic, make_box(1.4, 1), {density, 0.4, 0})};
            TestSpace sim(setup);
            sim.add(0, {0, 0});
            sim.add(1, {-2, 20});
            sim.add(1, {2, 20});
            for (int i = 0; i < 30; ++i) sim.add(2, {-1.3 + 0.26 * (i % 11), 0.16 + 0.21 * (i / 11)});
            sim.add(3, {0, 5});
            for (int i = 0; i < 400; ++i) {
                sim.step();
                for (const Body& body : sim.bodies)
                    if (body.def == 2) REQUIRE(body.position.y > -0.05);
            }
        }
}

TEST_CASE("continuous: walls stop fast bodies even if the list of obstacles is full") {
    for (const std::uint32_t max_contacts : {1U, 4U, 64U}) {
        CAPTURE(max_contacts);
        Setup setup = room_setup(0);
        setup.max_contacts = max_contacts;
        setup.body_defs[1] = test::body_def(BodyType::fixed, make_box(0.05, 50));
        TestSpace sim(setup);
        sim.add(1, {0, 0});
        for (int i = 0; i < 60; ++i) sim.add(2, {-1, -45 + 1.5 * i}, {110, 0});
        sim.step(4);
        for (const Body& body : sim.bodies) CHECK(body.position.x < 0.05);
    }
}

TEST_CASE("continuous: fast spinning rods and chips stay inside a crowded box") {
    test::for_each_seed(20, [](math::Random& random) {
        Setup setup = room_setup(0.3);
        setup.body_defs.push_back(test::body_def(BodyType::dynamic, make_box(1.5, 0.03), {1, 0.1, 0.3}));
        setup.body_defs.push_back(test::body_def(BodyType::dynamic, make_box(0.05, 0.05), {1, 0.1, 0.3}));
        TestSpace sim(setup);
        add_walls(sim);
        for (int i = 0; i < 30; ++i) {
            const double angle = random.uniform(-3.14, 3.14);
            sim.add(static_cast<std::uint16_t>(7 + i % 2), {(i % 6) * 3 - 7.5, (i / 6) * 3.0 - 6},
                    {120 * math::cos(angle), 120 * math::sin(angle)}, angle, random.uniform(-90, 90));
        }
        for (int tick = 0; tick < 300; ++tick) {
            sim.step();
            for (const Body& body : sim.bodies) {
                REQUIRE(std::fabs(body.position.x) <= 10.05);
                REQUIRE(std::fabs(body.position.y) <= 10.05);
            }
        }
    });
}

// A heavy body pushes a bullet towards a wall. The wall has priority: the bullet's centroid keeps three
// quarters of its radius from it, in either order of the two.
TEST_CASE("continuous: a bullet between a wall and a heavy body is pressed no deeper into the wall") {
    test::for_each_seed(200, [](math::Random& random) {
        Setup setup = room_setup(0);
        setup.body_defs.push_back(test::body_def(BodyType::dynamic, make_box(2, 1), {100, 0, 0}));
        TestSpace sim(setup);
        const bool wall_first = random.below(2) == 0;
        const bool bullet_last = random.below(2) == 0;
        const double gap = random.uniform(0, 0.02);
        const Vec2 heavy_velocity{0, -random.uniform(1, 60)};
        if (wall_first) sim.add(0, {0, -0.05});
        if (bullet_last) sim.add(7, {0, 1.2 + gap}, heavy_velocity);
        const Handle bullet = sim.add(2, {0, 0.1}, {random.uniform(5, 50), 0});
        if (!bullet_last) sim.add(7, {0, 1.2 + gap}, heavy_velocity);
        if (!wall_first) sim.add(0, {0, -0.05});
        for (int i = 0; i < 10; ++i) {
            sim.step();
            REQUIRE(sim[bullet].position.y >= 0.075 - 1e-9);
        }
    });
}

// The obstacle moves on for the rest of the step in which it is hit: the bullet must not stay behind.
TEST_CASE("continuous: a bullet hits a body that flies away from it, at any angle") {
    test::for_each_seed(300, [](math::Random& random) {
        TestSpace sim(room_setup(0.3));
        const double turn = random.uniform(-0.6, 0.6);
        const double speed = random.uniform(0, 35);
        const Handle bullet = sim.add(2, {0, 0}, {60, 0});
        sim.add(3, {3, random.uniform(-0.2, 0.2)}, {speed * math::cos(turn), 0.02 * speed * math::sin(turn)});
        bool hit = false;
        for (int tick = 0; tick < 20 && !hit; ++tick) {
            sim.step();
            for (const ContactEvent& event : sim.scratch.events)
                hit = hit || event.kind == ContactEvent::Kind::begin;
        }
        REQUIRE(hit);
        REQUIRE(sim[bullet].position.x > 2);
    });
}
