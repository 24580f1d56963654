// SPDX-License-Identifier: MIT
// Conservation laws on random impacts. docs/decisions/own-rigid-bodies.md says which hold exactly.
#include <instep/rigid/step.h>

#include <cmath>

#include <tests/rigid/support.h>
#include <tests/support/property.h>

using namespace instep;
using namespace instep::rigid;
using test::TestSpace;

namespace {

Setup free_setup(double friction, double restitution) {
    Setup setup = test::ground_setup(friction, restitution);
    setup.config.gravity = {};
    setup.config.sleep_ticks = 0;
    const std::array<Vec2, 3> ship{Vec2{0, 1}, Vec2{-0.5, -0.5}, Vec2{0.5, -0.5}};
    setup.body_defs.push_back(
        test::body_def(BodyType::dynamic, make_polygon(ship), {1, friction, restitution}));
    setup.body_defs.push_back(
        test::body_def(BodyType::dynamic, make_box(1.5, 0.2), {3, friction, restitution}));
    return setup;
}

// Bodies on a ring that fly towards its centre.
void add_swarm(TestSpace& sim, math::Random& random, int count) {
    for (int i = 0; i < count; ++i) {
        const auto def = static_cast<std::uint16_t>(1 + random.below(4));
        const Vec2 position{(i % 4) * 4.0 - 6 + random.uniform(-0.3, 0.3),
                            (i / 4) * 4.0 - 6 + random.uniform(-0.3, 0.3)};
        const double speed = random.uniform(0, 1.5);
        const double angle = random.uniform(-3, 3);
        const double spin = random.uniform(-3, 3);
        sim.add(def, position, -speed * position, angle, spin);
    }
}

}  // namespace

TEST_CASE("conservation: free bodies keep momentum and angular momentum through collisions") {
    test::for_each_seed(20, [](math::Random& random) {
        const double friction = random.uniform(0, 1);
        Setup setup = free_setup(friction, random.uniform(0, 1));
        // Position correction moves bodies that have a velocity, which changes their angular momentum.
        setup.config.position_iterations = 0;
        TestSpace sim(setup);
        add_swarm(sim, random, 16);
        const Vec2 momentum_before = momentum(sim.space);
        const double angular_before = angular_momentum(sim.space);
        bool touched = false;
        for (int i = 0; i < 300; ++i) {
            sim.step();
            touched = touched || sim.space.contacts.size() > 0;
        }
        CHECK(touched);
        CHECK(math::distance(momentum(sim.space), momentum_before) < 1e-9);
        CHECK(std::fabs(angular_momentum(sim.space) - angular_before) < 1e-8);
    });
}

// Friction spins a body while it bounces, and eight iterations leave an error: neither may add energy, at any
// restitution, in any step.
TEST_CASE("conservation: no impact creates energy, for any friction and restitution") {
    test::for_each_seed(200, [](math::Random& random) {
        const double friction = random.below(3) == 0 ? 0 : random.uniform(0, 1);
        const double restitution = random.below(3) == 0 ? 1 : random.uniform(0, 1);
        TestSpace sim(free_setup(friction, restitution));
        add_swarm(sim, random, 16);
        double before = sim.energy();
        for (int i = 0; i < 300; ++i) {
            sim.step();
            const double after = sim.energy();
            REQUIRE(after <= before * (1 + 1e-11));
            before = after;
        }
    });
}

// A rod that falls on its end with friction is where a full bounce would gain most.
TEST_CASE("conservation: a rough rod never leaves a wall with more energy than before") {
    test::for_each_seed(300, [](math::Random& random) {
        const double restitution = random.uniform(0.8, 1);
        TestSpace sim(free_setup(random.uniform(0.1, 1), restitution));
        sim.add(test::ground, {0, -1});
        const double speed = random.uniform(2, 40);
        const double angle = random.uniform(0.2, 1.4);
        const double slide = random.uniform(-20, 20);
        const Handle rod = sim.add(4, {0, 3}, {slide, -speed}, angle, random.uniform(-10, 10));
        double before = sim.energy();
        bool bounced = false;
        for (int i = 0; i < 120; ++i) {
            sim.step();
            const double after = sim.energy();
            REQUIRE(after <= before * (1 + 1e-11));
            before = after;
            bounced = bounced || sim[rod].velocity.y > 0;
            REQUIRE(sim[rod].position.y > 0);
        }
        CHECK(bounced);
    });
}

