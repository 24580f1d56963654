// SPDX-License-Identifier: MIT
// Queries by the index answer what a walk over all bodies answers.
#include <instep/rigid/queries.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include <tests/rigid/support.h>
#include <tests/support/allocations.h>
#include <tests/support/property.h>

using namespace instep;
using namespace instep::rigid;
using test::TestSpace;

namespace {

constexpr std::uint16_t capsule = 3;
constexpr std::uint16_t sensor = 4;

Setup query_setup() {
    Setup setup = test::ground_setup();
    setup.body_defs[test::ball].shapes[0].filter.category = 2;
    setup.body_defs.push_back(test::body_def(BodyType::dynamic, make_capsule({-0.6, 0}, {0.6, 0}, 0.2)));
    setup.body_defs.push_back(test::body_def(BodyType::kinematic, make_circle(2)));
    setup.body_defs[sensor].shapes[0].sensor = true;
    return setup;
}

void fill(TestSpace& sim, math::Random& random) {
    sim.add(test::ground, {0, -12});
    const auto count = static_cast<int>(random.below(80));
    for (int i = 0; i < count; ++i)
        sim.add(static_cast<std::uint16_t>(1 + random.below(4)),
                {random.uniform(-20, 20), random.uniform(-10, 10)}, {}, random.uniform(-3, 3));
    // Far away: one body must not slow down or spoil the rest.
    sim.add(test::box, {random.uniform(-5000, 5000), random.uniform(-5000, 5000)});
}

struct Placed {
    Handle body;
    std::uint8_t shape = 0;
    Hull hull;
};

// Every shape that a filter lets find.
std::vector<Placed> all_shapes(const TestSpace& sim, const QueryFilter& filter) {
    std::vector<Placed> all;
    sim.space.bodies.for_each([&](const BodyRef& body) {
        for (std::size_t i = 0; i < body.def.shapes.size(); ++i) {
            const Shape& shape = body.def.shapes[i];
            if ((shape.filter.category & filter.mask) == 0 || (shape.sensor && !filter.sensors) ||
                body.handle == filter.ignored)
                continue;
            Placed placed{body.handle, static_cast<std::uint8_t>(i), {}};
            transform(shape.hull, body.pose(), placed.hull);
            all.push_back(placed);
        }
    });
    return all;
}

Vec2 random_point(math::Random& random) { return {random.uniform(-25, 25), random.uniform(-14, 12)}; }

QueryFilter random_filter(math::Random& random, const TestSpace& sim) {
    QueryFilter filter;
    if (random.below(3) == 0) filter.mask = 1 + random.below(2);
    if (random.below(3) == 0) filter.ignored = sim.bodies.handle_at(random.below(sim.bodies.size()));
    filter.sensors = random.below(4) == 0;
    return filter;
}

}  // namespace

TEST_CASE("queries: rays, overlaps, closest points and shape casts agree with a walk over all bodies") {
    int hits = 0;
    test::for_each_seed(150, [&](math::Random& random) {
        TestSpace sim(query_setup());
        fill(sim, random);
        QueryIndex index(sim.setup);
        const Queries queries(sim.space, index);
        for (int question = 0; question < 20; ++question) {
            const QueryFilter filter = random_filter(random, sim);
            const std::vector<Placed> all = all_shapes(sim, filter);
            const Vec2 start = random_point(random);
            const Vec2 end = random_point(random);

            std::vector<std::pair<double, std::uint32_t>> expected;
            for (const Placed& placed : all) {
                const RayHit hit = cast_ray(placed.hull, start, end);
                if (hit.normal != Vec2{}) expected.emplace_back(hit.fraction, placed.body.id);
            }
            std::ranges::sort(expected);
            const auto found = queries.cast_ray_all(start, end, filter);
            REQUIRE(found.size() == expected.size());
            for (std::size_t i = 0; i < found.size(); ++i) {
                REQUIRE(found[i].fraction == expected[i].first);
                REQUIRE(found[i].body.id == expected[i].second);
            }
            const RayHit first = queries.cast_ray(start, end, filter);
            REQUIRE(bool(first.body) == !expected.empty());
            if (first.body) {
                ++hits;
                REQUIRE(first.fraction == expected[0].first);
                REQUIRE(first.body.id == expected[0].second);
            }

            Hull hull;
            transform(*make_box(0.7, 0.3, 0.1), {start, math::Rotation::from_angle(random.uniform(-3, 3))},
                      hull);
            std::set<std::uint32_t> overlapping;
            for (const Placed& placed : all)
                if (hull_distance(placed.hull, hull).distance <= 0) overlapping.insert(placed.body.id);
            std::set<std::uint32_t> found_overlapping;
            queries.for_each_overlapping(hull, filter, [&](Handle body, std::uint8_t, const Hull&) {
                found_overlapping.insert(body.id);
            });
            REQUIRE(found_overlapping == overlapping);

            Hull point;
            point.count = 1;
            point.points[0] = start;
            double nearest = 3;
            Handle covering;
            for (const Placed& placed : all) {
                const double distance = hull_distance(placed.hull, point).distance;
                nearest = std::min(nearest, std::max(distance, 0.0));
                if (distance <= 0 && (!covering || placed.body.id < covering.id)) covering = placed.body;
            }
            const ClosestHit closest = queries.closest(start, 3, filter);
            REQUIRE(bool(closest.body) == (nearest < 3));
            if (closest.body) {
                REQUIRE(closest.distance == nearest);
                REQUIRE(math::distance(closest.point, start) == doctest::Approx(nearest));
            }
            REQUIRE(queries.body_at(start, filter) == covering);

            // Up to its fraction a cast shape touches nothing, and there it touches.
            const RayHit cast = queries.cast_shape(hull, end - start, filter);
            const auto least_distance_at = [&](double fraction) {
                const Hull moved = translated(hull, fraction * (end - start));
                double least = 1e9;
                for (const Placed& placed : all)
                    least = std::min(least, hull_distance(placed.hull, moved).distance);
                return least;
            };
            REQUIRE((cast.fraction == 0) == (least_distance_at(0) <= 0.0));
            for (int i = 1; i < 20; ++i)
                REQUIRE((cast.fraction == 0 || least_distance_at(cast.fraction * i / 20.0) > 0));
            if (cast.body && cast.fraction > 0) REQUIRE(least_distance_at(cast.fraction) < 0.5 * linear_slop);
        }
    });
    CHECK(hits > 500);
}

TEST_CASE("queries: new queries see what has changed, and asking allocates nothing") {
    TestSpace sim(query_setup());
    const Handle box = sim.add(test::box, {5, 0});
    QueryIndex index(sim.setup);
    const test::AllocationCount allocations;
    CHECK(Queries(sim.space, index).cast_ray({0, 0}, {10, 0}).body == box);
    sim[box].position = {5, 5};
    CHECK(!Queries(sim.space, index).cast_ray({0, 0}, {10, 0}).body);
    CHECK(Queries(sim.space, index).body_at({5, 5.2}) == box);
    CHECK(allocations.so_far() == 0);
}

TEST_CASE("queries: two views of one index don't disturb each other") {
    TestSpace first(query_setup());
    TestSpace second(query_setup());
    const Handle box = first.add(test::box, {5, 0});
    QueryIndex index(first.setup);
    const Queries of_first(first.space, index);
    const Queries of_second(second.space, index);
    CHECK(of_first.body_at({5, 0}) == box);
    CHECK(!of_second.body_at({5, 0}));
    CHECK(of_first.body_at({5, 0}) == box);
}
