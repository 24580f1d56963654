// SPDX-License-Identifier: MIT
// Chains: bodies slide over their joints as over one plane, and nothing passes from front to back.
#include <instep/rigid/chain.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include <tests/rigid/support.h>
#include <tests/support/property.h>

using namespace instep;
using namespace instep::rigid;
using test::TestSpace;

namespace {

// A fixed body definition for every few segments, and a body of each.
void add_chain(Setup& setup, std::span<const Hull> segments, const Material& material) {
    constexpr std::size_t per_body = 4;
    for (std::size_t i = 0; i < segments.size(); i += per_body) {
        std::vector<Shape> shapes;
        for (std::size_t k = i; k < std::min(segments.size(), i + per_body); ++k)
            shapes.push_back({segments[k], material, {}});
        Body body;
        body.def = static_cast<std::uint16_t>(setup.body_defs.size());
        setup.body_defs.push_back(*make_body_def(BodyType::fixed, std::move(shapes)));
        body.position = -setup.body_defs.back().origin;
        setup.fixed_bodies.push_back(body);
    }
}

std::vector<Hull> as_plain_segments(std::vector<Hull> chain) {
    for (Hull& segment : chain) segment.is_chained = false;
    return chain;
}

// From x = 40 to x = -40 at y = 0, with joints at random.
std::vector<Hull> random_floor(math::Random& random) {
    std::vector<Vec2> points;
    for (double x = 40; x > -40; x -= random.uniform(0.05, 4)) points.push_back({x, 0});
    points.push_back({-45, 0});
    return *make_chain(points);
}

Hull random_slider(math::Random& random) {
    const double width = random.uniform(0.1, 1.5);
    const double height = random.uniform(0.1, 1);
    switch (random.below(4)) {
        case 0: return *make_capsule({-width, 0}, {width, 0}, height);
        case 1: return *make_box(width, height, 0.1);
        default: return *make_box(width, height);
    }
}

// Slides a body of each of several shapes and speeds over a floor without friction; returns how many lost
// speed, turned or jumped.
int bumps_on(math::Random& random, std::span<const Hull> floor, int slides) {
    Setup setup;
    setup.config.gravity = {0, -10};
    setup.config.sleep_ticks = 0;
    setup.max_contacts = 256;
    const Material ice{1, 0, 0};
    add_chain(setup, floor, ice);
    const std::size_t first_slider = setup.body_defs.size();
    constexpr int sliders = 4;
    for (int i = 0; i < sliders; ++i)
        setup.body_defs.push_back(test::body_def(BodyType::dynamic, random_slider(random), ice));
    setup.max_bodies = static_cast<std::uint32_t>(setup.fixed_bodies.size()) + 1;
    TestSpace sim(std::move(setup));
    int bumps = 0;
    for (int i = 0; i < slides; ++i) {
        const auto def = static_cast<std::uint16_t>(first_slider + random.below(sliders));
        const Hull& hull = sim.setup.body_defs[def].shapes[0].hull;
        const double height = -aabb_of(hull).low.y;
        const double speed = random.uniform(0.5, 60);
        const bool leftwards = random.below(2) == 1;
        const double x = random.uniform(0, 10) * (leftwards ? 1 : -1);
        const Handle body = sim.add(def, {x, height}, {leftwards ? -speed : speed, 0});
        double jump = 0;
        double turn = 0;
        double lag = 0;
        for (int tick = 0; tick < 30; ++tick) {
            const double before = sim[body].position.x;
            sim.step();
            const double moved = std::fabs(sim[body].position.x - before);
            lag = std::max(lag, std::fabs(moved - speed * TestSpace::dt));
            jump = std::max(jump, std::fabs(sim[body].position.y - height));
            turn = std::max(turn, std::fabs(sim[body].angle));
        }
        // The solver's eight iterations let nearly round capsules with many contact points turn a little.
        if (lag > 1e-9 || turn > 0.02 || jump > linear_slop) ++bumps;
        sim.bodies.remove_at(0);
    }
    return bumps;
}

int slide_count() {
    const char* given = std::getenv("INSTEP_SLIDES");  // for a long campaign
    return given ? std::atoi(given) : 2000;
}

}  // namespace

TEST_CASE("chain: too few and coinciding points are refused") {
    CHECK(!make_chain(std::array{Vec2{0, 0}}).has_value());
    CHECK(!make_chain(std::array{Vec2{0, 0}, Vec2{1, 0}}, ChainEnds::loop).has_value());
    const auto refused = make_chain(std::array{Vec2{1, 0}, Vec2{0, 0}, Vec2{0, 0}});
    REQUIRE(!refused.has_value());
    CHECK(refused.error().text().find("point 1") != std::string::npos);
    CHECK(make_chain(std::array{Vec2{2, 0}, Vec2{1, 1}, Vec2{0, 0}}, ChainEnds::loop)->size() == 3);
}

