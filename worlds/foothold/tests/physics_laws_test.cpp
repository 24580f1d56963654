// SPDX-License-Identifier: MIT
// The laws of motion on footholds that hold once the reference's quirks are off, and what each quirk does.
#include <foothold/physics.h>

#include <doctest/doctest.h>

#include <foothold/tests/maps.h>
#include <tests/support/property.h>

#include <algorithm>
#include <cmath>

using namespace instep;
using worlds::foothold::FootholdSet;
using worlds::foothold::MotionFlags;
using worlds::foothold::MotionType;
using worlds::foothold::PhysicsObject;

namespace {

PhysicsObject standing_on(const FootholdSet& ground, worlds::foothold::FootholdIndex at, double x) {
    PhysicsObject object;
    object.position = {x, ground[at].ground_at(x)};
    object.foothold = at;
    return object;
}

}  // namespace

TEST_CASE("foothold physics laws: 31 ticks of a force of 0.2 move an object 27 px") {
    const FootholdSet ground(
        std::vector<worlds::foothold::FootholdSegment>{{1, 0, 0, -500, 0, 500, 0, 0, 0, false}});
    PhysicsObject object = standing_on(ground, 1, 0);
    for (int i = 0; i < 31; ++i)
        worlds::foothold::move_object(object, {0.2, 0}, ground, worlds::foothold::no_quirks);
    CHECK(object.position.x == doctest::Approx(27).epsilon(0.02));
}

TEST_CASE(
    "foothold physics laws: a long push reaches the speed at which friction takes what the force gives") {
    const FootholdSet ground(
        std::vector<worlds::foothold::FootholdSegment>{{1, 0, 0, -5000, 0, 5000, 0, 0, 0, false}});
    for (const double force : {0.1, 0.16, 0.2}) {
        PhysicsObject object = standing_on(ground, 1, 0);
        for (int i = 0; i < 500; ++i)
            worlds::foothold::move_object(object, {force, 0}, ground, worlds::foothold::MotionQuirks{});
        CHECK(object.velocity.x == doctest::Approx(force * 3 / 0.6));
    }
}

TEST_CASE(
    "foothold physics laws: ice has no physics in the original, and slides as far as the map says without "
    "that quirk") {
    const FootholdSet ground(
        std::vector<worlds::foothold::FootholdSegment>{{1, 0, 0, -5000, 0, 5000, 0, 0, 0, false}});
    const auto slide = [&](MotionType type, double friction, bool stands_still) {
        worlds::foothold::MotionQuirks quirks = worlds::foothold::no_quirks;
        quirks.ice_friction = friction;
        quirks.ice_stands_still = stands_still;
        PhysicsObject object = standing_on(ground, 1, 0);
        object.type = type;
        object.velocity.x = 1;
        for (int i = 0; i < 400; ++i) worlds::foothold::move_object(object, {}, ground, quirks);
        return object.position.x;
    };
    CHECK(slide(MotionType::ice, 0.2, true) == 400);
    CHECK(slide(MotionType::ice, 1, false) == slide(MotionType::normal, 1, false));
    CHECK(slide(MotionType::ice, 0.2, false) > 3 * slide(MotionType::normal, 1, false));
}

TEST_CASE("foothold physics laws: an object never moves farther in a tick than its speed") {
    test::for_each_seed(100, [](math::Random& random) {
        const FootholdSet ground(test::tame_map(random));
        PhysicsObject object;
        object.position = {random.uniform(-700, 700), -700};
        object.on_ground = false;
        double way = 0;
        double last_reach = 0;
        for (int tick = 0; tick < 2000; ++tick) {
            if (random.below(100) == 0) way = random.uniform(-0.25, 0.25);
            const math::Vec2 before = object.position;
            const math::Vec2 speed = object.velocity;
            const double force = object.on_ground ? way : 0;
            worlds::foothold::move_object(object, {force, 0}, ground, worlds::foothold::no_quirks);
            const math::Vec2 moved = object.position - before;
            const double reach = std::abs(speed.x) + std::abs(force);
            CAPTURE(tick);
            REQUIRE(std::abs(moved.x) <= reach + 1e-9);
            // Feet are put on the ground under them, which on these maps is never steeper than 1: in the tick
            // after a step, and in the one in which they land.
            const double fall = std::abs(speed.y) + worlds::foothold::foothold_gravity;
            REQUIRE(std::abs(moved.y) <= std::max({fall, reach, last_reach}) + 1e-9);
            last_reach = reach;
        }
    });
}

