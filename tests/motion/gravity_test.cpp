// SPDX-License-Identifier: MIT
// The document's invariants of gravity, the laws of its integration, and that arrays get the bits of one
// ship.
#include <instep/motion/gravity.h>
#include <instep/motion/particle.h>

#include <instep/math/rotation.h>

#include <doctest/doctest.h>

#include <tests/motion/swarm.h>
#include <tests/support/property.h>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace instep;
using math::Vec2;
using motion::Attractor;
using motion::gravity;
using motion::Particle;
using test::random_position;
using test::random_sun;
using test::same_bits;

namespace {

// The document's tick of one ship, without thrust.
void fall(Particle& ship, const Attractor& sun, double dt) {
    accelerate(ship, gravity(ship.position, sun), dt);
}

double energy(const Particle& ship, const Attractor& sun) {
    return length_squared(ship.velocity) / 2 - sun.strength / distance(ship.position, sun.position);
}

double angular_momentum(const Particle& ship, const Attractor& sun) {
    return cross(ship.position - sun.position, ship.velocity);
}

}  // namespace

TEST_CASE("gravity: gravity is never above its limit, rounding aside") {
    test::for_each_seed(100'000, [](math::Random& random) {
        const Attractor sun = random_sun(random);
        const Vec2 pull = gravity(sun.position + random_position(random), sun);
        CHECK(length(pull) <= sun.most_acceleration * (1 + 4e-15));
    });
}

TEST_CASE("gravity: gravity points at the sun") {
    test::for_each_seed(100'000, [](math::Random& random) {
        const Attractor sun = random_sun(random);
        const Vec2 position = sun.position + random_position(random);
        const Vec2 towards = sun.position - position;
        const Vec2 pull = gravity(position, sun);
        if (length_squared(towards) == 0) return;
        CHECK(dot(pull, towards) > 0);
        CHECK(std::abs(cross(pull, towards)) <= 4e-15 * length(pull) * length(towards));
    });
}

TEST_CASE("gravity: below its limit gravity is strength over distance squared") {
    test::for_each_seed(100'000, [](math::Random& random) {
        Attractor sun = random_sun(random);
        sun.most_acceleration = 1e300;
        const Vec2 position = sun.position + random_position(random);
        const double squared = distance_squared(position, sun.position);
        if (squared == 0) return;
        CHECK(length(gravity(position, sun)) == doctest::Approx(sun.strength / squared).epsilon(1e-14));
    });
}

TEST_CASE("gravity: a sun without mass does not pull, and no sun pulls in its very centre") {
    test::for_each_seed(10'000, [](math::Random& random) {
        Attractor sun = random_sun(random);
        CHECK(gravity(sun.position, sun) == Vec2{});
        const Vec2 position = sun.position + random_position(random);
        sun.strength = 0;
        CHECK(gravity(position, sun) == Vec2{});
        CHECK(gravity(sun.position, sun) == Vec2{});
    });
}

TEST_CASE("gravity: finite positions give finite gravity, however near or far") {
    const double sizes[] = {0, 5e-324, 1e-200, 1e-154, 1e-100, 1e-12, 1, 1e9, 1e100, 1e154, 1e200};
    for (const double x : sizes)
        for (const double y : sizes)
            for (const double strength : {0.5, 1000.0, 1e12}) {
                const Vec2 pull = gravity({x, -y}, {{}, strength, 100});
                CAPTURE(x);
                CAPTURE(y);
                CHECK(std::isfinite(pull.x));
                CHECK(std::isfinite(pull.y));
                CHECK(length(pull) <= 100 * (1 + 4e-15));
            }
}

TEST_CASE("gravity: mirrored and quarter-turned positions get mirrored and turned gravity, to the bit") {
    test::for_each_seed(10'000, [](math::Random& random) {
        Attractor sun = random_sun(random);
        sun.position = {};
        const Vec2 position = random_position(random);
        const Vec2 pull = gravity(position, sun);
        CHECK(gravity({-position.x, position.y}, sun) == Vec2{-pull.x, pull.y});
        CHECK(gravity({position.x, -position.y}, sun) == Vec2{pull.x, -pull.y});
        CHECK(gravity({position.y, position.x}, sun) == Vec2{pull.y, pull.x});
        CHECK(gravity(math::perpendicular(position), sun) == math::perpendicular(pull));
    });
}

TEST_CASE("gravity: turned by any angle gravity turns along") {
    test::for_each_seed(10'000, [](math::Random& random) {
        Attractor sun = random_sun(random);
        sun.position = {};
        const Vec2 position = random_position(random);
        const auto turn = math::Rotation::from_angle(random.uniform(-10, 10));
        const Vec2 turned_pull = rotate(turn, gravity(position, sun));
        const Vec2 pull_there = gravity(rotate(turn, position), sun);
        CHECK(distance(turned_pull, pull_there) <= 1e-14 * length(turned_pull));
    });
}