// In flight v' = v + dt g and y' = y + dt v' keep v²/2 + g y - g v dt/2 up to rounding; an impact may only
// reduce it.
TEST_CASE("conservation: a bouncing body never rises above the height it fell from") {
    for (const double restitution : {1.0, 0.95, 0.8, 0.3, 0.0})
        for (const double half : {0.1, 0.5})
            for (const bool round : {true, false}) {
                CAPTURE(restitution);
                CAPTURE(half);
                CAPTURE(round);
                Setup setup = test::ground_setup(0, restitution);
                const double g = -setup.config.gravity.y;
                setup.body_defs.push_back(test::body_def(BodyType::dynamic,
                                                         round ? make_circle(half) : make_box(half, half),
                                                         {1, 0, restitution}));
                TestSpace sim(setup);
                sim.add(test::ground, {0, -1});
                const Handle thrown = sim.add(3, {0, 1 + half});
                const auto energy = [&] {
                    const Body& body = sim[thrown];
                    const double spin = body.angular_velocity * setup.body_defs[3].inertia /
                                        setup.body_defs[3].mass * body.angular_velocity;
                    return 0.5 * (math::length_squared(body.velocity) + spin) + g * (body.position.y - half) -
                           0.5 * g * TestSpace::dt * body.velocity.y;
                };
                const double first = energy();
                double before = first;
                double highest = 0;
                for (int tick = 0; tick < 3600; ++tick) {
                    sim.step();
                    const double after = energy();
                    // A resting body is lifted a little: by half of the slop at most.
                    REQUIRE(after <= std::max(before * (1 + 1e-9), g * linear_slop));
                    before = after;
                    if (tick >= 3000) highest = std::max(highest, sim[thrown].position.y - half);
                }
                if (restitution == 1) {
                    CHECK(highest > 0.95);
                    CHECK(before > 0.95 * first);
                } else {
                    CHECK(sim[thrown].asleep);
                    CHECK(std::fabs(sim[thrown].position.y - half) < 2 * linear_slop);
                }
            }
}

TEST_CASE("restitution: perfectly elastic balls keep their energy, for any friction") {
    test::for_each_seed(20, [](math::Random& random) {
        TestSpace sim(free_setup(random.uniform(0, 1), 1));
        for (int i = 0; i < 16; ++i) {
            const double vx = random.uniform(-5, 5);
            const double vy = random.uniform(-5, 5);
            sim.add(test::ball, {(i % 4) * 2.0, (i / 4) * 2.0}, {vx, vy}, 0, random.uniform(-5, 5));
        }
        const double before = sim.energy();
        sim.step(120);
        CHECK(sim.energy() == doctest::Approx(before).epsilon(0.005));
    });
}

TEST_CASE("restitution: friction spins a bouncing ball unless elastic bounces lose nothing") {
    const auto bounce = [](double restitution, bool elastic_loses_nothing) {
        Setup setup = free_setup(0.5, restitution);
        setup.config.elastic_loses_nothing = elastic_loses_nothing;
        TestSpace sim(setup);
        sim.add(test::ground, {0, -1});
        const Handle ball = sim.add(test::ball, {0, 1}, {3, -4});
        sim.step(30);
        CHECK(sim[ball].velocity.y == doctest::Approx(4 * restitution));
        return sim[ball];
    };
    CHECK(bounce(1, true).angular_velocity == 0);
    CHECK(bounce(1, true).velocity.x == 3);
    CHECK(bounce(0.99, true).angular_velocity < -1);
    CHECK(bounce(0.99, true).velocity.x < 2.9);
    CHECK(bounce(1, false).angular_velocity < -1);
    CHECK(bounce(1, false).velocity.x < 2.9);
}

