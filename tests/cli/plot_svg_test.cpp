// SPDX-License-Identifier: MIT
#include <instep/cli/plot_svg.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <instep/cli/bots.h>
#include <instep/match/registry.h>

#include <doctest/doctest.h>
#include <tests/cli/walks.h>
#include <tests/cli/xml.h>
#include <tests/support/property.h>

using namespace instep;
using namespace instep::cli;
using math::Vec2;
using test::path_through;
using test::random_walk;
using test::small_world;
using test::XmlCheck;

namespace {

Plot plot_of(std::uint64_t last_tick) {
    return {.facts = small_world, .title = "pebble / pond", .caption = "seed 1", .last_tick = last_tick};
}

std::string draw(const Plot& plot, const std::vector<Path>& paths, const contract::DrawList& drawing = {}) {
    const std::string svg = plot_svg(plot, paths, drawing);
    CHECK(XmlCheck::error_in(svg) == "");
    CHECK(svg.find("nan") == std::string::npos);
    CHECK(svg.find("inf") == std::string::npos);
    return svg;
}

std::size_t count_of(const std::string& text, const std::string& what) {
    std::size_t count = 0;
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += what.size()) ++count;
    return count;
}

}  // namespace

TEST_CASE("XML check: malformed documents are found") {
    CHECK(XmlCheck::error_in("<a b=\"1\"><c/>x &amp; y</a>\n") == "");
    for (const char* bad : {"", "<a>", "</a>", "<a></b>", "<a><b></a></b>", "<a/><a/>", "<a b=1/>",
                            "<a b=\"1\" b=\"2\"/>", "<a b=\"<\"/>", "<a>&</a>", "<a>&nbsp;</a>",
                            "<a>\xFF</a>", "<a>\x01</a>", "x<a/>", "<a b=\"1/>", "<a>1 < 2</a>"}) {
        INFO(bad);
        CHECK(XmlCheck::error_in(bad) != "");
    }
}

