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

// A wall so long that nobody gets round it, and what flies at it with a motor.
TEST_CASE("what a motor presses into a wall goes on along it and is never frozen") {
    test::for_each_seed(40, [](math::Random& random) {
        Setup setup = room_setup(0.3);
        setup.forms[0] = test::form(BodyType::fixed, make_box(500, 0.5), {1, 0.1, 0.3});
        RigidRoom room(setup);
        room.add(0, {0, -0.5});
        const auto form = static_cast<std::uint16_t>(2 + random.below(4));
        const double angle = random.uniform(-3, 3);
        const Handle pressed = room.add(form, {0, 3}, {0, -random.uniform(0, 120)}, angle);
        const Vec2 force{random.uniform(80, 200), -random.uniform(100, 500)};
        int frozen = 0;
        for (int i = 0; i < 200; ++i) {
            const Vec2 before = room[pressed].position;
            push(room[pressed], room.setup, room.setup.forms[form].mass * force, RigidRoom::dt);
            room.step();
            const Body& body = room[pressed];
            frozen = body.position == before && math::length(body.velocity) > 1 ? frozen + 1 : 0;
            REQUIRE(frozen < 2);
            REQUIRE(body.position.y > 0);
        }
        // Friction takes a tenth of what presses it, at most 50 of 80: it would go 160 from the beginning.
        CHECK(room[pressed].position.x > 20);
    });
}

TEST_CASE("small balls under a heavy lid are not squeezed through a thin floor") {
    for (const bool segment : {false, true})
        for (const double density : {1.0, 20.0, 200.0}) {
            CAPTURE(segment);
            CAPTURE(density);
            const Material material{1, 0.4, 0};
            Setup setup;
            setup.rules.gravity = {0, -10};
            setup.rules.sleep_ticks = 0;
            setup.forms = {test::form(BodyType::fixed,
                                      segment ? make_segment({-3, 0}, {3, 0}) : make_box(3, 0.05), material),
                           test::form(BodyType::fixed, make_box(0.5, 20), material),
                           test::form(BodyType::dynamic, make_circle(0.1), material),
                           test::form(BodyType::dynamic, make_box(1.4, 1), {density, 0.4, 0})};
            RigidRoom room(setup);
            room.add(0, {0, 0});
            room.add(1, {-2, 20});
            room.add(1, {2, 20});
            for (int i = 0; i < 30; ++i) room.add(2, {-1.3 + 0.26 * (i % 11), 0.16 + 0.21 * (i / 11)});
            room.add(3, {0, 5});
            for (int i = 0; i < 400; ++i) {
                room.step();
                for (const Body& body : room.space.bodies)
                    if (body.form == 2) REQUIRE(body.position.y > -0.05);
            }
        }
}

TEST_CASE("walls hold what is fast even where there is no room for a list of them") {
    for (const std::uint32_t max_contacts : {1U, 4U, 64U}) {
        CAPTURE(max_contacts);
        Setup setup = room_setup(0);
        setup.max_contacts = max_contacts;
        setup.forms[1] = test::form(BodyType::fixed, make_box(0.05, 50));
        RigidRoom room(setup);
        room.add(1, {0, 0});
        for (int i = 0; i < 60; ++i) room.add(2, {-1, -45 + 1.5 * i}, {110, 0});
        room.step(4);
        for (const Body& body : room.space.bodies) CHECK(body.position.x < 0.05);
    }
}

TEST_CASE("rods and chips that spin as fast as they fly stay in a crowded room") {
    test::for_each_seed(20, [](math::Random& random) {
        Setup setup = room_setup(0.3);
        setup.forms.push_back(test::form(BodyType::dynamic, make_box(1.5, 0.03), {1, 0.1, 0.3}));
        setup.forms.push_back(test::form(BodyType::dynamic, make_box(0.05, 0.05), {1, 0.1, 0.3}));
        RigidRoom room(setup);
        add_walls(room);
        for (int i = 0; i < 30; ++i) {
            const double angle = random.uniform(-3.14, 3.14);
            room.add(static_cast<std::uint16_t>(7 + i % 2), {(i % 6) * 3 - 7.5, (i / 6) * 3.0 - 6},
                     {120 * math::cos(angle), 120 * math::sin(angle)}, angle, random.uniform(-90, 90));
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

// A bullet gives way to what pushes it, and yet the wall has the last word: its middle keeps three quarters
// of its radius, whichever of the two is asked first.
TEST_CASE("a bullet between a wall and something heavy is pressed no deeper into the wall") {
    test::for_each_seed(200, [](math::Random& random) {
        Setup setup = room_setup(0);
        setup.forms.push_back(test::form(BodyType::dynamic, make_box(2, 1), {100, 0, 0}));
        RigidRoom room(setup);
        const bool wall_first = random.below(2) == 0;
        const bool bullet_last = random.below(2) == 0;
        const double gap = random.uniform(0, 0.02);
        const Vec2 heavy_velocity{0, -random.uniform(1, 60)};
        if (wall_first) room.add(0, {0, -0.05});
        if (bullet_last) room.add(7, {0, 1.2 + gap}, heavy_velocity);
        const Handle bullet = room.add(2, {0, 0.1}, {random.uniform(5, 50), 0});
        if (!bullet_last) room.add(7, {0, 1.2 + gap}, heavy_velocity);
        if (!wall_first) room.add(0, {0, -0.05});
        for (int i = 0; i < 10; ++i) {
            room.step();
            REQUIRE(room[bullet].position.y >= 0.075 - 1e-9);
        }
    });
}
