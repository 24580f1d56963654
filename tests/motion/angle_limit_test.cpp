// SPDX-License-Identifier: MIT
#include <instep/motion/angle_limit.h>

#include <tests/support/property.h>

#include <doctest/doctest.h>

using namespace instep;
using namespace instep::motion;

namespace {

struct Case {
    double angle, reference, low, high;

    explicit Case(math::Random& random)
        : angle(random.uniform(-10, 10)),
          reference(random.uniform(-10, 10)),
          low(random.uniform(-math::pi, math::pi)),
          high(random.uniform(-math::pi, math::pi)) {}
};

double apart(double a, double b) { return std::abs(wrapped(a - b)); }

}  // namespace

TEST_CASE("angle limit: a wrapped angle is within half a turn and points the same way") {
    test::for_each_seed(1000, [](math::Random& random) {
        const double angle = random.uniform(-1000, 1000);
        const double rest = wrapped(angle);
        CHECK(std::abs(rest) <= math::pi);
        CHECK(length(direction_at(rest) - direction_at(angle)) < 1e-12);
        CHECK(wrapped(rest) == rest);
        CHECK(wrapped(-angle) == -rest);
        CHECK(wrapped_positive(angle) >= 0);
        CHECK(wrapped_positive(angle) < math::two_pi);
    });
}

TEST_CASE("angle limit: limiting directions and limiting their angles is the same") {
    test::for_each_seed(5000, [](math::Random& random) {
        const Case c(random);
        const double exact_turn = apart(c.angle, c.reference);
        if (exact_turn > math::pi - 1e-6) return;  // the one place where rounding may choose the side
        const Vec2 limited = limited_direction(direction_at(c.angle), direction_at(c.reference),
                                               AngleLimit::between(c.low, c.high));
        CHECK(apart(angle_of(limited), limited_angle(c.angle, c.reference, c.low, c.high)) < 1e-12);
    });
}

TEST_CASE("angle limit: a limited direction is within the limits, and limiting it again changes nothing") {
    test::for_each_seed(2000, [](math::Random& random) {
        const Case c(random);
        const AngleLimit limit = AngleLimit::between(c.low, c.high);
        const Vec2 reference = direction_at(c.reference);
        const Vec2 once = limited_direction(direction_at(c.angle), reference, limit);
        const double turn = angle_of({dot(reference, once), cross(reference, once)});
        CHECK(turn >= std::min(c.low, c.high) - 1e-12);
        CHECK(turn <= std::max(c.low, c.high) + 1e-12);
        CHECK(length(once) == doctest::Approx(1).epsilon(1e-14));
        CHECK(length(limited_direction(once, reference, limit) - once) < 1e-12);
    });
}

TEST_CASE("angle limit: a mirrored direction is limited in mirror image, to the last bit") {
    test::for_each_seed(2000, [](math::Random& random) {
        const Case c(random);
        const auto mirror = [](Vec2 v) { return Vec2{-v.x, v.y}; };
        const Vec2 wanted = direction_at(c.angle);
        const Vec2 reference = direction_at(c.reference);
        const Vec2 one = limited_direction(wanted, reference, AngleLimit::between(c.low, c.high));
        const Vec2 other =
            limited_direction(mirror(wanted), mirror(reference), AngleLimit::between(-c.high, -c.low));
        CHECK(other == mirror(one));
    });
}

TEST_CASE("angle limit: limits of half a turn let everything through as it is") {
    const AngleLimit free = AngleLimit::between(-math::pi, math::pi);
    test::for_each_seed(500, [&](math::Random& random) {
        const Case c(random);
        CHECK(limited_direction(direction_at(c.angle), direction_at(c.reference), free) ==
              direction_at(c.angle));
    });
}

TEST_CASE("angle limit: a turn beyond a limit ends at that limit, on its own side") {
    const AngleLimit limit = AngleLimit::between(-0.25, 0.5);
    const auto limited = [&](double angle) {
        return angle_of(limited_direction(direction_at(angle), {1, 0}, limit));
    };
    CHECK(limited(0.4) == doctest::Approx(0.4));
    CHECK(limited(3.1) == doctest::Approx(0.5));
    CHECK(limited(-3.1) == doctest::Approx(-0.25));
    CHECK(limited(-0.2) == doctest::Approx(-0.2));
}

TEST_CASE("angle limit: a vector without length points along x") {
    CHECK(direction_of({0, 0}) == Vec2{1, 0});
}
