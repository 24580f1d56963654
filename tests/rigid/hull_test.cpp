// SPDX-License-Identifier: MIT
#include <instep/rigid/body_def.h>

#include <cmath>
#include <limits>

#include <tests/rigid/support.h>
#include <tests/support/property.h>

using namespace instep;
using namespace instep::rigid;

namespace {

std::string refusal(std::vector<Vec2> points) {
    const auto made = make_polygon(points);
    return made ? "" : made.error().text();
}

bool says(const std::string& text, const char* words) { return text.find(words) != std::string::npos; }

}  // namespace

TEST_CASE("hull: degenerate polygons are refused with a reason") {
    CHECK(refusal({{0, 0}, {1, 0}, {0, 1}}).empty());
    CHECK(says(refusal({{0, 0}, {1, 0}}), "3 to 8 points, got 2"));
    CHECK(says(refusal(std::vector<Vec2>(9)), "3 to 8 points, got 9"));
    CHECK(says(refusal({{0, 0}, {0, 1}, {1, 0}}), "clockwise"));
    CHECK(says(refusal({{0, 0}, {1, 0}, {2, 0}}), "straight line"));
    CHECK(says(refusal({{0, 0}, {1, 0}, {2, 0}, {2, 2}}), "straight line"));
    CHECK(says(refusal({{0, 0}, {2, 0}, {1, 0.5}, {2, 2}}), "convex"));
    CHECK(says(refusal({{0, 0}, {1, 0}, {1, 0.001}, {0, 1}}), "closer than 0.005"));
    CHECK(says(refusal({{0, 0}, {1, 0}, {std::nan(""), 1}}), "point 2"));
    CHECK(says(refusal({{0, 0}, {1e9, 0}, {0, 1}}), "point 1"));
    // A star of five points turns left at every corner, and is still not convex.
    std::vector<Vec2> star;
    for (int i = 0; i < 5; ++i)
        star.push_back({math::cos(4 * math::pi / 5 * i), math::sin(4 * math::pi / 5 * i)});
    CHECK(says(refusal(star), "convex"));
}

TEST_CASE("hull: circles and segments of no size are refused") {
    CHECK(make_circle(1).has_value());
    CHECK(!make_circle(0).has_value());
    CHECK(!make_circle(-1).has_value());
    CHECK(!make_circle(std::numeric_limits<double>::infinity()).has_value());
    CHECK(make_segment({0, 0}, {1, 0}).has_value());
    CHECK(!make_segment({1, 1}, {1, 1}).has_value());
    CHECK(!make_box(1, 0).has_value());
}

TEST_CASE("hull: normals point outwards and have length one") {
    const Hull hull = *make_box(2, 1);
    for (std::uint32_t i = 0; i < hull.count; ++i) {
        CHECK(math::length(hull.normals[i]) == doctest::Approx(1));
        CHECK(math::dot(hull.normals[i], hull.points[i]) > 0);
    }
}

TEST_CASE("body definition: a box and a disc have their textbook mass and moment of inertia") {
    const BodyDef box = test::body_def(BodyType::dynamic, make_box(2, 1), {3, 0, 0});
    CHECK(box.mass == doctest::Approx(24));
    CHECK(box.inertia == doctest::Approx(24.0 / 12 * (16 + 4)));
    const BodyDef disc = test::body_def(BodyType::dynamic, make_circle(2), {1, 0, 0});
    CHECK(disc.mass == doctest::Approx(4 * math::pi));
    CHECK(disc.inertia == doctest::Approx(0.5 * disc.mass * 4));
    CHECK(disc.is_circle);
}

TEST_CASE("body definition: shapes are relative to the centre of mass, the origin is kept") {
    const std::array<Vec2, 3> corner{Vec2{0, 0}, Vec2{3, 0}, Vec2{0, 3}};
    const BodyDef def = test::body_def(BodyType::dynamic, make_polygon(corner));
    CHECK(def.origin.x == doctest::Approx(-1));
    CHECK(def.origin.y == doctest::Approx(-1));
    CHECK(def.shapes[0].hull.points[0].x == doctest::Approx(-1));
    CHECK(def.min_extent > 0);
}

TEST_CASE("body definition: mass and moment of inertia don't depend on how a box is divided") {
    const std::array<Vec2, 4> left{Vec2{-2, -1}, Vec2{0, -1}, Vec2{0, 1}, Vec2{-2, 1}};
    const std::array<Vec2, 4> right{Vec2{0, -1}, Vec2{2, -1}, Vec2{2, 1}, Vec2{0, 1}};
    const auto halves = make_body_def(
        BodyType::dynamic, {Shape{*make_polygon(left), {}, {}}, Shape{*make_polygon(right), {}, {}}});
    REQUIRE(halves.has_value());
    const BodyDef whole = test::body_def(BodyType::dynamic, make_box(2, 1));
    CHECK(halves->mass == doctest::Approx(whole.mass));
    CHECK(halves->inertia == doctest::Approx(whole.inertia));
}

TEST_CASE("body definition: no mass or impossible materials are refused") {
    const Shape line{*make_segment({0, 0}, {1, 0}), {}, {}};
    CHECK(make_body_def(BodyType::fixed, {line}).has_value());
    CHECK(make_body_def(BodyType::dynamic, {line}).error().text().find("mass") != std::string::npos);
    CHECK(!make_body_def(BodyType::fixed, {}).has_value());
    Shape shape{*make_circle(1), {}, {}};
    shape.material.restitution = 1.5;
    CHECK(make_body_def(BodyType::dynamic, {shape}).error().text().find("energy") != std::string::npos);
    shape.material = {-1, 0, 0};
    CHECK(!make_body_def(BodyType::dynamic, {shape}).has_value());
}

TEST_CASE("setup: a config value out of range is refused by name") {
    Setup setup = test::ground_setup();
    CHECK(check(setup).has_value());
    setup.config.max_rotation = 10;
    CHECK(check(setup).error().text().find("config.max_rotation") == 0);
    setup = test::ground_setup();
    setup.config.gravity.y = std::nan("");
    CHECK(check(setup).error().text().find("config.gravity.y") == 0);
    setup = test::ground_setup();
    setup.body_defs.clear();
    CHECK(!check(setup).has_value());
}
