// SPDX-License-Identifier: MIT
#include <instep/rigid/manifold.h>

#include <cmath>

#include <instep/rigid/distance.h>
#include <tests/rigid/support.h>
#include <tests/support/property.h>

using namespace instep;
using namespace instep::rigid;

namespace {

Hull at(const Hull& hull, Vec2 position, double angle = 0) {
    Hull placed;
    place(hull, {position, math::Rotation::from_angle(angle)}, placed);
    return placed;
}

Hull random_hull(math::Random& random) {
    const std::array<Vec2, 3> ship{Vec2{0, 1}, Vec2{-0.5, -0.5}, Vec2{0.5, -0.5}};
    switch (random.below(4)) {
        case 0: return *make_circle(random.uniform(0.1, 1));
        case 1: return *make_segment({-1, 0}, {1, 0.2});
        case 2: return *make_polygon(ship);
        default: return *make_box(0.7, 0.4);
    }
}

}  // namespace

TEST_CASE("a box that lies on another touches it with two points") {
    const Manifold manifold = collide(at(*make_box(2, 1), {0, 0}), at(*make_box(0.5, 0.5), {1, 1.49}));
    REQUIRE(manifold.count == 2);
    CHECK(manifold.normal.y == doctest::Approx(1));
    for (const ManifoldPoint& point : manifold.points) {
        CHECK(point.separation == doctest::Approx(-0.01));
        CHECK(point.at.y == doctest::Approx(0.995));
    }
    CHECK(std::fabs(manifold.points[0].at.x - manifold.points[1].at.x) == doctest::Approx(1));
    CHECK(manifold.points[0].feature != manifold.points[1].feature);
}

TEST_CASE("a box that overhangs is clipped to the edge that carries it") {
    const Manifold manifold = collide(at(*make_box(1, 1), {0, 0}), at(*make_box(1, 0.5), {1.5, 1.5}));
    REQUIRE(manifold.count == 2);
    CHECK(std::min(manifold.points[0].at.x, manifold.points[1].at.x) == doctest::Approx(0.5));
    CHECK(std::max(manifold.points[0].at.x, manifold.points[1].at.x) == doctest::Approx(1));
}

TEST_CASE("two corners that pass each other meet along the line between them") {
    const Manifold manifold = collide(at(*make_box(1, 1), {0, 0}), at(*make_box(1, 1), {2.01, 2.01}));
    REQUIRE(manifold.count == 1);
    CHECK(manifold.normal.x == doctest::Approx(std::sqrt(0.5)));
    CHECK(manifold.points[0].separation == doctest::Approx(0.01 * std::sqrt(2.0)));
}

TEST_CASE("circles touch along the line of their centres, and the corner of a box from outside") {
    const Manifold round = collide(at(*make_circle(1), {0, 0}), at(*make_circle(0.5), {0, 1.4}));
    REQUIRE(round.count == 1);
    CHECK(round.points[0].separation == doctest::Approx(-0.1));
    CHECK(round.normal.y == doctest::Approx(1));
    const Manifold corner = collide(at(*make_box(1, 1), {0, 0}), at(*make_circle(1), {1.6, 1.6}));
    REQUIRE(corner.count == 1);
    CHECK(corner.normal.x == doctest::Approx(std::sqrt(0.5)));
    CHECK(collide(at(*make_box(1, 1), {0, 0}), at(*make_circle(1), {1.8, 1.8})).count == 0);
}

TEST_CASE("a circle at the centre of another still has a normal of length one") {
    const Manifold manifold = collide(at(*make_circle(1), {2, 3}), at(*make_circle(1), {2, 3}));
    REQUIRE(manifold.count == 1);
    CHECK(math::length(manifold.normal) == doctest::Approx(1));
    CHECK(manifold.points[0].separation == doctest::Approx(-2));
}

