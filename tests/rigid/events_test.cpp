// SPDX-License-Identifier: MIT
// Contact events (begin, end, hit) and collision filters.
#include <instep/rigid/step.h>

#include <tests/rigid/support.h>

using namespace instep;
using namespace instep::rigid;
using test::TestSpace;

namespace {

Setup space_setup() {
    Setup setup = test::ground_setup(0, 1);
    setup.config.gravity = {};
    return setup;
}

struct Counts {
    std::size_t begins = 0;
    std::size_t ends = 0;
    std::size_t hits = 0;
};

Counts count(TestSpace& sim, int ticks) {
    Counts counts;
    for (int i = 0; i < ticks; ++i) {
        sim.step();
        counts.begins += sim.events_of(ContactEvent::Kind::begin);
        counts.ends += sim.events_of(ContactEvent::Kind::end);
        counts.hits += sim.events_of(ContactEvent::Kind::hit);
    }
    return counts;
}

}  // namespace

TEST_CASE("events: an impact reports one begin, one hit and one end") {
    TestSpace sim(space_setup());
    sim.add(test::ball, {-2, 0}, {3, 0});
    sim.add(test::ball, {2, 0}, {-3, 0});
    const Counts counts = count(sim, 120);
    CHECK(counts.begins == 1);
    CHECK(counts.hits == 1);
    CHECK(counts.ends == 1);
}

TEST_CASE("events: a body that thrusts into a wall reports one hit, not one per step") {
    Setup setup = test::ground_setup(0.1, 0);
    setup.config.gravity = {};
    TestSpace sim(setup);
    sim.add(test::ground, {0, -1});
    const Handle box = sim.add(test::box, {0, 2});
    std::size_t hits = 0;
    for (int i = 0; i < 200; ++i) {
        apply_force(sim[box], sim.setup, {0, -500}, TestSpace::dt);
        sim.step();
        hits += sim.events_of(ContactEvent::Kind::hit);
    }
    CHECK(hits == 1);
}

TEST_CASE("events: a hit reports the speed of approach and the normal from a to b") {
    TestSpace sim(space_setup());
    const Handle left = sim.add(test::ball, {-1, 0}, {3, 0});
    const Handle right = sim.add(test::ball, {1, 0}, {-3, 0});
    bool reported = false;
    for (int i = 0; i < 60; ++i) {
        sim.step();
        for (const ContactEvent& event : sim.scratch.events) {
            if (event.kind != ContactEvent::Kind::hit) continue;
            reported = true;
            CHECK(event.a == left);
            CHECK(event.b == right);
            CHECK(event.speed == doctest::Approx(6));
            CHECK(event.normal.x == doctest::Approx(1));
        }
    }
    CHECK(reported);
}

TEST_CASE("events: bodies that pass within the margin without touching report nothing") {
    TestSpace sim(space_setup());
    sim.add(test::ball, {-2, 0}, {3, 0});
    sim.add(test::ball, {2, 1.01}, {-3, 0});
    const Counts counts = count(sim, 120);
    CHECK(counts.begins == 0);
    CHECK(counts.hits == 0);
    CHECK(counts.ends == 0);
}

TEST_CASE("events: removing a body ends its contacts, even if a new body gets its id") {
    TestSpace sim(test::ground_setup());
    sim.add(test::ground, {0, -1});
    const Handle box = sim.add(test::box, {0, 0.5});
    sim.step(10);
    remove_body(sim.space, sim.bodies, box);
    const Handle other = sim.add(test::box, {0, 0.5});
    CHECK(other.id == box.id);
    sim.step();
    CHECK(sim.events_of(ContactEvent::Kind::end) == 1);
    CHECK(sim.events_of(ContactEvent::Kind::begin) == 1);
}

TEST_CASE("filter: bodies of one group and shapes outside of each other's mask don't collide") {
    TestSpace grouped(space_setup());
    const Handle left = grouped.add(test::ball, {-2, 0}, {3, 0});
    const Handle right = grouped.add(test::ball, {2, 0}, {-3, 0});
    grouped[left].group = 7;
    grouped[right].group = 7;
    CHECK(count(grouped, 120).begins == 0);
    CHECK(grouped[left].position.x > 0);

    Setup setup = space_setup();
    setup.body_defs[test::ball].shapes[0].filter = {2, 1};
    TestSpace masked(setup);
    masked.add(test::ball, {-2, 0}, {3, 0});
    masked.add(test::ball, {2, 0}, {-3, 0});
    CHECK(count(masked, 120).begins == 0);
}

TEST_CASE("bodies: kinematic bodies push and are not pushed") {
    Setup setup = space_setup();
    setup.body_defs.push_back(test::body_def(BodyType::kinematic, make_box(0.5, 0.5)));
    TestSpace sim(setup);
    const Handle wall = sim.add(3, {-2, 0}, {2, 0});
    const Handle ball = sim.add(test::ball, {0, 0});
    sim.step(120);
    CHECK(sim[wall].velocity == Vec2{2, 0});
    CHECK(sim[wall].position.x == doctest::Approx(2));
    CHECK(sim[ball].velocity.x >= 2);
}

TEST_CASE("bodies: an impulse beside the centre of mass turns a body, one through it does not") {
    TestSpace sim(space_setup());
    const Handle box = sim.add(test::box, {0, 0});
    apply_impulse(sim[box], sim.setup, {0, 1}, {0, 0});
    CHECK(sim[box].angular_velocity == 0);
    CHECK(sim[box].velocity.y == doctest::Approx(1));
    apply_impulse(sim[box], sim.setup, {0, 1}, {0.5, 0});
    CHECK(sim[box].angular_velocity > 0);
    apply_torque(sim[box], sim.setup, -1, TestSpace::dt);
    CHECK(sim[box].angular_velocity < 3);
}
