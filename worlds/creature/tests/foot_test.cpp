// SPDX-License-Identifier: MIT
#include <creature/foot.h>

#include <tests/support/property.h>

#include <doctest/doctest.h>

#include <cmath>

using namespace instep;
using namespace instep::worlds::creature;
using math::Vec2;

namespace {

constexpr double dt = 1.0 / 60;
constexpr Gait gait{.threshold = 20, .speed = 3, .height = 10};

Foot planted_at(Vec2 position) { return {.from = position, .phase = FootPhase::planted}; }

constexpr motion::Box room{{-100, -50}, {100, 50}};

Vec2 somewhere(math::Random& random, double scale) {
    return {random.uniform(-100 * scale, 100 * scale), random.uniform(-50 * scale, 50 * scale)};
}

}  // namespace

TEST_CASE("creature foot: an unplaced foot is put on its goal") {
    Foot foot;
    advance(foot, {30, 40}, gait, dt);
    CHECK(foot.phase == FootPhase::planted);
    CHECK(position_of(foot, gait) == Vec2{30, 40});
}

TEST_CASE("creature foot: a planted foot does not move while its goal is near, whatever the body does") {
    test::for_each_seed(100, [](math::Random& random) {
        const Vec2 at{random.uniform(-100, 100), random.uniform(-100, 100)};
        Foot foot = planted_at(at);
        for (int tick = 0; tick < 200; ++tick) {
            advance(foot, at + Vec2{random.uniform(-14, 14), random.uniform(-14, 14)}, gait, dt);
            REQUIRE(foot.phase == FootPhase::planted);
            CHECK(position_of(foot, gait) == at);
        }
    });
}

TEST_CASE(
    "creature foot: a step begins when the goal is too far away, lasts as long as the gait says and ends on "
    "the goal") {
    test::for_each_seed(100, [](math::Random& random) {
        const Gait own{.threshold = random.uniform(5, 30),
                       .speed = random.uniform(1, 20),
                       .height = random.uniform(0, 20)};
        Foot foot = planted_at({0, 0});
        const Vec2 position{own.threshold * 1.5, 3};
        advance(foot, position, own, dt);
        REQUIRE(foot.phase == FootPhase::stepping);
        CHECK(position_of(foot, own) == Vec2{0, 0});  // sets out in the next tick
        int ticks = 0;
        for (; foot.phase == FootPhase::stepping; ++ticks) advance(foot, position, own, dt);
        CHECK(ticks == doctest::Approx(std::ceil(60 / own.speed)).epsilon(0.06));
        CHECK(position_of(foot, own) == position);
        CHECK(foot.progress == 0);
    });
}

TEST_CASE("creature foot: a step is highest in the middle and starts and ends on the ground") {
    const Gait high{.threshold = 20, .speed = 3, .height = 10};
    const auto at = [&](double progress) {
        return position_of({{0, 0}, {100, 0}, progress, FootPhase::stepping}, high);
    };
    CHECK(at(0) == Vec2{0, 0});
    CHECK(at(0.5).x == doctest::Approx(50));
    CHECK(at(0.5).y == doctest::Approx(10));
    CHECK(at(1).x == doctest::Approx(100));
    CHECK(std::abs(at(1).y) < 1e-12);
    for (int i = 1; i < 100; ++i) {
        CHECK(at(i / 100.0).x > at((i - 1) / 100.0).x);
        CHECK(at(i / 100.0).y > 0);
        CHECK(at(i / 100.0).y <= 10);
    }
}

TEST_CASE("creature foot: a stepping foot follows a goal that moves much, and not one that moves little") {
    Foot foot = planted_at({0, 0});
    advance(foot, {30, 0}, gait, dt);
    advance(foot, {39, 0}, gait, dt);
    CHECK(foot.to == Vec2{30, 0});
    advance(foot, {41, 0}, gait, dt);
    CHECK(foot.to == Vec2{41, 0});
}

TEST_CASE(
    "creature foot: from inside, the way ends at the wall if the far side is seen, and otherwise nowhere") {
    test::for_each_seed(500, [](math::Random& random) {
        const Vec2 start = somewhere(random, 1);
        const Vec2 end = somewhere(random, 4);
        CHECK(length(end_of_way(start, end, room, false) - end) < 1e-12);
        const Vec2 stop = end_of_way(start, end, room, true);
        CHECK(room.shrunk(-1e-9).contains(stop));
        CHECK(std::abs(cross(stop - start, end - start)) < 1e-6);  // on the way
        if (room.contains(end)) CHECK(length(stop - end) < 1e-12);
    });
}

TEST_CASE("creature foot: from outside, the way ends where it comes in") {
    CHECK(end_of_way({-300, 0}, {0, 0}, room, false) == Vec2{-100, 0});
    CHECK(end_of_way({-300, 0}, {0, 0}, room, true) == Vec2{-100, 0});
    CHECK(end_of_way({0, 200}, {0, 0}, room, false) == Vec2{0, 50});
    CHECK(end_of_way({-300, 0}, {-200, 0}, room, false) == Vec2{-200, 0});  // does not get there
}