TEST_CASE("a segment stops circles from both sides and beyond its ends") {
    const Hull segment = at(*make_segment({-1, 0}, {1, 0}), {0, 0});
    CHECK(collide(segment, at(*make_circle(0.5), {0, 0.4})).normal.y == doctest::Approx(1));
    CHECK(collide(segment, at(*make_circle(0.5), {0, -0.4})).normal.y == doctest::Approx(-1));
    CHECK(collide(segment, at(*make_circle(0.5), {1.4, 0})).normal.x == doctest::Approx(1));
    CHECK(collide(segment, at(*make_circle(0.5), {1.6, 0})).count == 0);
}

TEST_CASE("turning both hulls turns the manifold with them, and exchanging them turns its normal around") {
    test::for_each_seed(500, [](math::Random& random) {
        const Hull first = random_hull(random);
        const Hull second = random_hull(random);
        const double angle = random.uniform(-3, 3);
        const double x = random.uniform(-1.2, 1.2);
        const Vec2 offset{x, random.uniform(-1.2, 1.2)};
        const double by = random.uniform(-3, 3);
        const math::Rotation turned = math::Rotation::from_angle(by);
        const Manifold manifold = collide(at(first, {}), at(second, offset, angle));
        const Manifold rotated =
            collide(at(first, {}, by), at(second, math::rotate(turned, offset), angle + by));
        CHECK(rotated.count == manifold.count);
        if (manifold.count == 0 || rotated.count != manifold.count) return;
        CHECK(math::length(manifold.normal) == doctest::Approx(1));
        CHECK(math::distance(math::rotate(turned, manifold.normal), rotated.normal) < 1e-6);
        const Manifold swapped = collide(at(second, offset, angle), at(first, {}));
        REQUIRE(swapped.count > 0);
        // Of two edges that are as good, the first hull's is preferred: then depths agree, not normals.
        const auto depth = [](const Manifold& of) {
            double least = of.points[0].separation;
            for (std::uint32_t i = 1; i < of.count; ++i) least = std::min(least, of.points[i].separation);
            return least;
        };
        if (math::dot(swapped.normal, manifold.normal) < -0.999)
            CHECK(depth(swapped) == doctest::Approx(depth(manifold)).epsilon(1e-3).scale(1));
    });
}

TEST_CASE("moving a hull along the normal by the depth of a manifold ends the overlap") {
    test::for_each_seed(500, [](math::Random& random) {
        const Hull first = at(random_hull(random), {});
        const double angle = random.uniform(-3, 3);
        const double x = random.uniform(-1, 1);
        const Hull second = at(random_hull(random), {x, random.uniform(-1, 1)}, angle);
        const Manifold manifold = collide(first, second);
        double depth = 0;
        for (std::uint32_t i = 0; i < manifold.count; ++i)
            depth = std::max(depth, -manifold.points[i].separation);
        const Hull away = moved(second, (depth + 1e-9) * manifold.normal);
        if (manifold.count > 0) CHECK(separation(first, away).distance > -1e-7);
    });
}

TEST_CASE(
    "the distance of two hulls is the same both ways and never more than between any two of their points") {
    test::for_each_seed(500, [](math::Random& random) {
        const Hull first = at(random_hull(random), {});
        const double angle = random.uniform(-3, 3);
        const double x = random.uniform(-4, 4);
        const Hull second = at(random_hull(random), {x, random.uniform(-4, 4)}, angle);
        const Separation there = separation(first, second);
        const Separation back = separation(second, first);
        CHECK(there.distance == doctest::Approx(back.distance));
        for (std::uint32_t i = 0; i < first.count; ++i)
            for (std::uint32_t k = 0; k < second.count; ++k)
                CHECK(there.distance <= math::distance(first.points[i], second.points[k]) - first.radius -
                                            second.radius + 1e-9);
        // Moving by the distance along the direction makes them touch.
        if (there.distance > 0)
            CHECK(std::fabs(separation(first, moved(second, -there.distance * there.direction)).distance) <
                  1e-9);
    });
}