TEST_CASE("gravity: a swarm of any size moves with the bits of ships that move alone") {
    for (std::size_t count = 0; count <= 67; ++count) {
        CAPTURE(count);
        test::for_each_seed(30,
                            [count](math::Random& random) { CHECK(!test::swarm_differs(random, count)); });
    }
}

TEST_CASE("gravity: a swarm leaves what lies behind its end alone") {
    std::vector<double> x(68, 100), y(68, 50), vx(68, 1), vy(68, 2);
    const auto first = [](std::vector<double>& values, std::size_t count) {
        return std::span(values).first(count);
    };
    for (std::size_t count = 0; count < 68; ++count) {
        motion::orbit_swarm({first(x, count), first(y, count), first(vx, count), first(vy, count)},
                            {{}, 1000, 100}, 1.0 / 30);
        CHECK(x[count] == 100);
        CHECK(y[count] == 50);
        CHECK(vx[count] == 1);
        CHECK(vy[count] == 2);
    }
}

TEST_CASE("gravity: a circular orbit keeps its energy over 100000 ticks, where explicit Euler's grows") {
    const Attractor sun{{}, 1000, 100};
    const double dt = 1.0 / 30;
    Particle symplectic{{100, 0}, {0, std::sqrt(10.0)}};
    Particle explicit_euler = symplectic;
    const double before = energy(symplectic, sun);
    double worst = 0;
    for (int tick = 0; tick < 100'000; ++tick) {
        fall(symplectic, sun, dt);
        worst = std::max(worst, std::abs(energy(symplectic, sun) - before));

        const Vec2 pull = gravity(explicit_euler.position, sun);
        explicit_euler.position += explicit_euler.velocity * dt;
        explicit_euler.velocity += pull * dt;
    }
    const double explicit_gain = energy(explicit_euler, sun) - before;
    CHECK(worst < 1e-5 * std::abs(before));
    CHECK(explicit_gain > 0.05 * std::abs(before));
    CHECK(explicit_gain > 5000 * worst);
}

TEST_CASE(
    "gravity: an orbit of any shape keeps its energy within a bound, and its radius between the same ends") {
    test::for_each_seed(5, [](math::Random& random) {
        const Attractor sun{{}, 1e6, 1e9};  // the limit out of the way: it is a different field
        const double radius = random.uniform(300, 800);
        const double speed = std::sqrt(sun.strength / radius) * random.uniform(0.8, 1.2);
        Particle ship{{radius, 0}, {0, speed}};
        const double before = energy(ship, sun);
        double early = 0;
        double late = 0;
        for (int tick = 0; tick < 100'000; ++tick) {
            fall(ship, sun, 1.0 / 30);
            double& worst = tick < 10'000 ? early : late;
            worst = std::max(worst, std::abs(energy(ship, sun) / before - 1));
        }
        CHECK(early < 0.02);
        CHECK(late < early * 1.01);  // no drift: the later nine tenths are no worse than the first
    });
}

TEST_CASE("gravity: a central pull keeps angular momentum to rounding, at its limit as well as below it") {
    test::for_each_seed(20, [](math::Random& random) {
        const Attractor sun{{random.uniform(-50, 50), random.uniform(-50, 50)}, 1e6, 100};
        const Vec2 position{random.uniform(30, 300), random.uniform(30, 300)};
        Particle ship{sun.position + position, math::perpendicular(position) * random.uniform(0.05, 0.3)};
        const double before = angular_momentum(ship, sun);
        for (int tick = 0; tick < 10'000; ++tick) fall(ship, sun, 1.0 / 30);
        CHECK(angular_momentum(ship, sun) == doctest::Approx(before).epsilon(1e-10));
    });
}

TEST_CASE("gravity: falling ships mirrored at the sun stay mirror images, to the bit") {
    test::for_each_seed(50, [](math::Random& random) {
        const Attractor sun{{}, 1e5, 100};
        Particle ship{{random.uniform(50, 200), random.uniform(50, 200)},
                      {random.uniform(-20, 20), random.uniform(-20, 20)}};
        Particle mirrored{{-ship.position.x, ship.position.y}, {-ship.velocity.x, ship.velocity.y}};
        for (int tick = 0; tick < 1000; ++tick) {
            fall(ship, sun, 1.0 / 30);
            fall(mirrored, sun, 1.0 / 30);
        }
        CHECK(same_bits(mirrored.position.x, -ship.position.x));
        CHECK(same_bits(mirrored.position.y, ship.position.y));
    });
}
