// SPDX-License-Identifier: MIT
// The laws of mechanics, on random impacts: what two bodies do to each other must cancel, and nothing may
// come from nothing. What of that is exact and what is not says docs/decisions/own-rigid-bodies.md.
#include <instep/rigid/step.h>

#include <cmath>

#include <tests/rigid/support.h>
#include <tests/support/property.h>

using namespace instep;
using namespace instep::rigid;
using test::RigidRoom;

namespace {

Setup free_setup(double friction, double restitution) {
    Setup setup = test::ground_setup(friction, restitution);
    setup.rules.gravity = {};
    setup.rules.sleep_ticks = 0;
    const std::array<Vec2, 3> ship{Vec2{0, 1}, Vec2{-0.5, -0.5}, Vec2{0.5, -0.5}};
    setup.forms.push_back(test::form(BodyType::dynamic, make_polygon(ship), {1, friction, restitution}));
    setup.forms.push_back(test::form(BodyType::dynamic, make_box(1.5, 0.2), {3, friction, restitution}));
    return setup;
}

// Bodies on a ring that fly towards its middle.
void add_swarm(RigidRoom& room, math::Random& random, int count) {
    for (int i = 0; i < count; ++i) {
        const auto form = static_cast<std::uint16_t>(1 + random.below(4));
        const Vec2 place{(i % 4) * 4.0 - 6 + random.uniform(-0.3, 0.3),
                         (i / 4) * 4.0 - 6 + random.uniform(-0.3, 0.3)};
        const double speed = random.uniform(0, 1.5);
        const double angle = random.uniform(-3, 3);
        const double spin = random.uniform(-3, 3);
        room.add(form, place, -speed * place, angle, spin);
    }
}

}  // namespace

TEST_CASE("momentum and angular momentum of free bodies stay whatever they run into") {
    test::for_each_seed(20, [](math::Random& random) {
        const double friction = random.uniform(0, 1);
        Setup setup = free_setup(friction, random.uniform(0, 1));
        // Pushing apart what overlaps moves bodies that have a velocity, and with them their angular
        // momentum.
        setup.rules.position_iterations = 0;
        RigidRoom room(setup);
        add_swarm(room, random, 16);
        const Vec2 momentum_before = momentum(room.space, room.setup);
        const double angular_before = angular_momentum(room.space, room.setup);
        bool touched = false;
        for (int i = 0; i < 300; ++i) {
            room.step();
            touched = touched || room.space.contacts.size() > 0;
        }
        CHECK(touched);
        CHECK(math::distance(momentum(room.space, room.setup), momentum_before) < 1e-9);
        CHECK(std::fabs(angular_momentum(room.space, room.setup) - angular_before) < 1e-8);
    });
}

// Friction turns a body while it bounces, and eight passes leave something undone: what comes of both must
// not be energy, at any restitution, in any step.
TEST_CASE("no impact creates energy however rough and elastic bodies are") {
    test::for_each_seed(200, [](math::Random& random) {
        const double friction = random.below(3) == 0 ? 0 : random.uniform(0, 1);
        const double restitution = random.below(3) == 0 ? 1 : random.uniform(0, 1);
        RigidRoom room(free_setup(friction, restitution));
        add_swarm(room, random, 16);
        double before = room.energy();
        for (int i = 0; i < 300; ++i) {
            room.step();
            const double after = room.energy();
            REQUIRE(after <= before * (1 + 1e-11));
            before = after;
        }
    });
}

