// SPDX-License-Identifier: MIT
#include <instep/math/rotation.h>

#include <tests/support/property.h>

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <initializer_list>
#include <limits>

namespace instep::math {
namespace {
Vec2 random_vector(Random& random) { return {random.uniform(-100, 100), random.uniform(-100, 100)}; }

// Any finite double, with uniform exponents.
double random_finite(Random& random) {
    for (;;) {
        const double value = std::bit_cast<double>(random.next());
        if (std::isfinite(value)) return value;
    }
}

bool close(Vec2 a, Vec2 b) { return distance(a, b) < 1e-12; }
bool close(Rotation a, Rotation b) { return std::fabs(a.c - b.c) < 4e-15 && std::fabs(a.s - b.s) < 4e-15; }
}  // namespace

TEST_CASE("rotation: the identity leaves every vector as it is") {
    test::for_each_seed(100, [](Random& random) {
        const Vec2 v = random_vector(random);
        CHECK(rotate(Rotation{}, v) == v);
        CHECK(rotate(Rotation::from_angle(0), v) == v);
    });
}

TEST_CASE("rotation: a quarter turn is the perpendicular") {
    test::for_each_seed(100, [](Random& random) {
        const Vec2 v = random_vector(random);
        CHECK(rotate(Rotation{0, 1}, v) == perpendicular(v));
        CHECK(close(rotate(Rotation::from_angle(half_pi), v), perpendicular(v)));
    });
}

TEST_CASE("rotation: keeps lengths, and its inverse undoes it") {
    test::for_each_seed(1000, [](Random& random) {
        const Rotation r = Rotation::from_angle(random.uniform(-10, 10));
        const Vec2 v = random_vector(random);
        CHECK(std::fabs(length(rotate(r, v)) - length(v)) < 1e-13);
        CHECK(close(inverse_rotate(r, rotate(r, v)), v));
        CHECK(inverse_rotate(r, v) == rotate(inverse(r), v));
    });
}

TEST_CASE("rotation: composition adds angles") {
    test::for_each_seed(1000, [](Random& random) {
        const double a = random.uniform(-10, 10);
        const double b = random.uniform(-10, 10);
        const Rotation both = compose(Rotation::from_angle(b), Rotation::from_angle(a));
        CHECK(close(both, Rotation::from_angle(a + b)));
        const Vec2 v = random_vector(random);
        CHECK(close(rotate(both, v), rotate(Rotation::from_angle(b), rotate(Rotation::from_angle(a), v))));
    });
}

TEST_CASE("rotation: returns the angle that it was made from") {
    test::for_each_seed(1000, [](Random& random) {
        const double angle = random.uniform(-pi, pi);
        CHECK(std::fabs(Rotation::from_angle(angle).angle() - angle) < 1e-15);
    });
}

TEST_CASE("wrap_angle: an angle in range is unchanged to the bit") {
    test::for_each_seed(1000, [](Random& random) {
        const double angle = random.uniform(-pi, pi);
        CHECK(wrap_angle(angle) == angle);
    });
    CHECK(std::signbit(wrap_angle(-0.0)));
    CHECK(wrap_angle(-pi) == -pi);
    CHECK(wrap_angle(pi) == -pi);
    CHECK(wrap_angle_positive(two_pi) == 0);
}

TEST_CASE("wrap_angle: the result is in range for every finite angle") {
    test::for_each_seed(20000, [](Random& random) {
        const double angle = random_finite(random);
        CAPTURE(angle);
        const double wrapped = wrap_angle(angle);
        CHECK(wrapped >= -pi);
        CHECK(wrapped < pi);
        const double positive = wrap_angle_positive(angle);
        CHECK(positive >= 0);
        CHECK(positive < two_pi);
        CHECK_FALSE(std::signbit(positive));
    });
    CHECK(wrap_angle_positive(-1e-300) == 0);  // closer to a full turn than any double below it
    CHECK_FALSE(std::signbit(wrap_angle_positive(-0.0)));
}

TEST_CASE("wrap_angle: removes whole turns and nothing else") {
    test::for_each_seed(1000, [](Random& random) {
        const double angle = random.uniform(-1000, 1000);
        const double turns = (angle - wrap_angle(angle)) / two_pi;
        CHECK(std::fabs(turns - std::round(turns)) < 1e-12);
        CHECK(
            close(Rotation::from_angle(wrap_angle(angle)), Rotation::from_angle(wrap_angle_positive(angle))));
    });
}

TEST_CASE("angle_difference: is along the shorter arc") {
    CHECK(angle_difference(0, 1) == 1);
    CHECK(angle_difference(1, 0) == -1);
    CHECK(angle_difference(3, -3) == doctest::Approx(two_pi - 6));
    CHECK(angle_difference(-3, 3) == doctest::Approx(6 - two_pi));
    CHECK(angle_difference(-half_pi, half_pi) ==
          -pi);  // half a turn could have either sign; negative is chosen
    test::for_each_seed(1000, [](Random& random) {
        const double from = random.uniform(-1000, 1000);
        const double to = random.uniform(-1000, 1000);
        const double difference = angle_difference(from, to);
        CHECK(difference >= -pi);
        CHECK(difference < pi);
        CHECK(std::fabs(angle_difference(from + difference, to)) < 1e-12);
    });
}

TEST_CASE("angle_difference: is in range for any two finite angles") {
    test::for_each_seed(20000, [](Random& random) {
        const double from = random_finite(random);
        const double to = random_finite(random);
        const double difference = angle_difference(from, to);
        CAPTURE(from);
        CAPTURE(to);
        CHECK(difference >= -pi);
        CHECK(difference < pi);
    });
}

TEST_CASE("wrap_angle: an infinity or NaN gives the one positive NaN") {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    for (const double angle : {infinity, -infinity, std::numeric_limits<double>::quiet_NaN()}) {
        CHECK(std::bit_cast<std::uint64_t>(wrap_angle(angle)) == 0x7ff8'0000'0000'0000);
    }
}
}  // namespace instep::math
