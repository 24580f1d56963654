// SPDX-License-Identifier: MIT
#include <instep/cli/plot_view.h>

#include <vector>

#include <doctest/doctest.h>
#include <tests/cli/walks.h>

using namespace instep;
using namespace instep::cli;
using math::Vec2;
using test::path_through;
using test::random_walk;
using test::small_world;

namespace {

bool holds(const Rect& rect, Vec2 point) {
    return point.x >= rect.low.x && point.x <= rect.high.x && point.y >= rect.low.y && point.y <= rect.high.y;
}

}  // namespace

TEST_CASE("plot view: contains the level's view and most of the paths") {
    auto random = math::Random::from_seed(1);
    const Path walk = random_walk(random, 5000, 0, 10);
    const Rect plain = plot_view(small_world, std::vector{walk}, {});
    CHECK(holds(plain, {0, 0}));
    CHECK(holds(plain, {100, 50}));
    CHECK(plain.high.x < 120);

    Path far = walk;
    for (PathPoint& point : far.points) point.at = point.at * 3;
    CHECK(holds(plot_view(small_world, std::vector{far}, {}), {280, 140}));
}

TEST_CASE("plot view: ignores a few points far away") {
    auto random = math::Random::from_seed(1);
    Path walk = random_walk(random, 5000, 0, 10);
    for (std::size_t i = 0; i < 50; ++i) walk.points[i * 7].at = {1e12, -1e12};
    const Rect view = plot_view(small_world, std::vector{walk}, {});
    CHECK(view.high.x < 120);
    CHECK(view.low.y > -20);
}

TEST_CASE("plot view: zooms in on a small visited part of a large map") {
    contract::Facts large = small_world;
    large.view_high = {10'000, 10'000};
    const Path walk = path_through({{5000, 5000}, {5200, 5100}});
    contract::DrawList drawing;
    drawing.disc({5300, 5100}, 50, contract::palette::ink);
    drawing.disc({9000, 9000}, 50, contract::palette::ink);
    const Rect view = plot_view(large, std::vector{walk}, drawing);
    CHECK(holds(view, {5350, 5100}));
    CHECK(!holds(view, {9000, 9000}));
    CHECK(view.high.x - view.low.x < 1000);
}
