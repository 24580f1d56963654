// SPDX-License-Identifier: MIT
#include <orbit/flight.h>
#include <orbit/orbit.h>

#include <doctest/doctest.h>

#include <orbit/tests/support.h>
#include <tests/support/property.h>

#include <algorithm>

using namespace instep;
using namespace instep::worlds::orbit;
using contract::DrawList;
using contract::Shape;
using contract::ShapeKind;
using test::orbit::Room;

namespace {

DrawList drawn(const Room& room) {
    DrawList list;
    worlds::orbit::view(room.state, room.setup, {}, list);
    return list;
}

std::size_t count(const DrawList& list, ShapeKind kind) {
    return static_cast<std::size_t>(std::count_if(list.shapes.begin(), list.shapes.end(),
                                                  [&](const Shape& s) { return s.kind == kind; }));
}

std::vector<Vec2> discs(const DrawList& list, double radius) {
    std::vector<Vec2> places;
    for (const Shape& shape : list.shapes)
        if (shape.kind == ShapeKind::disc && shape.size == radius) places.push_back(list.points_of(shape)[0]);
    return places;
}

}  // namespace

TEST_CASE("orbit view: a sun is always there, its core as large as what burns") {
    Room room(test::orbit::default_world());
    const DrawList list = drawn(room);
    CHECK(discs(list, 50) == std::vector<Vec2>{{0, 0}});
    CHECK(count(list, ShapeKind::circle) == 10);  // a pallet's reach each
}

TEST_CASE("orbit view: the dotted line is the way that the ship then goes") {
    Room room(test::orbit::game_world());
    room.join(0);
    const std::vector<Vec2> dots = discs(drawn(room), room.setup.reach / 300);
    REQUIRE(dots.size() == 48);
    for (const Vec2 dot : dots) {
        room.step(20);
        CHECK(room.ship(0).position == dot);
    }
}

TEST_CASE("orbit view: the dotted line ends at the sun") {
    Room room(test::orbit::game_world());
    room.join(0);
    room.ship(0) = {{200, 0}, {-100, 0}};
    const std::vector<Vec2> dots = discs(drawn(room), room.setup.reach / 300);
    CHECK(dots.size() < 5);
    for (const Vec2 dot : dots) CHECK(length(dot) > 60);
}

TEST_CASE("orbit view: a ship has a flame while it thrusts and has energy to") {
    Room room(test::orbit::game_world());
    room.join(0);
    const std::size_t without = count(drawn(room), ShapeKind::polygon);
    room.inputs[0] = {1, 0};
    room.step();
    CHECK(count(drawn(room), ShapeKind::polygon) == without + 2);
    room.player(0).energy = 0;
    CHECK(count(drawn(room), ShapeKind::polygon) == without);
}

TEST_CASE("orbit view: the dead are not drawn, and the result of a match is left to the page") {
    Room room(test::orbit::game_world());
    room.join(0);
    room.player(0).respawn_pause = 5;
    CHECK(count(drawn(room), ShapeKind::polygon) == 0);

    Room faithful_room(test::orbit::default_world());
    faithful_room.join(0);
    faithful_room.ship(0).position = {0, 0};
    faithful_room.step();
    const DrawList list = drawn(faithful_room);
    REQUIRE(faithful_room.state.head->over);
    CHECK(list.letters.find("lost") == std::string::npos);
}

TEST_CASE("orbit view: whatever a ship does, it is drawn at finite positions") {
    Room room(test::orbit::game_world({{300, 0}}));
    for (Slot slot = 0; slot < most_ships; ++slot) room.join(slot);
    test::for_each_seed(20, [&](math::Random& random) {
        for (Slot slot = 0; slot < most_ships; ++slot)
            room.ship(slot) = {{random.uniform(-3000, 3000), random.uniform(-3000, 3000)},
                               {random.uniform(-300, 300), random.uniform(-300, 300)}};
        room.ship(0).position = {0, 0};
        for (const Vec2 point : drawn(room).points) REQUIRE(std::isfinite(point.x + point.y));
    });
}
