// SPDX-License-Identifier: MIT
#include <instep/rigid/query.h>

#include <cmath>

#include <tests/rigid/support.h>
#include <tests/support/property.h>

using namespace instep;
using namespace instep::rigid;
using test::TestSpace;

TEST_CASE("ray: hits the nearest shape where it enters it") {
    TestSpace sim(test::ground_setup());
    const Handle far = sim.add(test::box, {6, 0});
    const Handle near = sim.add(test::ball, {3, 0});
    const RayHit hit = cast_ray(sim.space, {0, 0}, {10, 0});
    CHECK(hit.body == near);
    CHECK(hit.point.x == doctest::Approx(2.5));
    CHECK(hit.normal.x == doctest::Approx(-1));
    CHECK(hit.fraction == doctest::Approx(0.25));
    const RayHit back = cast_ray(sim.space, {10, 0}, {0, 0});
    CHECK(back.body == far);
    CHECK(back.point.x == doctest::Approx(6.5));
    CHECK(!cast_ray(sim.space, {0, 2}, {10, 2}).body);
    CHECK(!cast_ray(sim.space, {0, 0}, {2, 0}).body);
    CHECK(cast_ray(sim.space, {3, 0}, {10, 0}).body == far);
}

TEST_CASE("ray: passes through shapes outside its mask") {
    Setup setup = test::ground_setup();
    setup.body_defs[test::ball].shapes[0].filter.category = 2;
    TestSpace sim(setup);
    sim.add(test::ball, {3, 0});
    const Handle box = sim.add(test::box, {6, 0});
    CHECK(cast_ray(sim.space, {0, 0}, {10, 0}, 1).body == box);
}

TEST_CASE("ray: hits a segment from both sides") {
    const Hull segment = *make_segment({0, -1}, {0, 1});
    CHECK(cast_ray(segment, {-1, 0}, {1, 0}).normal.x == doctest::Approx(-1));
    CHECK(cast_ray(segment, {1, 0}, {-1, 0}).normal.x == doctest::Approx(1));
    CHECK(cast_ray(segment, {-1, 2}, {1, 2}).normal == Vec2{});
}

TEST_CASE("ray: the hit point is on the surface and nothing before it is inside") {
    test::for_each_seed(500, [](math::Random& random) {
        TestSpace sim(test::ground_setup());
        const auto def = static_cast<std::uint16_t>(1 + random.below(2));
        sim.add(def, {0, 0}, {}, random.uniform(-3, 3));
        const double x = random.uniform(-2, 2);
        const double aim = random.uniform(-0.5, 0.5);
        const Vec2 start{x, 3};
        const RayHit hit = cast_ray(sim.space, start, {aim, -3});
        if (!hit.body) return;
        const auto distance_at = [&](Vec2 position) {
            Hull placed;
            rigid::transform(sim.setup.body_defs[def].shapes[0].hull, pose_of(sim.bodies[0]), placed);
            Hull point;
            point.count = 1;
            point.points[0] = position;
            return hull_distance(placed, point).distance;
        };
        CHECK(std::fabs(distance_at(hit.point)) < 1e-9);
        CHECK(distance_at(start + 0.9 * (hit.point - start)) > 0);
        CHECK(math::dot(hit.normal, Vec2{aim, -3} - start) < 0);
    });
}

TEST_CASE("overlap: finds every shape that the hull touches") {
    TestSpace sim(test::ground_setup());
    const Handle near = sim.add(test::box, {1, 0});
    sim.add(test::box, {5, 0});
    const Handle ball = sim.add(test::ball, {-1, 0});
    std::vector<Handle> found;
    for_each_overlapping(sim.space, *make_circle(0.6), 0xFFFFFFFF,
                         [&](Handle body, std::uint8_t) { found.push_back(body); });
    CHECK(found == std::vector<Handle>{near, ball});
}
