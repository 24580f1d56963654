// SPDX-License-Identifier: MIT
// Begins, ends and hits, and who may touch whom.
#include <instep/rigid/step.h>

#include <tests/rigid/support.h>

using namespace instep;
using namespace instep::rigid;
using test::RigidRoom;

namespace {

Setup space_setup() {
    Setup setup = test::ground_setup(0, 1);
    setup.rules.gravity = {};
    return setup;
}

struct Counts {
    std::size_t begins = 0;
    std::size_t ends = 0;
    std::size_t hits = 0;
};

Counts count(RigidRoom& room, int ticks) {
    Counts counts;
    for (int i = 0; i < ticks; ++i) {
        room.step();
        counts.begins += room.events_of(Event::Kind::begin);
        counts.ends += room.events_of(Event::Kind::end);
        counts.hits += room.events_of(Event::Kind::hit);
    }
    return counts;
}

}  // namespace

TEST_CASE("an impact begins once, hits once and ends once") {
    RigidRoom room(space_setup());
    room.add(test::ball, {-2, 0}, {3, 0});
    room.add(test::ball, {2, 0}, {-3, 0});
    const Counts counts = count(room, 120);
    CHECK(counts.begins == 1);
    CHECK(counts.hits == 1);
    CHECK(counts.ends == 1);
}

TEST_CASE("what thrusts into a wall hits it when it comes and not in every step after") {
    Setup setup = test::ground_setup(0.1, 0);
    setup.rules.gravity = {};
    RigidRoom room(setup);
    room.add(test::ground, {0, -1});
    const Handle box = room.add(test::box, {0, 2});
    std::size_t hits = 0;
    for (int i = 0; i < 200; ++i) {
        push(room[box], room.setup, {0, -500}, RigidRoom::dt);
        room.step();
        hits += room.events_of(Event::Kind::hit);
    }
    CHECK(hits == 1);
}

TEST_CASE("a hit tells its speed and its normal from the first body to the second") {
    RigidRoom room(space_setup());
    const Handle left = room.add(test::ball, {-1, 0}, {3, 0});
    const Handle right = room.add(test::ball, {1, 0}, {-3, 0});
    bool told = false;
    for (int i = 0; i < 60; ++i) {
        room.step();
        for (const Event& event : room.scratch.events) {
            if (event.kind != Event::Kind::hit) continue;
            told = true;
            CHECK(event.a == left);
            CHECK(event.b == right);
            CHECK(event.speed == doctest::Approx(6));
            CHECK(event.normal.x == doctest::Approx(1));
        }
    }
    CHECK(told);
}

TEST_CASE("what passes by near enough to be looked at but does not touch tells nothing") {
    RigidRoom room(space_setup());
    room.add(test::ball, {-2, 0}, {3, 0});
    room.add(test::ball, {2, 1.01}, {-3, 0});
    const Counts counts = count(room, 120);
    CHECK(counts.begins == 0);
    CHECK(counts.hits == 0);
    CHECK(counts.ends == 0);
}

TEST_CASE("a contact ends when one of its bodies is taken out, even if a new one gets its id") {
    RigidRoom room(test::ground_setup());
    room.add(test::ground, {0, -1});
    const Handle box = room.add(test::box, {0, 0.5});
    room.step(10);
    remove_body(room.space, box);
    const Handle other = room.add(test::box, {0, 0.5});
    CHECK(other.id == box.id);
    room.step();
    CHECK(room.events_of(Event::Kind::end) == 1);
    CHECK(room.events_of(Event::Kind::begin) == 1);
}

TEST_CASE("bodies of one group and shapes that a mask leaves out pass through each other") {
    RigidRoom grouped(space_setup());
    const Handle left = grouped.add(test::ball, {-2, 0}, {3, 0});
    const Handle right = grouped.add(test::ball, {2, 0}, {-3, 0});
    grouped[left].group = 7;
    grouped[right].group = 7;
    CHECK(count(grouped, 120).begins == 0);
    CHECK(grouped[left].position.x > 0);

    Setup setup = space_setup();
    setup.forms[test::ball].shapes[0].filter = {2, 1};
    RigidRoom masked(setup);
    masked.add(test::ball, {-2, 0}, {3, 0});
    masked.add(test::ball, {2, 0}, {-3, 0});
    CHECK(count(masked, 120).begins == 0);
}

TEST_CASE("kinematic bodies push and are not pushed") {
    Setup setup = space_setup();
    setup.forms.push_back(test::form(BodyType::kinematic, make_box(0.5, 0.5)));
    RigidRoom room(setup);
    const Handle wall = room.add(3, {-2, 0}, {2, 0});
    const Handle ball = room.add(test::ball, {0, 0});
    room.step(120);
    CHECK(room[wall].velocity == Vec2{2, 0});
    CHECK(room[wall].position.x == doctest::Approx(2));
    CHECK(room[ball].velocity.x >= 2);
}

TEST_CASE("a strike beside the centre turns a body, and one through it does not") {
    RigidRoom room(space_setup());
    const Handle box = room.add(test::box, {0, 0});
    strike(room[box], room.setup, {0, 1}, {0, 0});
    CHECK(room[box].angular_velocity == 0);
    CHECK(room[box].velocity.y == doctest::Approx(1));
    strike(room[box], room.setup, {0, 1}, {0.5, 0});
    CHECK(room[box].angular_velocity > 0);
    turn(room[box], room.setup, -1, RigidRoom::dt);
    CHECK(room[box].angular_velocity < 3);
}
