// SPDX-License-Identifier: MIT
#include <instep/motion/verlet.h>

#include <tests/support/property.h>

#include <doctest/doctest.h>

#include <cmath>

using namespace instep;
using namespace instep::motion;
using math::Vec2;

namespace {

Vec2 random_vector(math::Random& random, double size) {
    return {random.uniform(-size, size), random.uniform(-size, size)};
}

}  // namespace

TEST_CASE("verlet: without forces a velocity is multiplied by what the air leaves, tick by tick") {
    Particle particle{{3, 4}, {10, -7}};
    for (int tick = 1; tick <= 200; ++tick) {
        verlet_step(particle, {}, 0.98, 1.0 / 60);
        CHECK(particle.velocity.x == doctest::Approx(10 * std::pow(0.98, tick)).epsilon(1e-12));
        CHECK(particle.velocity.y == doctest::Approx(-7 * std::pow(0.98, tick)).epsilon(1e-12));
    }
}

TEST_CASE("verlet: a step is the document's, with the velocity instead of the position before") {
    test::for_each_seed(200, [](math::Random& random) {
        Particle particle{random_vector(random, 100), random_vector(random, 10)};
        Vec2 position = particle.position;
        Vec2 before = position - particle.velocity;
        const Vec2 acceleration = random_vector(random, 1000);
        const double dt = 1.0 / 60;
        for (int tick = 0; tick < 50; ++tick) {
            const Vec2 next = position + (position - before) * 0.98 + acceleration * (dt * dt);
            before = position;
            position = next;
            verlet_step(particle, acceleration, 0.98, dt);
            CHECK(length(particle.position - position) < 1e-10);
            CHECK(length(particle.velocity - (position - before)) < 1e-10);
        }
    });
}

TEST_CASE("verlet: in a vacuum a constant acceleration gives a parabola") {
    Particle particle;
    const double dt = 1.0 / 60;
    for (int tick = 1; tick <= 120; ++tick) {
        verlet_step(particle, {0, -600}, 1, dt);
        CHECK(particle.position.y == doctest::Approx(-600 * dt * dt * tick * (tick + 1) / 2).epsilon(1e-12));
    }
}

TEST_CASE("verlet: a circle never leaves its box, whatever it does") {
    test::for_each_seed(200, [](math::Random& random) {
        const Box box{{-100, -80}, {100, 80}};
        Particle particle{random_vector(random, 70), random_vector(random, 300)};
        const double radius = random.uniform(1, 30);
        const double damping = random.uniform();
        for (int tick = 0; tick < 100; ++tick) {
            verlet_step(particle, random_vector(random, 20'000), 0.98, 1.0 / 60);
            bounce_in_box(particle, radius, box, damping);
            REQUIRE(box.shrunk(radius).contains(particle.position));
        }
    });
}

TEST_CASE("verlet: a circle that is inside is left alone, to the last bit") {
    Particle particle{{10, 20}, {1, 2}};
    bounce_in_box(particle, 5, {{-100, -100}, {100, 100}}, 0.5);
    CHECK(particle == Particle{{10, 20}, {1, 2}});
}

TEST_CASE("verlet: at a wall the velocity to it is turned round, and damping takes its part of it") {
    const auto bounced = [](double damping) {
        Particle particle{{96, 0}, {6, 1}};  // was at 90, and may get to 95
        bounce_in_box(particle, 5, {{-100, -100}, {100, 100}}, damping);
        return particle;
    };
    CHECK(bounced(0) == Particle{{95, 0}, {-5, 1}});
    CHECK(bounced(0.5) == Particle{{95, 0}, {-2.5, 1}});
    CHECK(bounced(1).velocity.x == 0);
}

TEST_CASE("verlet: a shove becomes velocity") {
    Particle particle{{1, 1}, {2, 0}};
    shove_to(particle, {1, 4});
    CHECK(particle == Particle{{1, 4}, {2, 3}});
}
