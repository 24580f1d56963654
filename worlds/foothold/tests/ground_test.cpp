// SPDX-License-Identifier: MIT
// The index must answer as a walk through all segments would, on whatever map.
#include <foothold/ground.h>
#include <foothold/physics_web.h>

#include <doctest/doctest.h>

#include <foothold/tests/maps.h>
#include <tests/support/property.h>

#include <cmath>
#include <limits>

using namespace instep;
using worlds::foothold::Foothold;
using worlds::foothold::FootholdIndex;
using worlds::foothold::FootholdSet;

namespace {

FootholdIndex below_by_walking(const FootholdSet& ground, double x, double y) {
    FootholdIndex best = 0;
    double best_y = ground.borders().high;
    for (const Foothold& f : ground.all()) {
        if (f.is_wall || std::trunc(x) < f.left || std::trunc(x) > f.right) continue;
        const double height = f.y1 == f.y2 ? f.y1 : f.slope * (x - f.x1) + f.y1;
        if (best_y >= height && height >= y) best_y = height, best = f.self;
    }
    return best;
}

}  // namespace

TEST_CASE("foothold ground: the index finds what a walk through all segments finds") {
    test::for_each_seed(300, [](math::Random& random) {
        const FootholdSet ground(test::wild_map(random));
        for (int i = 0; i < 200; ++i) {
            const double x =
                random.below(3) == 0 ? test::between(random, -900, 900) : random.uniform(-900, 900);
            const double y =
                random.below(3) == 0 ? test::between(random, -400, 500) : random.uniform(-400, 500);
            const worlds::foothold::FootholdIndex lower = below_by_walking(ground, x, y);
            REQUIRE(ground.below(x, y) == lower);
            for (std::size_t likely = 0; likely < ground.index_count(); ++likely)
                REQUIRE(ground.below(x, y, static_cast<worlds::foothold::FootholdIndex>(likely)) == lower);

            worlds::foothold::web::Ground below, near;
            double nearest = 60;
            for (const Foothold& f : ground.all()) {
                if (!worlds::foothold::web::reaches(f, x)) continue;
                const double height = worlds::foothold::web::height_on(f, x);
                if (height >= y - 1 && (below.foothold == 0 || height < below.y)) below = {f.self, x, height};
                const double away = std::abs(height - y);
                if (away < nearest || (away == nearest && near.foothold == 0))
                    near = {f.self, x, height}, nearest = away;
            }
            REQUIRE(worlds::foothold::web::find_below(ground, x, y).foothold == below.foothold);
            REQUIRE(worlds::foothold::web::find_near(ground, x, y, 60).foothold == near.foothold);

            const math::Vec2 to{x + random.uniform(-90, 90), y + random.uniform(-5, 40)};
            worlds::foothold::web::Ground landing;
            double earliest = std::numeric_limits<double>::infinity();
            for (const Foothold& f : ground.all()) {
                if (to.y < y || f.is_wall) continue;
                const double mx = to.x - x, my = to.y - y, sx = f.x2 - f.x1, sy = f.y2 - f.y1;
                const double den = mx * sy - my * sx;
                if (std::abs(den) < 1e-6) continue;
                const double rx = f.x1 - x, ry = f.y1 - y;
                const double a = (rx * sy - ry * sx) / den, u = (rx * my - ry * mx) / den;
                if (a < -0.0001 || a > 1.0001 || u < -0.0001 || u > 1.0001 || a > earliest) continue;
                earliest = a;
                landing = {f.self, 0, y + my * a};
            }
            const auto found = worlds::foothold::web::find_landing(ground, {x, y}, to);
            REQUIRE(found.foothold == landing.foothold);
            if (found.foothold != 0) REQUIRE(found.y == landing.y);
        }
    });
}

TEST_CASE("foothold ground: an empty set answers every query with no ground") {
    const FootholdSet ground;
    CHECK(ground.size() == 0);
    CHECK(ground.below(0, 0) == 0);
    CHECK(ground.below(1e300, -1e300) == 0);
    CHECK(ground.below(std::numeric_limits<double>::quiet_NaN(), 0) == 0);
    CHECK(std::isnan(ground[0].ground_at(3)));
    CHECK(ground.find(7) == 0);
}

TEST_CASE("foothold ground: queries beyond the map have answers too") {
    math::Random random;
    const FootholdSet ground(test::tame_map(random));
    for (const double x : {-1e18, -5000.0, 5000.0, 1e18, std::numeric_limits<double>::infinity()})
        CHECK(ground.below(x, -1e6) == 0);
}

TEST_CASE(
    "foothold ground: side walls are 25 px inside the outermost ends, borders 300 above and 100 below") {
    const FootholdSet ground(std::vector<worlds::foothold::FootholdSegment>{
        {1, 0, 0, -600, 300, 600, 280, 0, 0, false}, {2, 0, 0, -100, 0, -20, -40, 0, 0, false}});
    CHECK(ground.side_walls().low == -575);
    CHECK(ground.side_walls().high == 575);
    CHECK(ground.borders().low == -340);
    CHECK(ground.borders().high == 400);
}

TEST_CASE("foothold ground: a link to a segment that the map does not have is not the same as no link") {
    const FootholdSet ground(
        std::vector<worlds::foothold::FootholdSegment>{{5, 0, 0, 0, 0, 100, 0, 0, 77, false}});
    const Foothold& only = ground[1];
    CHECK(only.prev == 0);
    CHECK(only.next != 0);
    CHECK(!ground[only.next].exists());
    CHECK(ground[only.next].id == 77);
    CHECK(std::isnan(ground[only.next].ground_at(0)));
}

TEST_CASE("foothold ground: walls at one x that are 500 px high together count as one wall") {
    const auto wall = [](std::int32_t id, std::int32_t top, std::int32_t bottom) {
        return worlds::foothold::FootholdSegment{id, 0, 0, 100, top, 100, bottom, 0, 0, false};
    };
    const std::vector<worlds::foothold::FootholdSegment> tall{wall(1, 0, 200), wall(2, -300, 0)};
    const std::vector<worlds::foothold::FootholdSegment> low{wall(1, 0, 200), wall(2, -299, 0)};
    for (const bool is_tall : {true, false}) {
        const FootholdSet ground(is_tall ? tall : low);
        CHECK(ground.wall_blocks(ground[1], 100, worlds::foothold::WallTest::tall_columns));
        CHECK(ground.wall_blocks(ground[1], -100, worlds::foothold::WallTest::tall_columns) == is_tall);
        CHECK(!ground.wall_blocks(ground[1], -100, worlds::foothold::WallTest::both_ways));
    }
}

TEST_CASE(
    "foothold ground: a map where everything lies over everything else costs memory in proportion to its "
    "size") {
    std::vector<worlds::foothold::FootholdSegment> segments;
    for (std::int32_t i = 1; i <= 20'000; ++i)
        segments.push_back({i, 0, 0, -100'000 + i, i % 500, 100'000 - i, i % 500, 0, 0, false});
    const FootholdSet ground(segments);
    CHECK(ground.spans_near(0, 0).size() == 20'000);
    CHECK(ground.below(0, 250) != 0);
}
