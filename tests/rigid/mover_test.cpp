// SPDX-License-Identifier: MIT
// The character mover: walls, slopes, steps, moving ground; and that it never gets into anything.
#include <instep/rigid/mover.h>

#include <algorithm>
#include <array>
#include <cmath>

#include <tests/rigid/support.h>
#include <tests/support/property.h>

using namespace instep;
using namespace instep::rigid;
using test::TestSpace;

namespace {

constexpr double dt = 1.0 / 60;
constexpr std::uint16_t slope = 3;  // a triangle, 4 units wide, with the given height
constexpr std::uint16_t lift = 4;

struct Course {
    TestSpace sim;
    QueryIndex index;
    MoverConfig config{};
    MoverState state{};
    Vec2 velocity{};

    explicit Course(double slope_height = 2) : sim(make_setup(slope_height)), index(sim.setup) {
        sim.add(test::ground, {0, -1});
        state.position = {0, 1};
    }
    static Setup make_setup(double slope_height) {
        Setup setup = test::ground_setup();
        setup.body_defs.push_back(test::body_def(
            BodyType::fixed, make_polygon(std::array{Vec2{0, 0}, Vec2{4, 0}, Vec2{4, slope_height}})));
        setup.body_defs.push_back(test::body_def(BodyType::kinematic, make_box(2, 0.25)));
        return setup;
    }
    void walk(double speed, int ticks) {
        for (int i = 0; i < ticks; ++i) {
            velocity.y = state.on_ground ? 0 : velocity.y - 20 * dt;
            velocity.x = speed;
            const Vec2 ground = ground_velocity(sim.space, config, state);
            const Queries queries(sim.space, index);
            state = move(queries, config, state, dt * (velocity + ground));
        }
    }
    double depth() {
        Hull capsule = *make_capsule({0, -config.half_height}, {0, config.half_height}, config.radius);
        capsule = translated(capsule, state.position);
        double deepest = 0;
        sim.space.bodies.for_each([&](const BodyRef& body) {
            Hull placed;
            transform(body.def.shapes[0].hull, body.pose(), placed);
            deepest = std::max(deepest, -hull_distance(placed, capsule).distance);
        });
        return deepest;
    }
};

}  // namespace

TEST_CASE("mover: falls to the ground, stands, and walks at its speed") {
    Course course;
    course.walk(0, 60);
    CHECK(course.state.on_ground);
    CHECK(course.state.position.y == doctest::Approx(0.9 + course.config.skin).epsilon(0.01));
    course.walk(3, 60);
    CHECK(course.state.position.x == doctest::Approx(3).epsilon(0.02));
    CHECK(course.state.on_ground);
}

TEST_CASE("mover: a wall stops it, a step and a gentle slope don't, a steep slope does") {
    {
        Course course;
        course.sim.add(test::box, {3, 0.5});  // one unit high
        course.walk(3, 180);
        CHECK(course.state.position.x == doctest::Approx(2.5 - 0.4).epsilon(0.02));
        CHECK(course.state.on_ground);
    }
    {
        Course course;
        course.sim.add(test::box, {3, -0.25});  // 0.25 high
        course.walk(3, 60);
        CHECK(course.state.position.x > 2.5);
        CHECK(course.state.position.y == doctest::Approx(0.25 + 0.9).epsilon(0.03));
        course.walk(3, 60);  // and down again, without leaving the ground
        CHECK(course.state.on_ground);
        CHECK(course.state.position.y == doctest::Approx(0.9).epsilon(0.03));
    }
    {
        Course course(2);
        course.sim.add(slope, {3 + 8.0 / 3, 2.0 / 3});
        course.walk(3, 130);
        CHECK(course.state.position.y > 1.9);
        CHECK(course.state.on_ground);
    }
    {
        Course course(8);
        course.sim.add(slope, {3 + 8.0 / 3, 8.0 / 3});
        course.walk(3, 180);
        CHECK(course.state.position.y < 1.3);
    }
}

TEST_CASE("mover: rides on ground that moves to the side, up and down") {
    for (const Vec2 speed : {Vec2{2, 0}, Vec2{0, 1}, Vec2{0, -0.5}}) {
        Course course;
        const Handle platform = course.sim.add(lift, {0, 2});
        course.state.position = {0, 4};
        course.walk(0, 90);
        REQUIRE(course.state.ground == platform);
        course.sim[platform].velocity = speed;
        for (int i = 0; i < 90; ++i) {
            course.walk(0, 1);
            course.sim.step();
        }
        const Vec2 over = course.state.position - course.sim[platform].position;
        CHECK(std::fabs(over.x) < 0.1);
        CHECK(over.y == doctest::Approx(0.25 + 0.9).epsilon(0.06));
        CHECK(course.state.on_ground);
    }
}

TEST_CASE("mover: in a random heap it never gets into anything") {
    test::for_each_seed(60, [](math::Random& random) {
        Course course;
        for (int i = 0; i < 25; ++i)
            course.sim.add(static_cast<std::uint16_t>(1 + random.below(2)),
                           {random.uniform(-12, 12), random.uniform(0, 2.5)}, {}, random.uniform(-3, 3));
        course.state.position = {0, 8};
        for (int i = 0; i < 20; ++i) {
            course.walk(random.uniform(-8, 8), 15);
            if (course.state.on_ground && random.below(3) == 0) {
                course.velocity.y = 8;
                course.state.on_ground = false;
            }
            REQUIRE(course.depth() < 0.1);
            REQUIRE(course.state.position.y > 0.5);
        }
    });
}
