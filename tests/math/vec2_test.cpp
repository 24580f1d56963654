// SPDX-License-Identifier: MIT
#include <instep/math/vec2.h>

#include <tests/support/property.h>

#include <doctest/doctest.h>

#include <cmath>
#include <initializer_list>
#include <limits>

namespace instep::math {
namespace {
Vec2 random_vector(Random& random) { return {random.uniform(-100, 100), random.uniform(-100, 100)}; }

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
}  // namespace

TEST_CASE("vec2: is zero by default") { CHECK(Vec2{} == Vec2{0, 0}); }

TEST_CASE("vec2: operators work component by component, at compile time too") {
    static_assert(Vec2{1, 2} + Vec2{3, 5} == Vec2{4, 7});
    static_assert(Vec2{1, 2} - Vec2{3, 5} == Vec2{-2, -3});
    static_assert(-Vec2{1, -2} == Vec2{-1, 2});
    static_assert(Vec2{1, 2} * 3 == Vec2{3, 6});
    static_assert(3 * Vec2{1, 2} == Vec2{3, 6});
    static_assert(Vec2{3, 6} / 3 == Vec2{1, 2});
    Vec2 v{1, 2};
    v += {3, 4};
    CHECK(v == Vec2{4, 6});
    v -= {1, 1};
    CHECK(v == Vec2{3, 5});
    v *= 4;
    CHECK(v == Vec2{12, 20});
    v /= 2;
    CHECK(v == Vec2{6, 10});
}

TEST_CASE("vec2: subtraction undoes addition, and the order of a sum does not matter") {
    test::for_each_seed(1000, [](Random& random) {
        const Vec2 a = random_vector(random);
        const Vec2 b = random_vector(random);
        CHECK(a + b == b + a);
        CHECK(a - b == -(b - a));
        CHECK(length(a + b - b - a) < 1e-13);
    });
}

TEST_CASE("vec2: the dot product is symmetric and zero with the perpendicular") {
    test::for_each_seed(1000, [](Random& random) {
        const Vec2 a = random_vector(random);
        const Vec2 b = random_vector(random);
        CHECK(dot(a, b) == dot(b, a));
        CHECK(dot(a, perpendicular(a)) == 0);
    });
}

TEST_CASE("vec2: the cross product is antisymmetric and positive counterclockwise") {
    test::for_each_seed(1000, [](Random& random) {
        const Vec2 a = random_vector(random);
        const Vec2 b = random_vector(random);
        CHECK(cross(a, b) == -cross(b, a));
        CHECK(cross(a, a) == 0);
        CHECK(cross(a, perpendicular(a)) == length_squared(a));
    });
    CHECK(cross({1, 0}, {0, 1}) == 1);
}

TEST_CASE("vec2: four perpendiculars are the identity") {
    const Vec2 v{3, -7};
    CHECK(perpendicular({1, 0}) == Vec2{0, 1});
    CHECK(perpendicular(perpendicular(v)) == -v);
    CHECK(perpendicular(perpendicular(perpendicular(perpendicular(v)))) == v);
}

TEST_CASE("vec2: length and distance agree with Pythagoras and with each other") {
    CHECK(length({3, 4}) == 5);
    CHECK(length_squared({3, 4}) == 25);
    CHECK(distance({1, 1}, {4, 5}) == 5);
    test::for_each_seed(1000, [](Random& random) {
        const Vec2 a = random_vector(random);
        const Vec2 b = random_vector(random);
        CHECK(distance(a, b) == distance(b, a));
        CHECK(distance_squared(a, b) == length_squared(a - b));
        CHECK(length(a + b) <= length(a) + length(b) + 1e-12);
    });
}

TEST_CASE("vec2: a normalised vector has length one and keeps its direction") {
    test::for_each_seed(1000, [](Random& random) {
        const double scale = std::ldexp(1.0, static_cast<int>(random.below(900)) - 450);
        const Vec2 v = random_vector(random) * scale;
        const Vec2 unit = normalized_or_zero(v);
        CHECK(std::fabs(length(unit) - 1) < 1e-15);
        CHECK(dot(v / scale, unit) > 0);
        CHECK(std::fabs(cross(v / scale, unit)) < 1e-13);
    });
}

TEST_CASE("vec2: a vector without a direction normalises to zero, never to NaN") {
    for (const Vec2 v : {Vec2{}, Vec2{-0.0, 0.0}, Vec2{1e-170, 0}, Vec2{5e-324, 5e-324}, Vec2{1e200, 1},
                         Vec2{infinity, 0}, Vec2{-infinity, infinity}, Vec2{not_a_number, 1}}) {
        CAPTURE(v.x);
        CAPTURE(v.y);
        CHECK(normalized_or_zero(v) == Vec2{});
    }
}

TEST_CASE("vec2: all_finite is false for an infinity or NaN in either component") {
    CHECK(all_finite({1e308, -5e-324}));
    for (const double bad : {infinity, -infinity, not_a_number}) {
        CHECK_FALSE(all_finite({bad, 0}));
        CHECK_FALSE(all_finite({0, bad}));
    }
}
}  // namespace instep::math
