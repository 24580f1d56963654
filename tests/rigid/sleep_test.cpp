// SPDX-License-Identifier: MIT
#include <instep/rigid/islands.h>

#include <tests/rigid/support.h>

using namespace instep;
using namespace instep::rigid;
using test::TestSpace;

namespace {

// Three boxes in a stack and one by itself, all asleep.
struct Sleepers : TestSpace {
    std::array<Handle, 3> stack;
    Handle alone;
    Handle floor;

    static Setup lift_setup() {
        Setup setup = test::ground_setup();
        setup.body_defs.push_back(test::body_def(BodyType::kinematic, make_box(1, 0.25)));
        return setup;
    }
    Sleepers() : TestSpace(lift_setup()) {
        floor = add(test::ground, {0, -1});
        for (std::size_t i = 0; i < 3; ++i) stack[i] = add(test::box, {0, 0.5 + static_cast<double>(i)});
        alone = add(test::box, {10, 0.5});
        step(200);
        REQUIRE(asleep() == 4);
    }
    int asleep() const {
        int count = 0;
        for (const Body& body : bodies) count += body.asleep ? 1 : 0;
        return count;
    }
};

}  // namespace

TEST_CASE("sleep: still bodies fall asleep and then don't change by a bit") {
    Sleepers sim;
    const std::uint64_t before = sim.hash();
    const std::uint32_t contacts = sim.space.contacts.size();
    sim.step(100);
    CHECK(sim.hash() == before);
    CHECK(sim.space.contacts.size() == contacts);
    CHECK(sim.scratch.report.pairs == 0);
}

TEST_CASE("sleep: a hit wakes the island that is hit and no other") {
    Sleepers sim;
    sim.add(test::ball, {0, 4}, {0, -5});
    int ticks = 0;
    while (sim.asleep() == 4 && ticks < 60) sim.step(), ++ticks;
    CHECK(ticks < 60);
    CHECK(sim.asleep() == 1);
    CHECK(sim[sim.alone].asleep);
}

TEST_CASE("sleep: a body whose support is removed wakes and falls") {
    Sleepers sim;
    remove_body(sim.space, sim.bodies, sim.stack[0]);
    CHECK(!sim[sim.stack[1]].asleep);
    sim.step(60);
    CHECK(sim[sim.stack[1]].position.y < 0.6);
    CHECK(sim[sim.stack[2]].position.y < 1.6);
    remove_body(sim.space, sim.bodies, sim.floor);
    sim.step(30);
    CHECK(sim[sim.alone].position.y < 0);
}

TEST_CASE("sleep: a force wakes a stack, which sleeps again when left alone") {
    Sleepers sim;
    apply_force(sim[sim.alone], sim.setup, {500, 0}, TestSpace::dt);
    CHECK(!sim[sim.alone].asleep);
    sim.step();
    CHECK(sim[sim.alone].position.x > 10.0);
    sim.step(400);
    CHECK(sim.asleep() == 4);
}

TEST_CASE("sleep: a kinematic lift wakes its passenger and carries it") {
    Sleepers sim;
    sim.add(3, {10, -0.3}, {0, 1});
    sim.step(120);
    CHECK(!sim[sim.alone].asleep);
    CHECK(sim[sim.alone].position.y > 1.5);
}

TEST_CASE("sleep: under gravity nothing sleeps in mid-air") {
    Setup setup = test::ground_setup();
    setup.config.gravity = {0, -0.05};
    TestSpace sim(setup);
    sim.add(test::ground, {0, -1});
    const Handle ball = sim.add(test::ball, {0, 5}, {0, 0.02});  // slower than sleep_speed for a second
    for (int i = 0; i < 120; ++i) {
        sim.step();
        REQUIRE(!sim[ball].asleep);
    }
    CHECK(sim[ball].velocity.y < -0.06);
}

TEST_CASE("sleep: nothing sleeps with sleep_ticks 0") {
    Setup setup = test::ground_setup();
    setup.config.sleep_ticks = 0;
    TestSpace sim(setup);
    sim.add(test::ground, {0, -1});
    const Handle box = sim.add(test::box, {0, 0.5});
    sim.step(300);
    CHECK(!sim[box].asleep);
}
