// SPDX-License-Identifier: MIT
#include <creature/skin.h>

#include <instep/math/units.h>
#include <instep/motion/angle_limit.h>

#include <tests/support/property.h>

#include <doctest/doctest.h>

#include <cmath>

using namespace instep;
using namespace instep::worlds::creature;

namespace {

std::vector<Vec2> random_points(math::Random& random, std::size_t count) {
    std::vector<Vec2> points(count);
    for (Vec2& point : points) point = {random.uniform(-100, 100), random.uniform(-100, 100)};
    return points;
}

// Twice the area, positive if the corners go counterclockwise.
double signed_area(const std::vector<Vec2>& corners) {
    double sum = 0;
    for (std::size_t i = 0; i < corners.size(); ++i)
        sum += cross(corners[i], corners[(i + 1) % corners.size()]);
    return sum;
}

}  // namespace

TEST_CASE("creature skin: a smooth curve goes through all of its points") {
    test::for_each_seed(100, [](math::Random& random) {
        const std::vector<Vec2> points = random_points(random, 2 + random.below(20));
        const std::size_t steps = 1 + random.below(6);
        for (const bool closed : {false, true}) {
            const std::vector<Vec2> curve = smooth(points, closed, static_cast<int>(steps));
            CHECK(curve.size() == (closed ? points.size() * steps : (points.size() - 1) * steps + 1));
            for (std::size_t i = 0; i < points.size(); ++i)
                CHECK(length(curve[i * steps] - points[i]) < 1e-9);
        }
    });
}

TEST_CASE("creature skin: points on a line are joined by the line") {
    const Vec2 points[] = {{0, 0}, {10, 5}, {20, 10}, {30, 15}};
    for (const Vec2 point : smooth(points, false, 5)) CHECK(std::abs(cross(point, {2, 1})) < 1e-9);
}

TEST_CASE(
    "creature skin: a curve has no corner: at each point it runs along the line between the neighbours") {
    test::for_each_seed(50, [](math::Random& random) {
        const std::vector<Vec2> points = random_points(random, 8);
        constexpr int steps = 10'000;
        const std::vector<Vec2> curve = smooth(points, true, steps);
        for (std::size_t i = 0; i < points.size(); ++i) {
            const std::size_t at = i * steps;
            const Vec2 along = motion::direction_of(points[(i + 1) % 8] - points[(i + 7) % 8]);
            const Vec2 before =
                motion::direction_of(curve[at] - curve[(at + curve.size() - 1) % curve.size()]);
            const Vec2 after = motion::direction_of(curve[at + 1] - curve[at]);
            CHECK(length(before - along) < 0.05);
            CHECK(length(after - along) < 0.05);
        }
    });
}

TEST_CASE("creature skin: a skin touches every circle on both flanks") {
    test::for_each_seed(100, [](math::Random& random) {
        std::vector<SkinCircle> spine;
        Vec2 at;
        for (std::size_t i = 0; i < 3 + random.below(20); ++i) {
            spine.push_back({at, random.uniform(3, 12)});
            at += motion::direction_at(random.uniform(-0.5, 0.5)) * 30;
        }
        const std::vector<Vec2> skin = skin_over(spine, 3);
        for (const SkinCircle& circle : spine) {
            int touching = 0;
            for (const Vec2 corner : skin)
                if (std::abs(distance(corner, circle.center) - circle.radius) < 1e-9) ++touching;
            CHECK(touching >= 2);
        }
        CHECK(signed_area(skin) > 0);
    });
}

TEST_CASE("creature skin: a skin around a straight row of equal circles is as wide as they are") {
    std::vector<SkinCircle> spine;
    for (int i = 0; i < 6; ++i) spine.push_back({{-20.0 * i, 0}, 10});
    for (const Vec2 corner : skin_over(spine, 4)) {
        CHECK(std::abs(corner.y) <= 10.5);
        CHECK(corner.x <= 10.5);
        CHECK(corner.x >= -110.5);
    }
}

TEST_CASE("creature skin: a ring is skinned on its outside") {
    std::vector<SkinCircle> ring;
    for (int i = 0; i < 8; ++i) ring.push_back({motion::direction_at(math::pi * i / 4) * 40, 9});
    for (const Vec2 corner : skin_round(ring, 4)) CHECK(length(corner) == doctest::Approx(49).epsilon(0.02));
}

TEST_CASE("creature skin: nothing at all has no skin, and a single circle has one") {
    CHECK(skin_over({}, 4).empty());
    const SkinCircle one[] = {{{5, 5}, 10}};
    for (const Vec2 corner : skin_over(one, 4)) CHECK(distance(corner, {5, 5}) < 13);
}