TEST_CASE(
    "foothold physics laws: no object ends below a foothold it stood on, without quirks and without dropping "
    "through") {
    test::for_each_seed(200, [](math::Random& random) {
        const FootholdSet ground(test::tame_map(random));
        PhysicsObject object;
        object.position = {random.uniform(-700, 700), -700};
        object.on_ground = false;
        double way = 0;
        worlds::foothold::FootholdIndex stood_on = 0;
        for (int tick = 0; tick < 2000; ++tick) {
            if (random.below(80) == 0) way = random.uniform(-0.25, 0.25);
            const bool jumps = object.on_ground && random.below(60) == 0;
            const double step = std::abs(object.velocity.x) + std::abs(way);
            worlds::foothold::move_object(object, {object.on_ground ? way : 0, jumps ? -4.5 : 0}, ground,
                                          worlds::foothold::no_quirks);
            if (object.on_ground) stood_on = object.foothold;
            const worlds::foothold::Foothold& last = ground[stood_on];
            const bool is_over = object.position.x >= last.left && object.position.x <= last.right;
            if (!is_over || last.is_wall) stood_on = 0;  // walked or jumped off its end
            // Feet are held to the ground before the move, so uphill they lag by what one step climbs.
            const double lag = std::abs(last.slope) * step;
            if (stood_on != 0) REQUIRE(object.position.y <= last.ground_at(object.position.x) + lag + 1e-9);
        }
    });
}

TEST_CASE(
    "foothold physics laws: an object above a chain stays above it, however it falls, jumps and is thrown "
    "over its joints") {
    test::for_each_seed(100, [](math::Random& random) {
        std::vector<worlds::foothold::FootholdSegment> chain;
        std::int32_t x = -600, y = 0;
        for (std::int32_t id = 1; x < 600; ++id) {
            const std::int32_t width = test::between(random, 5, 90);
            const std::int32_t rise = test::between(random, -width, width);
            const bool last = x + width >= 600;
            chain.push_back({id, 1, 0, x, y, x + width, y + rise, id - 1, last ? 0 : id + 1, false});
            x += width;
            y += rise;
        }
        const FootholdSet ground(chain);
        const auto height_at = [&](double at) {
            for (const worlds::foothold::Foothold& f : ground.all())
                if (at >= f.left && at <= f.right) return f.ground_at(at);
            return ground.borders().high;
        };
        PhysicsObject object;
        object.position = {random.uniform(-500, 500), ground.extent_y().low - 50};
        object.on_ground = false;
        double way = 0;
        for (int tick = 0; tick < 2000; ++tick) {
            if (random.below(80) == 0) way = random.uniform(-0.25, 0.25);
            math::Vec2 force{object.on_ground ? way : 0, 0};
            if (object.on_ground && random.below(60) == 0)
                force = {random.uniform(-3, 3), -random.uniform(1, 6)};
            const double from = object.position.x;
            worlds::foothold::move_object(object, force, ground, worlds::foothold::no_quirks);
            // Feet are held to a slope before the move, so uphill they lag by what one step climbs.
            const double lag = object.velocity.y == 0 ? std::abs(object.position.x - from) : 0;
            CAPTURE(tick);
            REQUIRE(object.position.y <= height_at(object.position.x) + lag + 1e-6);
        }
    });
}

TEST_CASE("foothold physics laws: a chain walked right and then left leads back to the same point") {
    test::for_each_seed(100, [](math::Random& random) {
        std::vector<worlds::foothold::FootholdSegment> chain;
        std::int32_t x = 0, y = 0;
        for (std::int32_t id = 1; id <= 12; ++id) {
            const std::int32_t width = test::between(random, 3, 120);
            const std::int32_t rise = random.below(2) == 0 ? 0 : test::between(random, -2 * width, 2 * width);
            chain.push_back({id, 1, 0, x, y, x + width, y + rise, id - 1, id == 12 ? 0 : id + 1, false});
            x += width;
            y += rise;
        }
        const FootholdSet ground(chain);
        PhysicsObject object = standing_on(ground, 1, 1.5);
        const math::Vec2 start = object.position;
        const auto go_to = [&](double goal) {
            for (int tick = 0; tick < 20'000 && std::abs(object.position.x - goal) > 1e-9; ++tick) {
                // Exactly as fast as is needed to end there, so that nothing but the chain is tested.
                const double step = std::clamp(goal - object.position.x, -1.0, 1.0);
                object.velocity = {step, 0};
                worlds::foothold::find_footing(object, ground, worlds::foothold::no_quirks);
                REQUIRE(object.on_ground);
                object.position.x += step;
            }
            object.velocity = {0, 0};
            worlds::foothold::find_footing(object, ground, worlds::foothold::no_quirks);
        };
        go_to(x - 1.5);
        CHECK(object.foothold == 12);
        go_to(start.x);
        CHECK(object.foothold == 1);
        CHECK(object.position.x == doctest::Approx(start.x));
        CHECK(object.position.y == doctest::Approx(start.y));
    });
}

