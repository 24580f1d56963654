// SPDX-License-Identifier: MIT
#include <instep/cli/canvas.h>

#include <algorithm>
#include <array>
#include <limits>

#include <doctest/doctest.h>
#include <tests/support/property.h>

using namespace instep;
using cli::Canvas;
using contract::Color;
using math::Vec2;

namespace {

constexpr Color red{255, 0, 0, 255};
constexpr Color green{0, 255, 0, 255};

}  // namespace

TEST_CASE("canvas: each of a cell's eight dots has its own bit") {
    const std::string expected[4][2] = {{"⠁", "⠈"}, {"⠂", "⠐"}, {"⠄", "⠠"}, {"⡀", "⢀"}};
    for (int y = 0; y < 4; ++y)
        for (int x = 0; x < 2; ++x) {
            Canvas canvas(1, 1);
            canvas.disc({x + 0.5, y + 0.5}, 0.1, red);
            CHECK(canvas.plain() == expected[y][x] + "\n");
        }
}

TEST_CASE("canvas: a line reaches both ends") {
    Canvas canvas(4, 2);
    canvas.line({0, 0}, {7, 7}, red);
    CHECK(canvas.plain() == "⠑⢄\n  ⠑⢄\n");
    Canvas flat(3, 1);
    flat.line({0, 0}, {5.9, 0}, red);
    CHECK(flat.plain() == "⠉⠉⠉\n");
}

TEST_CASE("canvas: a disc is filled and a circle is not") {
    Canvas disc(8, 4);
    disc.disc({8, 8}, 7, red);
    Canvas circle(8, 4);
    circle.circle({8, 8}, 7, red);
    CHECK(disc.plain().find("⣿⣿⣿") != std::string::npos);
    CHECK(circle.plain().find("⣿⣿⣿") == std::string::npos);
    CHECK(circle.plain().find("  ") != std::string::npos);
}

TEST_CASE("canvas: a polygon is filled") {
    Canvas canvas(4, 2);
    const std::array corners{Vec2{0, 0}, Vec2{7.9, 0}, Vec2{7.9, 7.9}, Vec2{0, 7.9}};
    canvas.polygon(corners, red);
    CHECK(canvas.plain() == "⣿⣿⣿⣿\n⣿⣿⣿⣿\n");
}

TEST_CASE("canvas: letters cover dots, and the last colour counts") {
    Canvas canvas(3, 1);
    canvas.line({0, 0}, {5.9, 0}, red);
    canvas.text(1, 0, "A", green);
    CHECK(canvas.plain() == "⠉A⠉\n");
    const std::string colored = canvas.with_colors();
    CHECK(colored.find("\x1b[38;2;255;0;0m⠉\x1b[38;2;0;255;0mA\x1b[38;2;255;0;0m⠉") != std::string::npos);
}

TEST_CASE("canvas: a character that is not one column wide is replaced") {
    Canvas canvas(8, 1);
    canvas.text(0, 0, "é漢\u0301\x1b\xFF✓→", red);
    CHECK(canvas.plain() == "é?????→\n");
}

TEST_CASE("canvas: shapes and text outside are clipped, at any coordinates") {
    test::for_each_seed(300, [](math::Random& random) {
        const int columns = static_cast<int>(random.below(12));
        const int rows = static_cast<int>(random.below(6));
        Canvas canvas(columns, rows);
        const auto place = [&random] {
            constexpr double wild[] = {1e308, -1e308, 1e9, std::numeric_limits<double>::infinity(),
                                       std::numeric_limits<double>::quiet_NaN()};
            const auto one = [&] {
                return random.below(6) == 0 ? wild[random.below(5)] : random.uniform(-60, 60);
            };
            const double x = one();
            return Vec2{x, one()};
        };
        const std::array corners{place(), place(), place()};
        canvas.line(place(), place(), red);
        canvas.disc(place(), place().x, red);
        canvas.circle(place(), place().x, red);
        canvas.polygon(corners, red);
        canvas.polygon({}, red);
        canvas.text(static_cast<int>(random.below(40)) - 20, static_cast<int>(random.below(40)) - 20, "words",
                    red);
        const std::string plain = canvas.plain();
        CHECK(std::count(plain.begin(), plain.end(), '\n') == rows);
    });
}

TEST_CASE("canvas: the clip rectangle limits shapes") {
    Canvas canvas(4, 2);
    canvas.set_clip({2, 0, 4, 4});
    canvas.disc({4, 4}, 20, red);
    CHECK(canvas.plain() == " ⣿\n\n");
}