TEST_CASE("chain: boxes, capsules and rounded boxes slide over its joints without a bump") {
    const int slides = slide_count();
    constexpr int per_floor = 20;
    test::for_each_seed(static_cast<std::uint64_t>(slides / per_floor), [](math::Random& random) {
        const std::vector<Hull> floor = random_floor(random);
        CHECK(bumps_on(random, floor, per_floor) == 0);
    });
}

TEST_CASE("chain: plain segments in its place do bump, so the law above is no empty one") {
    int bumps = 0;
    test::for_each_seed(10, [&](math::Random& random) {
        const std::vector<Hull> floor = as_plain_segments(random_floor(random));
        bumps += bumps_on(random, floor, 10);
    });
    CHECK(bumps > 10);
}

TEST_CASE("chain: it stops what comes from the front, however fast, and lets pass what comes from behind") {
    test::for_each_seed(200, [](math::Random& random) {
        Setup setup = test::ground_setup();
        setup.config.gravity = {};
        setup.config.max_translation = 10;
        std::vector<Vec2> points;
        for (double x = 20; x >= -20; x -= 1.5) points.push_back({x, random.uniform(-0.3, 0.3)});
        add_chain(setup, *make_chain(points), {});
        TestSpace sim(std::move(setup));
        const auto def = static_cast<std::uint16_t>(1 + random.below(2));
        const double speed = random.uniform(1, 500);
        const double x = random.uniform(-10, 10);
        const Handle front = sim.add(def, {x, 3}, {0, -speed}, random.uniform(-3, 3));
        const Handle back = sim.add(def, {x + 3, -3}, {0, speed}, random.uniform(-3, 3));
        for (int i = 0; i < 240; ++i) {
            sim.step();
            REQUIRE(sim[front].position.y > 0);
        }
        CHECK(sim[back].position.y > 0.8);
        CHECK(sim[back].velocity.y == doctest::Approx(speed));
    });
}

TEST_CASE("chain: what is thrown at an island stays outside of it, and no energy is gained") {
    test::for_each_seed(60, [](math::Random& random) {
        Setup setup = test::ground_setup(0.5, 0.3);
        setup.config.gravity = {};
        std::vector<Vec2> corners;
        const auto count = static_cast<int>(3 + random.below(8));
        for (int i = 0; i < count; ++i) {
            const math::Rotation r = math::Rotation::from_angle(2 * math::pi * i / count);
            corners.push_back(math::rotate(r, {random.uniform(2.8, 3), 0}));
        }
        const std::vector<Hull> island = *make_chain(corners, ChainEnds::loop);
        add_chain(setup, island, {1, 0.5, 0.3});
        TestSpace sim(std::move(setup));
        for (int i = 0; i < 8; ++i) {
            const math::Rotation r = math::Rotation::from_angle(2 * math::pi * i / 8);
            sim.add(static_cast<std::uint16_t>(1 + random.below(2)), math::rotate(r, {6, 0}),
                    math::rotate(r, {-random.uniform(1, 60), random.uniform(-3, 3)}), random.uniform(-3, 3),
                    random.uniform(-5, 5));
        }
        double energy = sim.energy();
        for (int tick = 0; tick < 200; ++tick) {
            sim.step();
            CHECK(sim.energy() <= energy * (1 + 1e-9));
            energy = sim.energy();
            for (const Body& body : sim.bodies) {
                const bool inside = std::ranges::all_of(
                    island, [&](const Hull& edge) { return is_behind(edge, body.position); });
                REQUIRE(!inside);
            }
        }
    });
}

TEST_CASE("chain: a ball rolls through a valley and over a hill without leaving the ground") {
    Setup setup = test::ground_setup(0.9);
    std::vector<Vec2> points;
    for (int i = 120; i >= -120; --i) points.push_back({0.25 * i, 0.5 * math::sin(0.2 * i)});
    add_chain(setup, *make_chain(points), {1, 0.9, 0});
    TestSpace sim(std::move(setup));
    const Handle ball = sim.add(test::ball, {-10, 0.3}, {6, 0});
    sim.step(30);
    double highest = 0;
    for (int i = 0; i < 200; ++i) {
        sim.step();
        const Vec2 at = sim[ball].position;
        highest = std::max(highest, at.y - 0.5 * math::sin(0.8 * at.x));
    }
    CHECK(highest < 0.6);
    CHECK(sim[ball].position.x > -5);
}
