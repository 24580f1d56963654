// SPDX-License-Identifier: MIT
// The properties of the reduction itself; trig_test.cpp tests the accuracy of sine and cosine.
#include <instep/math/huge_angle.h>

#include <instep/math/random.h>
#include <instep/math/units.h>

#include <tests/support/property.h>

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <limits>

namespace instep::math {
namespace {
// Any finite double from 2^19 up, with uniform exponents.
double huge(Random& random) {
    const std::uint64_t exponent = 1023 + 19 + random.below(1024 - 19);
    return std::bit_cast<double>((exponent << 52) | (random.next() >> 12));
}
}  // namespace

TEST_CASE("huge angle: the remainder is at most an eighth of a turn") {
    test::for_each_seed(20000, [](Random& random) {
        const double angle = huge(random);
        CAPTURE(angle);
        const ReducedAngle reduced = reduce_huge_angle(angle);
        CHECK(std::fabs(reduced.high) <= pi / 4);
        CHECK(std::fabs(reduced.low) <= std::fabs(reduced.high) * 0x1p-51);
    });
}

TEST_CASE("huge angle: the angle minus its remainder is a whole number of quarter turns") {
    // Only for angles small enough that long double holds the difference well.
    test::for_each_seed(20000, [](Random& random) {
        const double angle = random.uniform(0x1p19, 0x1p24);
        const ReducedAngle reduced = reduce_huge_angle(angle);
        const long double half_pi_here = 1.57079632679489661923132169163975144L;
        const long double rest =
            static_cast<long double>(reduced.high) + static_cast<long double>(reduced.low);
        const long double quarters = (static_cast<long double>(angle) - rest) / half_pi_here;
        CAPTURE(angle);
        CHECK(std::fabs(static_cast<double>(quarters - std::round(quarters))) < 1e-11);
        CHECK(static_cast<std::uint64_t>(std::llround(quarters)) % 4 == reduced.quadrant % 4);
    });
}

TEST_CASE("huge angle: doubling the angle doubles its remainder, modulo quarter turns") {
    test::for_each_seed(20000, [](Random& random) {
        const double angle = huge(random) / 2;
        if (angle < 0x1p19) return;
        const ReducedAngle once = reduce_huge_angle(angle);
        const ReducedAngle twice = reduce_huge_angle(2 * angle);
        const double difference = 2 * once.high - twice.high;
        const double quarters = std::round(difference / half_pi);
        CAPTURE(angle);
        CHECK(std::fabs(difference - quarters * half_pi) < 1e-15);
        const std::uint64_t expected = 2 * once.quadrant + static_cast<std::uint64_t>(std::llround(quarters));
        CHECK(expected % 4 == twice.quadrant % 4);
    });
}
}  // namespace instep::math
