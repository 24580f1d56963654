// SPDX-License-Identifier: MIT
#include <instep/rigid/distance.h>
#include <instep/rigid/sweep.h>

#include <cmath>

#include <tests/rigid/support.h>
#include <tests/support/property.h>

using namespace instep;
using namespace instep::rigid;
using test::RigidRoom;

namespace {

// A room of 20 by 20 behind walls 0.1 thick, in which things of every form fly at the speed limit.
Setup room_setup(double restitution) {
    const Material material{1, 0.1, restitution};
    Setup setup;
    const std::array<Vec2, 3> ship{Vec2{0, 1}, Vec2{-0.5, -0.5}, Vec2{0.5, -0.5}};
    FormOptions bullet;
    bullet.bullet = true;
    setup.forms = {test::form(BodyType::fixed, make_box(10, 0.05), material),
                   test::form(BodyType::fixed, make_box(0.05, 10), material),
                   test::form(BodyType::dynamic, make_circle(0.1), material, bullet),
                   test::form(BodyType::dynamic, make_circle(0.5), material),
                   test::form(BodyType::dynamic, make_box(0.4, 0.05), material),
                   test::form(BodyType::dynamic, make_polygon(ship), material),
                   test::form(BodyType::fixed, make_segment({-10, 0}, {10, 0}), material)};
    setup.rules.sleep_ticks = 0;
    return setup;
}

void add_walls(RigidRoom& room) {
    room.add(0, {0, -10});
    room.add(0, {0, 10});
    room.add(1, {-10, 0});
    room.add(1, {10, 0});
}

}  // namespace

TEST_CASE("nothing tunnels through a wall of a tenth at the speed limit") {
    test::for_each_seed(30, [](math::Random& random) {
        RigidRoom room(room_setup(random.below(2) == 0 ? 1 : 0.3));
        add_walls(room);
        for (int i = 0; i < 12; ++i) {
            const double angle = random.uniform(-3.14, 3.14);
            const double spin = random.uniform(-20, 20);
            const Vec2 velocity{120 * math::cos(angle), 120 * math::sin(angle)};
            room.add(static_cast<std::uint16_t>(2 + i % 4), {(i % 4) * 3.0 - 4.5, (i / 4) * 3.0 - 3},
                     velocity, angle, spin);
        }
        for (int tick = 0; tick < 300; ++tick) {
            room.step();
            for (const Body& body : room.space.bodies) {
                REQUIRE(std::fabs(body.position.x) <= 10.05);
                REQUIRE(std::fabs(body.position.y) <= 10.05);
            }
        }
    });
}

TEST_CASE("a segment without thickness holds a bullet as well") {
    RigidRoom room(room_setup(0));
    room.add(6, {0, 0});
    const Handle bullet = room.add(2, {0, 1.5}, {30, -110});
    room.step(5);
    CHECK(room[bullet].position.y > 0);
}

TEST_CASE("a bullet hits a small thing that it would have jumped over") {
    RigidRoom room(room_setup(1));
    const Handle target = room.add(3, {5.3, 0});
    const Handle bullet = room.add(2, {0, 0}, {110, 0});
    std::size_t hits = 0;
    for (int i = 0; i < 12; ++i) {
        room.step();
        hits += room.events_of(Event::Kind::hit);
    }
    CHECK(hits == 1);
    CHECK(room[target].velocity.x > 1);
    CHECK(room[bullet].velocity.x < 0);
}

TEST_CASE("the time of impact is where the surfaces meet") {
    const Hull disc = *make_circle(0.5);
    const Hull wall = *make_box(0.05, 5);
    const double time = time_of_impact(disc, 0, {{-2, 0}, {4, 0}, 0, 0}, wall, 5, {});
    CHECK(time == doctest::Approx((1.45 - touching_distance) / 4).epsilon(0.01));
    CHECK(time_of_impact(disc, 0, {{-2, 0}, {-4, 0}, 0, 0}, wall, 5, {}) == 1);
    CHECK(time_of_impact(disc, 0, {{-2, 0}, {0.5, 0}, 0, 0}, wall, 5, {}) == 1);
    CHECK(time_of_impact(disc, 0, {{-0.5, 0}, {4, 0}, 0, 0}, wall, 5, {}) == 0);
}

TEST_CASE("up to the time of impact nothing has touched") {
    test::for_each_seed(300, [](math::Random& random) {
        const Hull stick = *make_box(0.8, 0.1);
        const Hull block = *make_box(0.5, 0.5);
        const double x = random.uniform(-3, -1.6);
        const double y = random.uniform(-1, 1);
        const double turn = random.uniform(-1.5, 1.5);
        const Motion motion{{x, y}, {2, random.uniform(-1, 1)}, 0, turn};
        const double reach = math::length(stick.points[0]);
        const double time = time_of_impact(stick, reach, motion, block, 0.71, {});
        for (int i = 0; i <= 20; ++i) {
            Hull placed;
            place(stick, motion.at(time * i / 20), placed);
            CHECK(separation(placed, block).distance > 0);
        }
    });
}

TEST_CASE("what slides fast along a wall is not held back by it") {
    Setup setup = room_setup(0);
    setup.forms[0].shapes[0].material.friction = 0;
    setup.rules.gravity = {0, -10};
    RigidRoom room(setup);
    room.add(0, {0, 0});
    const Handle slider = room.add(4, {-8, 0.1}, {40, 0});
    room.step(20);
    CHECK(room[slider].position.x == doctest::Approx(-8 + 40.0 / 3).epsilon(0.01));
}
