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

TEST_CASE("box: a clamped point is inside, and a point inside is not moved") {
    test::for_each_seed(500, [](math::Random& random) {
        const Vec2 position = somewhere(random, 3);
        CHECK(room.contains(room.clamp(position)));
        CHECK((room.clamp(position) == position) == room.contains(position));
    });
}

TEST_CASE("box: boxes touch if and only if some point is in both") {
    test::for_each_seed(500, [](math::Random& random) {
        const auto random_box = [&] {
            const Vec2 low = somewhere(random, 2);
            return Box{low, low + Vec2{random.uniform(0, 80), random.uniform(0, 80)}};
        };
        const Box a = random_box();
        const Box b = random_box();
        const Vec2 nearest = b.clamp(a.clamp(b.low));  // of b to a
        CHECK(a.touches(b) == a.contains(nearest));
        CHECK(a.touches(b) == b.touches(a));
    });
}

TEST_CASE("box: a box joined with another holds both, and with nothing it stays as it is") {
    const Box a{{0, 0}, {2, 3}};
    const Box b{{-5, 1}, {1, 9}};
    CHECK(a.joined_with(b).low == Vec2{-5, 0});
    CHECK(a.joined_with(b).high == Vec2{2, 9});
    CHECK(Box::empty().is_empty());
    CHECK(!a.is_empty());
    CHECK(Box::empty().joined_with(a).low == a.low);
    CHECK(Box::empty().joined_with(a).high == a.high);
    CHECK(!Box::empty().touches(a));
}

TEST_CASE("box: a random point is inside, and its two numbers are drawn x first") {
    test::for_each_seed(100, [](math::Random& random) {
        math::Random twin = random;
        const Vec2 point = room.random_point(random);
        CHECK(room.contains(point));
        CHECK(point.x == twin.uniform(-100, 100));
        CHECK(point.y == twin.uniform(-50, 50));
    });
}

TEST_CASE("box: what has left it is brought back and turned around, and keeps its share of the speed") {
    test::for_each_seed(500, [](math::Random& random) {
        Vec2 position = somewhere(random, 2);
        Vec2 velocity{random.uniform(-9, 9), random.uniform(-9, 9)};
        const double restitution = random.uniform();
        const Vec2 before = position;
        const Vec2 speed = velocity;
        const double met = rebound(room, position, velocity, restitution);
        CHECK(position == room.clamp(before));
        const bool hits_x = position.x != before.x && (before.x > 0) == (speed.x > 0);
        const bool hits_y = position.y != before.y && (before.y > 0) == (speed.y > 0);
        CHECK(velocity.x == (hits_x ? speed.x * -restitution : speed.x));
        CHECK(velocity.y == (hits_y ? speed.y * -restitution : speed.y));
        const double x = hits_x ? std::abs(speed.x) : 0;
        CHECK(met == std::max(x, hits_y ? std::abs(speed.y) : 0.0));
    });
}
