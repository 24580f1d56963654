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
    transform(hull, {position, math::Rotation::from_angle(angle)}, placed);
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

TEST_CASE("manifold: a box on a box has two points") {
    const Manifold manifold = collide(at(*make_box(2, 1), {0, 0}), at(*make_box(0.5, 0.5), {1, 1.49}));
    REQUIRE(manifold.count == 2);
    CHECK(manifold.normal.y == doctest::Approx(1));
    for (const ManifoldPoint& point : manifold.points) {
        CHECK(point.separation == doctest::Approx(-0.01));
        CHECK(point.point.y == doctest::Approx(0.995));
    }
    CHECK(std::fabs(manifold.points[0].point.x - manifold.points[1].point.x) == doctest::Approx(1));
    CHECK(manifold.points[0].feature != manifold.points[1].feature);
}

TEST_CASE("manifold: an overhanging box is clipped to the edge under it") {
    const Manifold manifold = collide(at(*make_box(1, 1), {0, 0}), at(*make_box(1, 0.5), {1.5, 1.5}));
    REQUIRE(manifold.count == 2);
    CHECK(std::min(manifold.points[0].point.x, manifold.points[1].point.x) == doctest::Approx(0.5));
    CHECK(std::max(manifold.points[0].point.x, manifold.points[1].point.x) == doctest::Approx(1));
}

TEST_CASE("manifold: the normal of two corners is the line between them") {
    const Manifold manifold = collide(at(*make_box(1, 1), {0, 0}), at(*make_box(1, 1), {2.01, 2.01}));
    REQUIRE(manifold.count == 1);
    CHECK(manifold.normal.x == doctest::Approx(std::sqrt(0.5)));
    CHECK(manifold.points[0].separation == doctest::Approx(0.01 * std::sqrt(2.0)));
}

TEST_CASE("manifold: circles touch along the line of their centres, and corners from outside") {
    const Manifold round = collide(at(*make_circle(1), {0, 0}), at(*make_circle(0.5), {0, 1.4}));
    REQUIRE(round.count == 1);
    CHECK(round.points[0].separation == doctest::Approx(-0.1));
    CHECK(round.normal.y == doctest::Approx(1));
    const Manifold corner = collide(at(*make_box(1, 1), {0, 0}), at(*make_circle(1), {1.6, 1.6}));
    REQUIRE(corner.count == 1);
    CHECK(corner.normal.x == doctest::Approx(std::sqrt(0.5)));
    CHECK(collide(at(*make_box(1, 1), {0, 0}), at(*make_circle(1), {1.8, 1.8})).count == 0);
}

TEST_CASE("manifold: a circle at the centre of another still has a unit normal") {
    const Manifold manifold = collide(at(*make_circle(1), {2, 3}), at(*make_circle(1), {2, 3}));
    REQUIRE(manifold.count == 1);
    CHECK(math::length(manifold.normal) == doctest::Approx(1));
    CHECK(manifold.points[0].separation == doctest::Approx(-2));
}

TEST_CASE("manifold: a segment stops circles from both sides and beyond its ends") {
    const Hull segment = at(*make_segment({-1, 0}, {1, 0}), {0, 0});
    CHECK(collide(segment, at(*make_circle(0.5), {0, 0.4})).normal.y == doctest::Approx(1));
    CHECK(collide(segment, at(*make_circle(0.5), {0, -0.4})).normal.y == doctest::Approx(-1));
    CHECK(collide(segment, at(*make_circle(0.5), {1.4, 0})).normal.x == doctest::Approx(1));
    CHECK(collide(segment, at(*make_circle(0.5), {1.6, 0})).count == 0);
}

TEST_CASE("manifold: rotating both hulls rotates it, swapping them flips its normal") {
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
        // Of two equal edges the first hull's is preferred: then the depths agree, not the normals.
        const auto depth = [](const Manifold& of) {
            double least = of.points[0].separation;
            for (std::uint32_t i = 1; i < of.count; ++i) least = std::min(least, of.points[i].separation);
            return least;
        };
        if (math::dot(swapped.normal, manifold.normal) < -0.999)
            CHECK(depth(swapped) == doctest::Approx(depth(manifold)).epsilon(1e-3).scale(1));
    });
}

TEST_CASE("manifold: moving a hull along the normal by the depth ends the overlap") {
    test::for_each_seed(500, [](math::Random& random) {
        const Hull first = at(random_hull(random), {});
        const double angle = random.uniform(-3, 3);
        const double x = random.uniform(-1, 1);
        const Hull second = at(random_hull(random), {x, random.uniform(-1, 1)}, angle);
        const Manifold manifold = collide(first, second);
        double depth = 0;
        for (std::uint32_t i = 0; i < manifold.count; ++i)
            depth = std::max(depth, -manifold.points[i].separation);
        const Hull away = translated(second, (depth + 1e-9) * manifold.normal);
        if (manifold.count > 0) CHECK(hull_distance(first, away).distance > -1e-7);
    });
}

TEST_CASE("distance: symmetric, and never more than between any two points of the hulls") {
    test::for_each_seed(500, [](math::Random& random) {
        const Hull first = at(random_hull(random), {});
        const double angle = random.uniform(-3, 3);
        const double x = random.uniform(-4, 4);
        const Hull second = at(random_hull(random), {x, random.uniform(-4, 4)}, angle);
        const HullDistance there = hull_distance(first, second);
        const HullDistance back = hull_distance(second, first);
        CHECK(there.distance == doctest::Approx(back.distance));
        for (std::uint32_t i = 0; i < first.count; ++i)
            for (std::uint32_t k = 0; k < second.count; ++k)
                CHECK(there.distance <= math::distance(first.points[i], second.points[k]) - first.radius -
                                            second.radius + 1e-9);
        // Moving by the distance along the normal makes them touch.
        if (there.distance > 0)
            CHECK(
                std::fabs(hull_distance(first, translated(second, -there.distance * there.normal)).distance) <
                1e-9);
    });
}
