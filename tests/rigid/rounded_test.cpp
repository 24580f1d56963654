// SPDX-License-Identifier: MIT
// Capsules and rounded polygons: their mass, their contacts and how they come to rest.
#include <instep/rigid/query.h>

#include <algorithm>
#include <array>
#include <cmath>

#include <tests/rigid/support.h>
#include <tests/support/property.h>

using namespace instep;
using namespace instep::rigid;
using test::TestSpace;

namespace {

Hull point_at(Vec2 position) {
    Hull point;
    point.count = 1;
    point.points[0] = position;
    return point;
}

// A random circle, capsule, polygon or rounded polygon near the origin, in world coordinates.
Hull random_hull(math::Random& random) {
    const double radius = random.uniform(0.05, 0.5);
    const double size = random.uniform(0.2, 1);
    Hull hull;
    switch (random.below(5)) {
        case 0: hull = *make_circle(radius); break;
        case 1: hull = *make_capsule({-size, 0}, {size, 0.1}, radius); break;
        case 2: hull = *make_box(size, 0.4, radius); break;
        case 3:
            hull = *make_polygon(std::array{Vec2{0, size}, Vec2{-1, -size}, Vec2{1, -0.5}}, radius);
            break;
        default: hull = *make_box(size, 0.4);
    }
    Hull placed;
    transform(hull,
              {{random.uniform(-1.5, 1.5), random.uniform(-1.5, 1.5)},
               math::Rotation::from_angle(random.uniform(-3, 3))},
              placed);
    return placed;
}

Setup rounded_setup() {
    Setup setup = test::ground_setup();
    const Material material{1, 0.6, 0};
    setup.body_defs.push_back(
        test::body_def(BodyType::dynamic, make_capsule({-0.5, 0}, {0.5, 0}, 0.25), material));
    setup.body_defs.push_back(test::body_def(BodyType::dynamic, make_box(0.4, 0.3, 0.1), material));
    return setup;
}
constexpr std::uint16_t capsule = 3;
constexpr std::uint16_t rounded_box = 4;

}  // namespace

TEST_CASE("rounded: what is too small, too large or not a number is refused") {
    CHECK(!make_capsule({0, 0}, {1, 0}, 0).has_value());
    CHECK(!make_capsule({0, 0}, {0, 0}, 1).has_value());
    CHECK(!make_capsule({0, 0}, {1, 0}, std::nan("")).has_value());
    CHECK(!make_box(1, 1, -1).has_value());
    CHECK(!make_box(1, 1, 1e9).has_value());
    CHECK(make_box(1, 1, 0.5)->radius == 0.5);
}

TEST_CASE("rounded: a capsule has the mass and inertia of a rectangle and two half discs") {
    constexpr double length = 3;
    constexpr double r = 0.5;
    const BodyDef def =
        test::body_def(BodyType::dynamic, make_capsule({1, 1}, {1, 1 + length}, r), {.density = 2});
    const double rectangle = 2 * length * 2 * r;
    const double discs = 2 * math::pi * r * r;
    CHECK(def.mass == doctest::Approx(rectangle + discs));
    CHECK(def.origin.x == doctest::Approx(-1));
    CHECK(def.origin.y == doctest::Approx(-1 - length / 2));
    CHECK(def.inertia ==
          doctest::Approx(rectangle * (length * length + 4 * r * r) / 12 +
                          discs * (r * r / 2 + length * length / 4 + length * 4 * r / (3 * math::pi))));
}

TEST_CASE("rounded: mass, centre and inertia of a polygon are those of the points inside it") {
    const Hull hull = *make_polygon(std::array{Vec2{1, 0}, Vec2{3, 0.5}, Vec2{2.5, 2}, Vec2{0.5, 1}}, 0.3);
    const BodyDef def = test::body_def(BodyType::dynamic, hull);
    constexpr double cell = 0.01;
    double area = 0;
    double second = 0;
    Vec2 first{};
    for (int i = 0; i < 400; ++i)
        for (int k = -50; k < 300; ++k) {
            const Vec2 point{cell * (i + 0.5), cell * (k + 0.5)};
            if (hull_distance(hull, point_at(point)).distance > 0) continue;
            area += cell * cell;
            first += cell * cell * point;
            second += cell * cell * math::length_squared(point);
        }
    const Vec2 centre = first / area;
    CHECK(def.mass == doctest::Approx(area).epsilon(0.002));
    CHECK(math::distance(-def.origin, centre) < 0.002);
    CHECK(def.inertia == doctest::Approx(second - area * math::length_squared(centre)).epsilon(0.005));
}

