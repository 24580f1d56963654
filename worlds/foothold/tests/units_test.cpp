// SPDX-License-Identifier: MIT
// The document's worked examples.
#include <foothold/units.h>

#include <doctest/doctest.h>

#include <tests/support/property.h>

using namespace instep;
using namespace instep::worlds::foothold;

TEST_CASE("foothold units: the document's examples come out as it says") {
    CHECK(px_per_second_from_px_per_tick(0.2) == 25);
    CHECK(px_per_second2_from_px_per_tick2(0.14) == doctest::Approx(2187.5));
    CHECK(milliseconds_from_ticks(200) == 1600);
    CHECK(ticks_from_milliseconds(1600) == 200);
    CHECK(walk_force(100.0) == doctest::Approx(0.16));
    CHECK(jump_force(100.0) == doctest::Approx(4.5));
    CHECK(climb_force(100.0) == 1);
    CHECK(double{mob_force(0)} == doctest::Approx(0.1));
}

TEST_CASE("foothold units: the reference's forces are 32-bit floats, as in its recordings") {
    CHECK(double{walk_force(100.0f)} == 0.1599999964237213);
    CHECK(double{jump_force(100.0f)} == 4.5);
    CHECK(double{mob_force(-30)} == 0.07000000029802322);
}

TEST_CASE("foothold units: speeds and forces go to the other unit and back") {
    test::for_each_seed(200, [](math::Random& random) {
        const double value = random.uniform(-100, 100);
        CHECK(px_per_tick_from_px_per_second(px_per_second_from_px_per_tick(value)) ==
              doctest::Approx(value));
        CHECK(px_per_tick2_from_px_per_second2(px_per_second2_from_px_per_tick2(value)) ==
              doctest::Approx(value));
        const auto ticks = static_cast<std::int64_t>(random.below(1'000'000));
        CHECK(ticks_from_milliseconds(milliseconds_from_ticks(ticks)) == ticks);
    });
}