// A rod that falls on its end and rubs there is where a bounce asked for in full wins most.
TEST_CASE("a rough rod never leaves a wall with more energy than it came with") {
    test::for_each_seed(300, [](math::Random& random) {
        const double restitution = random.uniform(0.8, 1);
        RigidRoom room(free_setup(random.uniform(0.1, 1), restitution));
        room.add(test::ground, {0, -1});
        const double speed = random.uniform(2, 40);
        const double angle = random.uniform(0.2, 1.4);
        const double slide = random.uniform(-20, 20);
        const Handle rod = room.add(4, {0, 3}, {slide, -speed}, angle, random.uniform(-10, 10));
        double before = room.energy();
        bool bounced = false;
        for (int i = 0; i < 120; ++i) {
            room.step();
            const double after = room.energy();
            REQUIRE(after <= before * (1 + 1e-11));
            before = after;
            bounced = bounced || room[rod].velocity.y > 0;
            REQUIRE(room[rod].position.y > 0);
        }
        CHECK(bounced);
    });
}

// In flight v' = v + dt g and y' = y + dt v' keep v²/2 + g y - g v dt/2 to the last digits; an impact may
// only take from it.
TEST_CASE("what bounces under gravity never rises higher than it fell from") {
    for (const double restitution : {1.0, 0.95, 0.8, 0.3, 0.0})
        for (const double half : {0.1, 0.5})
            for (const bool round : {true, false}) {
                CAPTURE(restitution);
                CAPTURE(half);
                CAPTURE(round);
                Setup setup = test::ground_setup(0, restitution);
                const double g = -setup.rules.gravity.y;
                setup.forms.push_back(test::form(BodyType::dynamic,
                                                 round ? make_circle(half) : make_box(half, half),
                                                 {1, 0, restitution}));
                RigidRoom room(setup);
                room.add(test::ground, {0, -1});
                const Handle thrown = room.add(3, {0, 1 + half});
                const auto energy = [&] {
                    const Body& body = room[thrown];
                    const double spin = body.angular_velocity * setup.forms[3].inertia / setup.forms[3].mass *
                                        body.angular_velocity;
                    return 0.5 * (math::length_squared(body.velocity) + spin) + g * (body.position.y - half) -
                           0.5 * g * RigidRoom::dt * body.velocity.y;
                };
                const double first = energy();
                double before = first;
                double highest = 0;
                for (int tick = 0; tick < 3600; ++tick) {
                    room.step();
                    const double after = energy();
                    // What lies is held up by a little: half of the slop, at most.
                    REQUIRE(after <= std::max(before * (1 + 1e-9), g * linear_slop));
                    before = after;
                    if (tick >= 3000) highest = std::max(highest, room[thrown].position.y - half);
                }
                if (restitution == 1) {
                    CHECK(highest > 0.95);
                    CHECK(before > 0.95 * first);
                } else {
                    CHECK(room[thrown].asleep);
                    CHECK(std::fabs(room[thrown].position.y - half) < 2 * linear_slop);
                }
            }
}

TEST_CASE("perfectly elastic balls keep their energy however rough they are") {
    test::for_each_seed(20, [](math::Random& random) {
        RigidRoom room(free_setup(random.uniform(0, 1), 1));
        for (int i = 0; i < 16; ++i) {
            const double vx = random.uniform(-5, 5);
            const double vy = random.uniform(-5, 5);
            room.add(test::ball, {(i % 4) * 2.0, (i / 4) * 2.0}, {vx, vy}, 0, random.uniform(-5, 5));
        }
        const double before = room.energy();
        room.step(120);
        CHECK(room.energy() == doctest::Approx(before).epsilon(0.005));
    });
}

TEST_CASE("a rough ball takes spin from a bounce unless it loses nothing") {
    const auto bounce = [](double restitution, bool elastic_loses_nothing) {
        Setup setup = free_setup(0.5, restitution);
        setup.rules.elastic_loses_nothing = elastic_loses_nothing;
        RigidRoom room(setup);
        room.add(test::ground, {0, -1});
        const Handle ball = room.add(test::ball, {0, 1}, {3, -4});
        room.step(30);
        CHECK(room[ball].velocity.y == doctest::Approx(4 * restitution));
        return room[ball];
    };
    CHECK(bounce(1, true).angular_velocity == 0);
    CHECK(bounce(1, true).velocity.x == 3);
    CHECK(bounce(0.99, true).angular_velocity < -1);
    CHECK(bounce(0.99, true).velocity.x < 2.9);
    CHECK(bounce(1, false).angular_velocity < -1);
    CHECK(bounce(1, false).velocity.x < 2.9);
}