TEST_CASE("rounded: the manifold's separation is the distance of the surfaces") {
    int touching = 0;
    test::for_each_seed(20000, [&](math::Random& random) {
        const Hull a = random_hull(random);
        const Hull b = random_hull(random);
        const HullDistance between = hull_distance(a, b);
        const Manifold manifold = collide(a, b);
        CHECK((between.distance <= contact_margin - 1e-3 ? manifold.count > 0 : true));
        CHECK((between.distance > contact_margin + 1e-3 ? manifold.count == 0 : true));
        if (manifold.count == 0) return;
        ++touching;
        double least = 1e9;
        for (std::uint32_t i = 0; i < manifold.count; ++i)
            least = std::min(least, manifold.points[i].separation);
        // Nearly parallel edges are clipped, not met at a corner, so that stacks have two points.
        if (nearest_points(a, b).are_apart && (a.radius > 0 || b.radius > 0))
            CHECK(std::fabs(least - between.distance) < linear_slop);
        CHECK(math::length(manifold.normal) == doctest::Approx(1));
        const Manifold other_way = collide(b, a);
        CHECK(other_way.count > 0);
    });
    CHECK(touching > 2000);
}

TEST_CASE("rounded: capsules end to end touch at their caps") {
    const Hull left = *make_capsule({0, 0}, {1, 0}, 0.25);
    const Hull right = *make_capsule({1.49, 0}, {2.49, 0}, 0.25);
    const Manifold manifold = collide(left, right);
    REQUIRE(manifold.count == 1);
    CHECK(manifold.normal.x == doctest::Approx(1));
    CHECK(manifold.points[0].separation == doctest::Approx(-0.01));
    CHECK(manifold.points[0].point.x == doctest::Approx(1.245));
    CHECK(collide(left, *make_capsule({1.6, 0}, {2.6, 0}, 0.25)).count == 0);
    CHECK(hull_distance(left, *make_capsule({4, 1e-9}, {5, -1e-9}, 0.25)).distance == doctest::Approx(2.5));
}

TEST_CASE("rounded: a capsule on a capsule of the same length has two contact points") {
    const Manifold manifold =
        collide(*make_capsule({-1, 0}, {1, 0}, 0.25), *make_capsule({-1, 0.5}, {1, 0.5}, 0.25));
    CHECK(manifold.count == 2);
    CHECK(manifold.normal.y == doctest::Approx(1));
}

TEST_CASE("rounded: a ray hits a capsule's and a rounded polygon's surface") {
    test::for_each_seed(2000, [](math::Random& random) {
        const Hull hull = random_hull(random);
        const Vec2 start{random.uniform(-6, 6), 5};
        const Vec2 end{random.uniform(-2, 2), -5};
        const RayHit hit = cast_ray(hull, start, end);
        const auto distance_at = [&](double fraction) {
            return hull_distance(hull, point_at(start + fraction * (end - start))).distance;
        };
        if (hit.normal == Vec2{}) {
            for (int i = 0; i <= 50; ++i) CHECK(distance_at(i / 50.0) > -1e-9);
            return;
        }
        CHECK(std::fabs(distance_at(hit.fraction)) < 1e-9);
        CHECK(math::dot(hit.normal, end - start) <= 1e-9);
        for (int i = 0; i < 50; ++i) CHECK(distance_at(hit.fraction * i / 50.0) > -1e-9);
    });
    CHECK(cast_ray(*make_capsule({-1, 0}, {1, 0}, 0.5), {0, 0.2}, {0, 5}).normal == Vec2{});  // from inside
}

TEST_CASE("rounded: a capsule and a rounded box come to rest on their surfaces and sleep") {
    TestSpace sim(rounded_setup());
    sim.add(test::ground, {0, -1});
    const Handle lying = sim.add(capsule, {0, 1}, {}, 0.2);
    const Handle box = sim.add(rounded_box, {4, 1}, {}, 0.1);
    const Handle on_top = sim.add(rounded_box, {4, 2});
    sim.step(400);
    CHECK(sim[lying].position.y == doctest::Approx(0.25).epsilon(0.03));
    CHECK(sim[box].position.y == doctest::Approx(0.4).epsilon(0.03));
    CHECK(sim[on_top].position.y == doctest::Approx(1.2).epsilon(0.03));
    CHECK(sim[lying].asleep);
    CHECK(sim[on_top].asleep);
}

TEST_CASE("rounded: a heap of all shapes keeps out of the ground and is restored exactly") {
    TestSpace sim(rounded_setup());
    sim.add(test::ground, {0, -1});
    auto random = math::Random::from_seed(3);
    for (int i = 0; i < 60; ++i)
        sim.add(static_cast<std::uint16_t>(1 + i % 4), {random.uniform(-4, 4), 1 + 0.6 * i},
                {random.uniform(-3, 3), 0}, random.uniform(-3, 3));
    sim.step(100);
    const auto image = sim.save();
    sim.step(400);
    const std::uint64_t hash = sim.hash();
    for (const Body& body : sim.bodies)
        if (body.def != test::ground) CHECK(body.position.y > 0.2);
    sim.restore(image);
    sim.step(400);
    CHECK(sim.hash() == hash);
}