TEST_CASE(
    "foothold physics laws: walls hold from both sides once they do, and only from one in the original") {
    // A pit of walls 100 px high: the left one is drawn downwards, the right one upwards.
    const FootholdSet ground(
        std::vector<worlds::foothold::FootholdSegment>{{1, 1, 0, -200, -100, -200, 0, 0, 2, false},
                                                       {2, 1, 0, -200, 0, 200, 0, 1, 3, false},
                                                       {3, 1, 0, 200, 0, 200, -100, 2, 0, false},
                                                       {4, 1, 0, -500, 400, 500, 400, 0, 0, false}});
    const auto farthest = [&](double force, const worlds::foothold::MotionQuirks& quirks) {
        PhysicsObject object = standing_on(ground, 2, 0);
        for (int i = 0; i < 600; ++i) worlds::foothold::move_object(object, {force, 0}, ground, quirks);
        return object.position.x;
    };
    CHECK(farthest(-0.16, worlds::foothold::no_quirks) == -200);
    CHECK(farthest(0.16, worlds::foothold::no_quirks) == 200);
    CHECK(farthest(-0.16, worlds::foothold::MotionQuirks{}) == -200);
    CHECK(farthest(0.16, worlds::foothold::MotionQuirks{}) > 200);
}

TEST_CASE("foothold physics laws: no object leaves a pit through its walls, however they are drawn") {
    test::for_each_seed(200, [](math::Random& random) {
        const bool jumps = random.below(2) == 0;
        const auto height = [&] {
            return jumps ? test::between(random, 250, 600) : test::between(random, 10, 90);
        };
        std::vector<worlds::foothold::FootholdSegment> pit;
        // A wall's ends in either order: from the top down, or from the bottom up.
        const auto add_wall = [&](std::int32_t id, std::int32_t x, std::int32_t bottom, std::int32_t prev,
                                  std::int32_t next) {
            const std::int32_t top = bottom - height();
            const bool down = random.below(2) == 0;
            pit.push_back({id, 1, 0, x, down ? top : bottom, x, down ? bottom : top, prev, next, false});
        };
        const std::int32_t links = test::between(random, 1, 5);
        add_wall(1, 0, 0, 0, 2);
        std::int32_t x = 0, y = 0;
        for (std::int32_t k = 0; k < links; ++k) {
            const std::int32_t width = test::between(random, 30, 120);
            const std::int32_t rise = test::between(random, -width / 2, width / 2);
            pit.push_back({2 + k, 1, 0, x, y, x + width, y + rise, 1 + k, 3 + k, false});
            x += width;
            y += rise;
        }
        add_wall(2 + links, x, y, 1 + links, 0);
        pit.push_back({3 + links, 1, 1, -900, 900, x + 900, 900, 0, 0, false});
        const FootholdSet ground(pit);
        PhysicsObject object = standing_on(ground, 2, 10);
        double way = 0.25;
        bool touched_left = false, touched_right = false;
        for (int tick = 0; tick < 3000; ++tick) {
            if (random.below(300) == 0) way = random.below(2) == 0 ? -0.25 : 0.25;
            // Not twice: in the tick after a jump a body still says that it is on the ground, and two jumps
            // lead over the wall.
            const bool stands = object.on_ground && object.velocity.y == 0;
            const bool jumps_now = jumps && stands && random.below(60) == 0;
            worlds::foothold::move_object(object, {object.on_ground ? way : 0, jumps_now ? -4.5 : 0}, ground,
                                          worlds::foothold::no_quirks);
            CAPTURE(tick);
            REQUIRE(object.position.x >= 0);
            REQUIRE(object.position.x <= x);
            touched_left = touched_left || object.position.x == 0;
            touched_right = touched_right || object.position.x == x;
        }
        CHECK((touched_left || touched_right));
    });
}