TEST_CASE("what is perfectly elastic and lies on the ground still rubs") {
    RigidRoom room(test::ground_setup(0.5, 1));
    room.add(test::ground, {0, -1});
    const Handle box = room.add(test::box, {0, 0.5}, {2, 0});
    room.step(60);
    CHECK(std::fabs(room[box].velocity.x) < 0.05);
    CHECK(room[box].position.x == doctest::Approx(0.4).epsilon(0.15));  // v² / 2 μ g
}

TEST_CASE("equal elastic balls that meet head on exchange their velocities") {
    RigidRoom room(free_setup(0, 1));
    const Handle left = room.add(test::ball, {-3, 0}, {4, 0});
    const Handle right = room.add(test::ball, {3, 0}, {-2, 0});
    room.step(120);
    CHECK(room[left].velocity.x == doctest::Approx(-2));
    CHECK(room[right].velocity.x == doctest::Approx(4));
    CHECK(room[left].velocity.y == 0);
}

TEST_CASE("what sticks together after a plastic impact moves with the common momentum") {
    RigidRoom room(free_setup(0, 0));
    const Handle left = room.add(test::ball, {-3, 0}, {4, 0});
    const Handle right = room.add(test::ball, {3, 0}, {-2, 0});
    room.step(120);
    CHECK(room[left].velocity.x == doctest::Approx(1));
    CHECK(room[right].velocity.x == doctest::Approx(1));
}

TEST_CASE("a mirrored world stays the mirror image of balls that meet") {
    RigidRoom room(free_setup(0.5, 0.5));
    RigidRoom mirror(free_setup(0.5, 0.5));
    test::for_each_seed(1, [&](math::Random& random) {
        for (int i = 0; i < 6; ++i) {
            const double x = -6 + 2.5 * i;
            const double vx = random.uniform(-4, 4);
            const double vy = random.uniform(-1, 1);
            room.add(test::ball, {x, 0}, {vx, vy});
            mirror.add(test::ball, {x, 0}, {vx, -vy});
        }
        for (int i = 0; i < 120; ++i) {
            room.step();
            mirror.step();
            for (std::uint32_t k = 0; k < room.space.bodies.size(); ++k)
                CHECK(room.space.bodies[k].position.y ==
                      doctest::Approx(-mirror.space.bodies[k].position.y).epsilon(1e-9));
        }
    });
}

TEST_CASE("damping follows v / (1 + dt c) and free flight follows p + dt v to the bit") {
    Setup setup = free_setup(0, 0);
    setup.forms[test::box].options.linear_damping = 0.05;
    setup.forms[test::box].options.angular_damping = 0.1;
    RigidRoom room(setup);
    const Handle ship = room.add(test::box, {1, 2}, {3, -4}, 0.5, 2);
    Vec2 position{1, 2};
    Vec2 velocity{3, -4};
    double angle = 0.5;
    double spin = 2;
    for (int i = 0; i < 200; ++i) {
        room.step();
        velocity *= 1 / (1 + RigidRoom::dt * 0.05);
        spin *= 1 / (1 + RigidRoom::dt * 0.1);
        position += RigidRoom::dt * velocity;
        angle += RigidRoom::dt * spin;
        CHECK(room[ship].position == position);
        CHECK(room[ship].angle == angle);
    }
}

TEST_CASE("nothing moves more than the rules' two units and quarter turn a step") {
    RigidRoom room(free_setup(0, 0));
    const Handle fast = room.add(test::box, {}, {5000, 0}, 0, 5000);
    room.step();
    CHECK(room[fast].position.x == doctest::Approx(2));
    CHECK(room[fast].angle == doctest::Approx(math::pi / 2));
    CHECK(room[fast].velocity.x == doctest::Approx(120));
}