TEST_CASE("restitution: a perfectly elastic body that lies on the ground still has friction") {
    TestSpace sim(test::ground_setup(0.5, 1));
    sim.add(test::ground, {0, -1});
    const Handle box = sim.add(test::box, {0, 0.5}, {2, 0});
    sim.step(60);
    CHECK(std::fabs(sim[box].velocity.x) < 0.05);
    CHECK(sim[box].position.x == doctest::Approx(0.4).epsilon(0.15));  // v² / 2 μ g
}

TEST_CASE("restitution: equal elastic balls exchange their velocities in a head-on impact") {
    TestSpace sim(free_setup(0, 1));
    const Handle left = sim.add(test::ball, {-3, 0}, {4, 0});
    const Handle right = sim.add(test::ball, {3, 0}, {-2, 0});
    sim.step(120);
    CHECK(sim[left].velocity.x == doctest::Approx(-2));
    CHECK(sim[right].velocity.x == doctest::Approx(4));
    CHECK(sim[left].velocity.y == 0);
}

TEST_CASE("restitution: bodies move with their common momentum after a plastic impact") {
    TestSpace sim(free_setup(0, 0));
    const Handle left = sim.add(test::ball, {-3, 0}, {4, 0});
    const Handle right = sim.add(test::ball, {3, 0}, {-2, 0});
    sim.step(120);
    CHECK(sim[left].velocity.x == doctest::Approx(1));
    CHECK(sim[right].velocity.x == doctest::Approx(1));
}

TEST_CASE("symmetry: the mirror image of colliding balls stays their mirror image") {
    TestSpace sim(free_setup(0.5, 0.5));
    TestSpace mirror(free_setup(0.5, 0.5));
    test::for_each_seed(1, [&](math::Random& random) {
        for (int i = 0; i < 6; ++i) {
            const double x = -6 + 2.5 * i;
            const double vx = random.uniform(-4, 4);
            const double vy = random.uniform(-1, 1);
            sim.add(test::ball, {x, 0}, {vx, vy});
            mirror.add(test::ball, {x, 0}, {vx, -vy});
        }
        for (int i = 0; i < 120; ++i) {
            sim.step();
            mirror.step();
            for (std::uint32_t k = 0; k < sim.bodies.size(); ++k)
                CHECK(sim.bodies[k].position.y ==
                      doctest::Approx(-mirror.bodies[k].position.y).epsilon(1e-9));
        }
    });
}

TEST_CASE("integration: damping is v / (1 + dt c) and free flight is p + dt v to the bit") {
    Setup setup = free_setup(0, 0);
    setup.body_defs[test::box].options.linear_damping = 0.05;
    setup.body_defs[test::box].options.angular_damping = 0.1;
    TestSpace sim(setup);
    const Handle ship = sim.add(test::box, {1, 2}, {3, -4}, 0.5, 2);
    Vec2 position{1, 2};
    Vec2 velocity{3, -4};
    double angle = 0.5;
    double spin = 2;
    for (int i = 0; i < 200; ++i) {
        sim.step();
        velocity *= 1 / (1 + TestSpace::dt * 0.05);
        spin *= 1 / (1 + TestSpace::dt * 0.1);
        position += TestSpace::dt * velocity;
        angle += TestSpace::dt * spin;
        CHECK(sim[ship].position == position);
        CHECK(sim[ship].angle == angle);
    }
}

TEST_CASE("integration: a step moves a body by at most 2 units and a quarter turn") {
    TestSpace sim(free_setup(0, 0));
    const Handle fast = sim.add(test::box, {}, {5000, 0}, 0, 5000);
    sim.step();
    CHECK(sim[fast].position.x == doctest::Approx(2));
    CHECK(sim[fast].angle == doctest::Approx(math::pi / 2));
    CHECK(sim[fast].velocity.x == doctest::Approx(120));
}