TEST_CASE(
    "foothold physics laws: an object that comes down beside a wall lands, however steeply the ground rises "
    "to it") {
    test::for_each_seed(2000, [](math::Random& random) {
        const std::int32_t width = test::between(random, 30, 120);
        const std::int32_t rise = test::between(random, -2 * width, 2 * width);
        const bool at_left = random.below(2) == 0;
        const std::int32_t end = at_left ? 0 : rise;  // height of the ground at the wall
        const std::int32_t x = at_left ? 0 : width;
        const std::int32_t foot = end - test::between(random, 0, 40);  // it may end above the ground
        const FootholdSet ground(std::vector<worlds::foothold::FootholdSegment>{
            {1, 1, 0, x, end - 400, x, foot, at_left ? 0 : 2, at_left ? 2 : 0, false},
            {2, 1, 0, 0, 0, width, rise, at_left ? 1 : 0, at_left ? 0 : 1, false},
            {3, 1, 1, -900, 900, 900, 900, 0, 0, false}});
        const double away = random.uniform(0, 6);
        PhysicsObject object;
        object.position.x = at_left ? away : width - away;
        object.position.y = ground[2].ground_at(object.position.x) - random.uniform(0.01, 30);
        object.velocity = {random.uniform(0, 4) * (at_left ? -1 : 1), random.uniform(-2, 25)};
        object.on_ground = false;
        for (int tick = 0; tick < 100; ++tick)
            worlds::foothold::move_object(object, {}, ground, worlds::foothold::no_quirks);
        CHECK(object.on_ground);
        CHECK(object.foothold == 2);
    });
}

TEST_CASE(
    "foothold physics laws: in the original a wall puts a falling object into ground that rises to it, and "
    "through") {
    const FootholdSet ground(
        std::vector<worlds::foothold::FootholdSegment>{{1, 1, 0, 0, -400, 0, 0, 0, 2, false},
                                                       {2, 1, 0, 0, 0, 77, 30, 1, 0, false},
                                                       {3, 1, 1, -900, 900, 900, 900, 0, 0, false}});
    for (const bool original : {true, false}) {
        PhysicsObject object{
            .position = {1.1, 0.1}, .velocity = {-1.4, 3.3}, .foothold = 2, .on_ground = false};
        const worlds::foothold::MotionQuirks quirks =
            original ? worlds::foothold::MotionQuirks{} : worlds::foothold::no_quirks;
        for (int tick = 0; tick < 200; ++tick) worlds::foothold::move_object(object, {}, ground, quirks);
        CHECK(object.foothold == (original ? 3 : 2));
    }
}

TEST_CASE(
    "foothold physics laws: an object that steps off into nothing is put back by the original, and falls "
    "without that quirk") {
    const FootholdSet ground(std::vector<worlds::foothold::FootholdSegment>{
        {1, 1, 0, -300, 0, -50, 0, 0, 0, false}, {2, 1, 0, 50, 0, 300, 0, 0, 0, false}});
    for (const bool teleports : {true, false}) {
        worlds::foothold::MotionQuirks quirks = worlds::foothold::no_quirks;
        quirks.void_teleport = teleports;
        PhysicsObject object = standing_on(ground, 1, -60);
        double lowest = 0;
        double leftmost = 0;
        for (int i = 0; i < 300; ++i) {
            worlds::foothold::move_object(object, {object.on_ground ? 0.16 : 0, 0}, ground, quirks);
            lowest = std::max(lowest, object.position.y);
            leftmost = std::min(leftmost, object.position.x);
        }
        CHECK((leftmost < -299) == teleports);
        CHECK(lowest == (teleports ? 0 : ground.borders().high));
    }
}

TEST_CASE("foothold physics laws: ground that forbids dropping through does so unless the quirk is on") {
    for (const bool anywhere : {true, false}) {
        worlds::foothold::MotionQuirks quirks = worlds::foothold::no_quirks;
        quirks.drops_anywhere = anywhere;
        const FootholdSet ground(std::vector<worlds::foothold::FootholdSegment>{
            {1, 1, 0, -300, 0, 300, 0, 0, 0, true}, {2, 1, 0, -300, 200, 300, 200, 0, 0, false}});
        PhysicsObject object = standing_on(ground, 1, 0);
        object.set(MotionFlags::check_below);
        worlds::foothold::move_object(object, {}, ground, quirks);
        CHECK(object.can_drop == anywhere);
    }
}
