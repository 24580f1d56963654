// SPDX-License-Identifier: MIT
#include <instep/motion/box.h>

#include <tests/support/property.h>

#include <doctest/doctest.h>

using namespace instep;
using namespace instep::motion;
using math::Vec2;

namespace {

constexpr Box room{{-100, -50}, {100, 50}};

Vec2 somewhere(math::Random& random, double scale) {
    return {random.uniform(-100 * scale, 100 * scale), random.uniform(-50 * scale, 50 * scale)};
}

}  // namespace

TEST_CASE("what is clamped is inside, and what is inside is not moved") {
    test::for_each_seed(500, [](math::Random& random) {
        const Vec2 place = somewhere(random, 3);
        CHECK(room.contains(room.clamp(place)));
        CHECK((room.clamp(place) == place) == room.contains(place));
    });
}

TEST_CASE("from inside, the way ends at the wall if the far side is seen, and otherwise nowhere") {
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

TEST_CASE("from outside, the way ends where it comes in") {
    CHECK(end_of_way({-300, 0}, {0, 0}, room, false) == Vec2{-100, 0});
    CHECK(end_of_way({-300, 0}, {0, 0}, room, true) == Vec2{-100, 0});
    CHECK(end_of_way({0, 200}, {0, 0}, room, false) == Vec2{0, 50});
    CHECK(end_of_way({-300, 0}, {-200, 0}, room, false) == Vec2{-200, 0});  // does not get there
}