TEST_CASE("plot: every world gives well-formed XML below the size limit") {
    for (const match::WorldTable& world : match::worlds()) {
        for (const std::uint32_t bot_count : {0u, 1u, 4u}) {
            INFO(world.name);
            match::Match match(*match::load_builtin_setup(world.name, ""), 1);
            Bots bots(match, bot_count, 1);
            PathRecorder recorder(match);
            recorder.add_tick();
            for (int i = 0; i < 300; ++i) {
                match.step(bots.next());
                recorder.add_tick();
            }
            contract::DrawList drawing;
            match.view(drawing);
            const Plot plot{.facts = match.facts(),
                            .title = "t",
                            .caption = "c",
                            .scores = score_board(match),
                            .first_tick = recorder.first_tick(),
                            .last_tick = match.tick()};
            CHECK(draw(plot, recorder.paths(), drawing).size() < 500'000);
        }
    }
}

TEST_CASE("plot: empty matches and extreme coordinates can be plotted") {
    draw(plot_of(1), {});
    contract::Facts unbounded = small_world;
    unbounded.view_high = unbounded.view_low;
    draw({.facts = unbounded}, {});
    draw({.facts = unbounded}, {path_through({{3, 3}})});
    draw({.facts = unbounded}, {path_through({{1e90, -1e90}, {1e90, 1e90}})});
    draw({.facts = unbounded}, {path_through({{1e300, -1e300}, {1e300, 1e300}})});
    draw({.facts = unbounded}, {path_through({{1e308, -1e308}, {-1e308, 1e308}})});
    draw({.facts = unbounded}, {path_through({{1e-300, 0}, {0, 1e-300}})});
}

TEST_CASE("plot: long matches stay below the size limit") {
    auto random = math::Random::from_seed(1);
    std::vector<Path> paths;
    for (std::uint32_t i = 0; i < 60; ++i) paths.push_back(random_walk(random, 5000, i % 5, 4));
    const std::string svg = draw(plot_of(5000), paths);
    CHECK(svg.size() < 500'000);
    CHECK(svg.size() > 100'000);                              // most of the paths are drawn
    CHECK(svg.find("paths from tick") != std::string::npos);  // and the caption names the first tick
    const std::string small = draw(plot_of(100), {random_walk(random, 100, 0)});
    CHECK(small.find("paths from tick") == std::string::npos);
}

TEST_CASE("plot: the same match gives the same bytes") {
    auto random = math::Random::from_seed(1);
    const std::vector<Path> paths{random_walk(random, 500, 1)};
    CHECK(draw(plot_of(500), paths) == draw(plot_of(500), paths));
}

TEST_CASE("plot: a straight path is one line, and a jump breaks it") {
    std::vector<Path> paths{path_through({{10, 10}, {20, 10}, {30, 10}, {40, 10}}, 0)};
    Plot plot = plot_of(3);
    plot.last_tick = 3;
    const std::string line = draw(plot, paths);
    paths[0].points[2].jumped = true;
    const std::string broken = draw(plot, paths);
    CHECK(count_of(line, "<path stroke=\"#60a5fa\"") == 3);  // one for each slice of time
    CHECK(count_of(broken, "<path stroke=\"#60a5fa\"") == 2);
}

TEST_CASE("plot: newer parts of paths are brighter") {
    const std::string svg = draw(plot_of(3), {path_through({{10, 10}, {20, 10}, {30, 10}, {40, 10}}, 0)});
    double last = 0;
    int slices = 0;
    for (std::size_t at = 0; (at = svg.find("<g stroke-opacity=\"", at)) != std::string::npos; ++at) {
        const double opacity = std::strtod(svg.c_str() + at + 19, nullptr);
        CHECK(opacity >= last);
        last = opacity;
        ++slices;
    }
    CHECK(slices > 10);
    CHECK(last > 0.8);
}

TEST_CASE("plot: every shape is drawn, with the world's direction of y") {
    contract::DrawList drawing;
    const Vec2 corners[] = {{1, 1}, {2, 1}, {2, 2}};
    drawing.disc({50, 10}, 2, contract::palette::gold);
    drawing.circle({50, 10}, 3, {1, 2, 3, 128});
    drawing.polygon(corners, contract::palette::ink);
    drawing.polyline(corners, 0.5, contract::palette::danger);
    drawing.label({50, 25}, 3, "<Zoë & \"Bo\">\n\xFF", contract::palette::ink);
    Plot plot = plot_of(1);
    const std::string down = draw(plot, {}, drawing);
    CHECK(count_of(down, "<circle ") == 2);
    CHECK(count_of(down, "<polygon ") == 1);
    CHECK(count_of(down, "<polyline ") == 1);
    CHECK(down.find("&lt;Zoë &amp; &quot;Bo&quot;&gt;\uFFFD\uFFFD</text>") != std::string::npos);
    CHECK(down.find("stroke-opacity=\"0.5\"") != std::string::npos);

    const auto y_of_disc = [](const std::string& svg) {
        return std::strtod(svg.c_str() + svg.find(" cy=\"", svg.find("<circle ")) + 5, nullptr);
    };
    plot.facts.y_up = true;
    const std::string up = draw(plot, {}, drawing);
    CHECK(y_of_disc(down) <
          y_of_disc(up));  // at a fifth of the height: near the top if y points down, else near the bottom
}

TEST_CASE("plot: shapes with coordinates that are not finite are left out") {
    contract::DrawList drawing;
    const double nowhere = std::numeric_limits<double>::quiet_NaN();
    drawing.disc({nowhere, 10}, 2, contract::palette::gold);
    drawing.disc({10, 10}, std::numeric_limits<double>::infinity(), contract::palette::gold);
    drawing.polyline({}, 1, contract::palette::gold);
    const std::string svg = draw(plot_of(1), {}, drawing);
    CHECK(count_of(svg, "<circle ") == 0);
    CHECK(count_of(svg, "<polyline ") == 0);
}

TEST_CASE("plot: --size sets width and height") {
    Plot plot = plot_of(1);
    plot.size = Size{300, 200};
    CHECK(draw(plot, {}).find("width=\"300\" height=\"200\"") != std::string::npos);
    plot.size = Size{100, 100};
    draw(plot, {});
}

TEST_CASE("plot: a few points far away do no harm") {
    auto random = math::Random::from_seed(1);
    Path walk = random_walk(random, 5000, 0, 10);
    for (std::size_t i = 0; i < 50; ++i) walk.points[i * 7].at = {1e12, -1e12};
    draw(plot_of(5000), {walk});
}
