// SPDX-License-Identifier: MIT
#include <instep/motion/distance.h>

#include <doctest/doctest.h>

#include <tests/support/property.h>

using namespace instep;
using math::Vec2;
using motion::circles_touch;
using motion::within;

namespace {

Vec2 random_point(math::Random& random) {
    return Vec2{random.uniform(-1000, 1000), random.uniform(-1000, 1000)};
}

}  // namespace

TEST_CASE("distance: being within reach is symmetric") {
    test::for_each_seed(10'000, [](math::Random& random) {
        const Vec2 a = random_point(random);
        const Vec2 b = random_point(random);
        const double reach = random.uniform(0, 2000);
        CHECK(within(a, b, reach) == within(b, a, reach));
        CHECK(circles_touch(a, reach / 3, b, reach) == circles_touch(b, reach, a, reach / 3));
    });
}

TEST_CASE("distance: touching exactly counts") {
    CHECK(within({0, 0}, {3, 4}, 5));
    CHECK(!within({0, 0}, {3, 4}, 0x1.3ffffffffffffp2));  // the double below 5
    CHECK(circles_touch({0, 0}, 2, {3, 4}, 3));
    CHECK(!circles_touch({0, 0}, 2, {3, 4}, 2.999999));
}

TEST_CASE("distance: a reach of 0 reaches only the same point") {
    CHECK(within({7, -3}, {7, -3}, 0));
    CHECK(!within({7, -3}, {7, -3.0000001}, 0));
}

TEST_CASE("distance: a longer reach never loses a point") {
    test::for_each_seed(10'000, [](math::Random& random) {
        const Vec2 a = random_point(random);
        const Vec2 b = random_point(random);
        const double near = random.uniform(0, 2000);
        const double far = random.uniform(near, 3000);
        if (within(a, b, near)) CHECK(within(a, b, far));
    });
}

TEST_CASE("distance: the squared test agrees with the distance wherever rounding leaves no doubt") {
    test::for_each_seed(10'000, [](math::Random& random) {
        const Vec2 a = random_point(random);
        const Vec2 b = random_point(random);
        CHECK(within(a, b, distance(a, b) * (1 + 1e-12)));
        CHECK(!within(a, b, distance(a, b) * (1 - 1e-12)));
    });
}

TEST_CASE("distance: a moving point is within reach from the first moment at which it is") {
    test::for_each_seed(500, [](math::Random& random) {
        const auto point = [&] { return Vec2{random.uniform(-10, 10), random.uniform(-10, 10)}; };
        const Vec2 from = point();
        const Vec2 to = random.below(20) == 0 ? from : point();
        const double reach = random.uniform(0.5, 6);
        const auto found = motion::first_within(from, to, reach);
        constexpr int samples = 1000;
        for (int i = 0; i <= samples; ++i) {
            const double part = static_cast<double>(i) / samples;
            const bool is_before = !found || part < *found - 1e-9;
            if (is_before) REQUIRE(length(from + (to - from) * part) > reach);
        }
        if (!found) return;
        REQUIRE(*found >= 0);
        REQUIRE(*found <= 1);
        REQUIRE(length(from + (to - from) * *found) <= reach + 1e-9);
    });
}

TEST_CASE("distance: a point that moves away from the origin, or stands still, touches it only at once") {
    CHECK(!motion::first_within({5, 0}, {9, 0}, 4));
    CHECK(!motion::first_within({5, 0}, {5, 0}, 4));
    CHECK(motion::first_within({4, 0}, {9, 0}, 4) == 0.0);
    CHECK(motion::first_within({0, 0}, {0, 0}, 0) == 0.0);
}
