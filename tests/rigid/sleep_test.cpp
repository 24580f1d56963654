// SPDX-License-Identifier: MIT
#include <instep/rigid/islands.h>

#include <tests/rigid/support.h>

using namespace instep;
using namespace instep::rigid;
using test::RigidRoom;

namespace {

// Three boxes in a stack and one by itself, all asleep.
struct Sleepers : RigidRoom {
    std::array<Handle, 3> stack;
    Handle alone;
    Handle floor;

    static Setup lift_setup() {
        Setup setup = test::ground_setup();
        setup.forms.push_back(test::form(BodyType::kinematic, make_box(1, 0.25)));
        return setup;
    }
    Sleepers() : RigidRoom(lift_setup()) {
        floor = add(test::ground, {0, -1});
        for (std::size_t i = 0; i < 3; ++i) stack[i] = add(test::box, {0, 0.5 + static_cast<double>(i)});
        alone = add(test::box, {10, 0.5});
        step(200);
        REQUIRE(asleep() == 4);
    }
    int asleep() const {
        int count = 0;
        for (const Body& body : space.bodies) count += body.asleep ? 1 : 0;
        return count;
    }
};

}  // namespace

TEST_CASE("what is still falls asleep and then does not change by a bit") {
    Sleepers room;
    const std::uint64_t before = room.hash();
    const std::uint32_t contacts = room.space.contacts.size();
    room.step(100);
    CHECK(room.hash() == before);
    CHECK(room.space.contacts.size() == contacts);
    CHECK(room.scratch.report.pairs == 0);
}

TEST_CASE("what is hit wakes with all that it touches and nothing else") {
    Sleepers room;
    room.add(test::ball, {0, 4}, {0, -5});
    int ticks = 0;
    while (room.asleep() == 4 && ticks < 60) room.step(), ++ticks;
    CHECK(ticks < 60);
    CHECK(room.asleep() == 1);
    CHECK(room[room.alone].asleep);
}

TEST_CASE("what rests on a body that is taken out wakes and falls") {
    Sleepers room;
    remove_body(room.space, room.stack[0]);
    CHECK(!room[room.stack[1]].asleep);
    room.step(60);
    CHECK(room[room.stack[1]].position.y < 0.6);
    CHECK(room[room.stack[2]].position.y < 1.6);
    remove_body(room.space, room.floor);
    room.step(30);
    CHECK(room[room.alone].position.y < 0);
}

TEST_CASE("a push wakes, and a stack that has been left alone sleeps again") {
    Sleepers room;
    push(room[room.alone], room.setup, {500, 0}, RigidRoom::dt);
    CHECK(!room[room.alone].asleep);
    room.step();
    CHECK(room[room.alone].position.x > 10.0);
    room.step(400);
    CHECK(room.asleep() == 4);
}

TEST_CASE("a lift wakes its passenger and carries it") {
    Sleepers room;
    room.add(3, {10, -0.3}, {0, 1});
    room.step(120);
    CHECK(!room[room.alone].asleep);
    CHECK(room[room.alone].position.y > 1.5);
}

TEST_CASE("where there is gravity nothing sleeps in mid-air") {
    Setup setup = test::ground_setup();
    setup.rules.gravity = {0, -0.05};
    RigidRoom room(setup);
    room.add(test::ground, {0, -1});
    const Handle ball = room.add(test::ball, {0, 5}, {0, 0.02});  // slower than sleep_speed for a second
    for (int i = 0; i < 120; ++i) {
        room.step();
        REQUIRE(!room[ball].asleep);
    }
    CHECK(room[ball].velocity.y < -0.06);
}

TEST_CASE("nothing sleeps where the rules forbid it") {
    Setup setup = test::ground_setup();
    setup.rules.sleep_ticks = 0;
    RigidRoom room(setup);
    room.add(test::ground, {0, -1});
    const Handle box = room.add(test::box, {0, 0.5});
    room.step(300);
    CHECK(!room[box].asleep);
}
