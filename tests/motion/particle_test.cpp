// SPDX-License-Identifier: MIT
#include <instep/motion/particle.h>

#include <doctest/doctest.h>

#include <tests/support/property.h>

#include <cmath>

using namespace instep;
using math::Vec2;
using motion::accelerate;
using motion::glide;
using motion::Particle;

namespace {

Vec2 random_vector(math::Random& random, double size) {
    return Vec2{random.uniform(-size, size), random.uniform(-size, size)};
}

Particle random_particle(math::Random& random) {
    const Vec2 position = random_vector(random, 1000);
    return {position, random_vector(random, 100)};
}

}  // namespace

TEST_CASE("particle: the position moves by the new velocity, not by the old one") {
    Particle pushed{{10, 20}, {6, 0}};
    accelerate(pushed, {0, 30}, 0.5);
    CHECK(pushed == Particle{{13, 27.5}, {6, 15}});

    Particle dragged{{10, 20}, {8, -4}};
    glide(dragged, 0.5);
    CHECK(dragged == Particle{{14, 18}, {4, -2}});
}

TEST_CASE("particle: nothing acts on a free particle: it keeps its velocity exactly and moves along it") {
    test::for_each_seed(1000, [](math::Random& random) {
        const Particle before = random_particle(random);
        Particle pushed = before;
        accelerate(pushed, {}, 1.0 / 30);
        CHECK(pushed.velocity == before.velocity);
        CHECK(pushed.position == before.position + before.velocity * (1.0 / 30));

        Particle glider = before;
        glide(glider, 1);
        CHECK(glider == Particle{before.position + before.velocity, before.velocity});
    });
}

TEST_CASE("particle: drag takes the same part of a velocity each tick and never turns it round") {
    test::for_each_seed(1000, [](math::Random& random) {
        Particle particle = random_particle(random);
        const Vec2 start = particle.velocity;
        const double kept = random.uniform(0.1, 0.99);
        for (int tick = 1; tick <= 20; ++tick) {
            glide(particle, kept);
            const double left = std::pow(kept, tick);
            CHECK(particle.velocity.x == doctest::Approx(start.x * left).epsilon(1e-12));
            CHECK(particle.velocity.y == doctest::Approx(start.y * left).epsilon(1e-12));
        }
    });
}

TEST_CASE("particle: a glider comes to rest where the geometric series says") {
    test::for_each_seed(100, [](math::Random& random) {
        Particle particle = random_particle(random);
        const double kept = random.uniform(0.1, 0.95);
        const Vec2 rest = particle.position + particle.velocity * (kept / (1 - kept));
        for (int tick = 0; tick < 2000; ++tick) glide(particle, kept);
        CHECK(particle.position.x == doctest::Approx(rest.x).epsilon(1e-9));
        CHECK(particle.position.y == doctest::Approx(rest.y).epsilon(1e-9));
    });
}

TEST_CASE("particle: under a constant acceleration the path is the parabola, half a tick ahead") {
    test::for_each_seed(100, [](math::Random& random) {
        Particle particle = random_particle(random);
        const Particle start = particle;
        const Vec2 a = random_vector(random, 50);
        const double dt = 1.0 / 30;
        constexpr int ticks = 300;
        for (int tick = 0; tick < ticks; ++tick) accelerate(particle, a, dt);
        const double t = ticks * dt;
        const Vec2 velocity = start.velocity + a * t;
        const Vec2 position = start.position + start.velocity * t + a * (t * (t + dt) / 2);
        CHECK(distance(particle.velocity, velocity) < 1e-9);
        CHECK(distance(particle.position, position) < 1e-9);
    });
}

TEST_CASE("particle: two particles with opposite accelerations keep their common momentum and centre") {
    test::for_each_seed(100, [](math::Random& random) {
        Particle a = random_particle(random);
        Particle b = random_particle(random);
        const Vec2 momentum = a.velocity + b.velocity;
        const Vec2 twice_center = a.position + b.position;
        constexpr int ticks = 100;
        for (int tick = 0; tick < ticks; ++tick) {
            const Vec2 push = random_vector(random, 100);
            accelerate(a, push, 0.01);
            accelerate(b, -push, 0.01);
        }
        CHECK(distance(a.velocity + b.velocity, momentum) < 1e-10);
        CHECK(distance(a.position + b.position, twice_center + momentum * (ticks * 0.01)) < 1e-9);
    });
}

TEST_CASE("particle: how a particle moves does not depend on where it is or how fast the observer is") {
    test::for_each_seed(1000, [](math::Random& random) {
        const Particle particle = random_particle(random);
        const Vec2 push = random_vector(random, 100);
        const Vec2 shift = random_vector(random, 1000);
        const Vec2 drift = random_vector(random, 100);
        const double dt = 1.0 / 60;
        Particle here = particle;
        accelerate(here, push, dt);
        Particle there{particle.position + shift, particle.velocity + drift};
        accelerate(there, push, dt);
        CHECK(distance(there.position, here.position + shift + drift * dt) < 1e-11);
        CHECK(distance(there.velocity, here.velocity + drift) < 1e-11);
    });
}
