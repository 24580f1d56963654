// SPDX-License-Identifier: MIT
#include <creature/wander.h>

#include <instep/math/units.h>
#include <instep/motion/angle_limit.h>

#include <tests/support/property.h>

#include <doctest/doctest.h>

using namespace instep;
using namespace instep::worlds::creature;
using math::Vec2;

namespace {

constexpr motion::Box room{{-400, -300}, {400, 300}};
constexpr WanderStyle style{.reach = 80, .speed = 7, .radius = 5};
constexpr double dt = 1.0 / 60;

}  // namespace

TEST_CASE(
    "creature wander: a drifting direction stays within half a turn and comes to rest near the horizontal") {
    test::for_each_seed(100, [](math::Random& random) {
        double direction = random.uniform(-math::pi, math::pi);
        for (int tick = 0; tick < 3000; ++tick) direction = drifted(direction, tick * dt);
        CHECK(std::abs(direction) <= math::pi + 0.1);
        CHECK(std::abs(math::sin(direction)) < 0.1);
    });
}

TEST_CASE("creature wander: with nothing in sight there is nothing to turn from") {
    const LookAhead look({0, 0}, 0, 1, style, room);
    CHECK(look.turn() == 0);
    CHECK(steered(0.5, look.turn(), dt) == 0.5);
}

TEST_CASE("creature wander: a body outside the field of view does not change the turn") {
    test::for_each_seed(500, [](math::Random& random) {
        const Vec2 at{random.uniform(-400, 400), random.uniform(-300, 300)};
        LookAhead look(at, random.uniform(-3, 3), random.uniform(0, 100), style, room);
        const double before = look.turn();
        const motion::Box view = look.field_of_view();
        for (int i = 0; i < 50; ++i) {
            const Vec2 other{random.uniform(-600, 600), random.uniform(-600, 600)};
            const double radius = random.uniform(1, 30);
            if (!view.touches(motion::Box{other, other}.shrunk(-radius))) look.see(other, radius);
        }
        CHECK(look.turn() == before);
    });
}

TEST_CASE("creature wander: a body is seen within 40 of the farthest point that is looked at, edge to edge") {
    constexpr double farthest =
        80 + 1.5 * 0.6 * 7;  // the style's reach and strides; straight ahead at time 0
    constexpr double radius = 20;
    const auto turn_from = [](double gap) {
        LookAhead look({-200, 0}, 0, 0, style, room);
        look.see({-200 + farthest + style.radius + radius + gap, 1}, radius);
        return look.turn();
    };
    CHECK(turn_from(39.5) != 0);
    CHECK(turn_from(40.5) == 0);
}

TEST_CASE("creature wander: a wanderer turns from a body ahead on one side, to the other side") {
    for (const double side : {-1.0, 1.0}) {
        LookAhead look({0, 0}, 0, 0, style, room);
        look.see({80, 20 * side}, 20);
        // Away from it is behind and to the other side: the shorter way round is over that side.
        CHECK(look.turn() * side < 0);
    }
}

TEST_CASE("creature wander: a turn is never more than half a turn, however many are in the way") {
    LookAhead look({0, 0}, 0, 0, style, room);
    for (int i = 0; i < 1000; ++i) look.see({80, 1}, 20);
    CHECK(std::abs(look.turn()) == doctest::Approx(math::pi));
}

TEST_CASE("creature wander: the order in which others are seen does not matter, rounding aside") {
    test::for_each_seed(100, [](math::Random& random) {
        LookAhead forward({0, 0}, 0.3, 2, style, room);
        LookAhead backward = forward;
        Vec2 others[20];
        for (Vec2& other : others) other = {random.uniform(-200, 200), random.uniform(-200, 200)};
        for (int i = 0; i < 20; ++i) forward.see(others[i], 15);
        for (int i = 20; i-- > 0;) backward.see(others[i], 15);
        CHECK(forward.turn() == doctest::Approx(backward.turn()).epsilon(1e-9));
    });
}

TEST_CASE("creature wander: a wanderer that follows its target stays in its area for an hour") {
    auto random = math::Random::from_seed(3);
    Vec2 position{random.uniform(-300, 300), random.uniform(-200, 200)};
    Wanderer wanderer{random.uniform(-3, 3), position};
    double farthest = 0;
    for (int tick = 1; tick <= 60 * 3600; ++tick) {
        const double time = tick * dt;
        wanderer.direction = drifted(wanderer.direction, time);
        const LookAhead look(position, wanderer.direction, time, style, room);
        wanderer.direction = steered(wanderer.direction, look.turn(), dt);
        make_for_next_point(wanderer, position, time, style, room, dt);
        const Vec2 way = wanderer.target - position;
        const double left = length(way);
        if (left > 0.1) position += way / left * std::min(style.speed, left);
        REQUIRE(room.shrunk(-1e-9).contains(position));
        farthest = std::max(farthest, length(position));
    }
    CHECK(farthest > 200);  // and does not stand still either
}
