// SPDX-License-Identifier: MIT
#include <instep/math/units.h>
#include <instep/math/vec2.h>

#include <tests/support/property.h>

#include <doctest/doctest.h>

#include <cmath>
#include <initializer_list>
#include <limits>
#include <numbers>

namespace instep::math {
TEST_CASE("units: pi is the double nearest to pi") {
    CHECK(pi == std::numbers::pi);
    CHECK(two_pi == 2 * std::numbers::pi);
    CHECK(half_pi == std::numbers::pi / 2);
}

TEST_CASE("units: degrees and radians convert both ways") {
    CHECK(radians_from_degrees(180) == pi);
    CHECK(radians_from_degrees(-90) == -half_pi);
    CHECK(degrees_from_radians(pi) == 180);
    test::for_each_seed(1000, [](Random& random) {
        const double degrees = random.uniform(-720, 720);
        CHECK(std::fabs(degrees_from_radians(radians_from_degrees(degrees)) - degrees) < 1e-12);
    });
}

TEST_CASE("units: a whole number of ticks survives the conversion to seconds or milliseconds and back") {
    for (const double rate : {30.0, 40.0, 60.0, 125.0}) {
        for (std::int64_t ticks = -1000; ticks <= 100000; ticks += 7) {
            REQUIRE(ticks_from_seconds(seconds_from_ticks(ticks, rate), rate) == ticks);
            REQUIRE(ticks_from_milliseconds(milliseconds_from_ticks(ticks, rate), rate) == ticks);
        }
    }
    CHECK(seconds_from_ticks(125, 125) == 1);
    CHECK(milliseconds_from_ticks(3, 125) == 24);
}

TEST_CASE("units: a time rounds to the nearest tick, a half away from zero") {
    CHECK(ticks_from_milliseconds(20, 60) == 1);    // 1.2
    CHECK(ticks_from_milliseconds(25, 60) == 2);    // 1.5
    CHECK(ticks_from_milliseconds(-25, 60) == -2);  // -1.5
}

TEST_CASE("units: times out of range are clamped and NaN gives tick 0") {
    constexpr std::int64_t most = std::int64_t{1} << 62;
    CHECK(ticks_from_seconds(1e300, 60) == most);
    CHECK(ticks_from_seconds(-std::numeric_limits<double>::infinity(), 60) == -most);
    CHECK(ticks_from_seconds(std::numeric_limits<double>::quiet_NaN(), 60) == 0);
}

TEST_CASE("units: velocity per tick and velocity per second give the same displacement") {
    CHECK(velocity_per_second(2.0, 40) == 80);
    CHECK(velocity_per_tick(80.0, 40) == 2);
    CHECK(velocity_per_second(Vec2{1, -2}, 40) == Vec2{40, -80});
    CHECK(velocity_per_tick(Vec2{40, -80}, 40) == Vec2{1, -2});
    CHECK(acceleration_per_second_squared(0.5, 40) == 800);
    CHECK(acceleration_per_tick_squared(Vec2{0, 800}, 40) == Vec2{0, 0.5});
}
}  // namespace instep::math
