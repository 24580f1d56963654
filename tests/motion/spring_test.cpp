// SPDX-License-Identifier: MIT
#include <instep/motion/spring.h>

#include <doctest/doctest.h>

#include <tests/support/property.h>

#include <cmath>
#include <vector>

using namespace instep;
using math::Vec2;
using motion::Particle;
using motion::Spring;

namespace {

Vec2 random_point(math::Random& random, double size) {
    const double x = random.uniform(-size, size);
    const double y = random.uniform(-size, size);
    return {x, y};
}

Spring random_rope(math::Random& random) {
    return {.stiffness = random.uniform(0.01, 0.5), .rest_length = random.uniform(1, 100), .pushes = false};
}

std::vector<Particle> random_chain(math::Random& random, double size) {
    std::vector<Particle> chain(2 + random.below(15));
    for (Particle& particle : chain)
        particle = {.position = random_point(random, size), .velocity = random_point(random, 5)};
    return chain;
}

Vec2 momentum(const std::vector<Particle>& chain) {
    Vec2 sum;
    for (const Particle& particle : chain) sum += particle.velocity;
    return sum;
}

double angular_momentum(const std::vector<Particle>& chain) {
    double sum = 0;
    for (const Particle& particle : chain) sum += cross(particle.position, particle.velocity);
    return sum;
}

}  // namespace

TEST_CASE("spring: a rope at rest length, or shorter, pulls nothing") {
    test::for_each_seed(1000, [](math::Random& random) {
        const Spring rope = random_rope(random);
        const Vec2 start = random_point(random, 100);
        const double angle = random.uniform(-3, 3);
        const double length = rope.rest_length * random.uniform(0, 0.999999);
        const Vec2 end = start + Vec2{std::cos(angle), std::sin(angle)} * length;
        CHECK(spring_impulse(start, end, rope) == Vec2{});
        CHECK(spring_impulse({0, 0}, {rope.rest_length, 0}, rope) == Vec2{});
        CHECK(spring_impulse({0, 0}, {0, -rope.rest_length}, rope) == Vec2{});
    });
}

TEST_CASE("spring: a stretched rope pulls its end towards its start, in proportion to its extension") {
    test::for_each_seed(1000, [](math::Random& random) {
        const Spring rope = random_rope(random);
        const Vec2 start = random_point(random, 100);
        const Vec2 end = start + random_point(random, 500);
        const double extension = distance(start, end) - rope.rest_length;
        if (extension <= 0) return;
        const Vec2 impulse = spring_impulse(start, end, rope);
        CHECK(length(impulse) == doctest::Approx(rope.stiffness * extension).epsilon(1e-12));
        CHECK(dot(impulse, start - end) > 0);
        CHECK(std::abs(cross(impulse, start - end)) <= 1e-9 * length(impulse) * distance(start, end));
    });
}

TEST_CASE("spring: a spring that pushes resists being shortened as it resists being stretched") {
    const Spring spring{.stiffness = 0.1, .rest_length = 80, .pushes = true};
    CHECK(spring_impulse({0, 0}, {60, 0}, spring).x == doctest::Approx(2));
    CHECK(spring_impulse({0, 0}, {100, 0}, spring).x == doctest::Approx(-2));
    CHECK(spring_impulse({0, 0}, {80, 0}, spring) == Vec2{});
}

TEST_CASE("spring: two points at the same point have no direction to be pulled in") {
    for (const bool pushes : {false, true}) {
        const Spring spring{.stiffness = 0.1, .rest_length = 80, .pushes = pushes};
        CHECK(spring_impulse({3, 4}, {3, 4}, spring) == Vec2{});
        CHECK(spring_impulse({0, 0}, {1e-200, 0}, spring) == Vec2{});  // whose square is 0
    }
}

TEST_CASE("spring: the two ends of a spring feel opposite impulses") {
    test::for_each_seed(1000, [](math::Random& random) {
        Spring spring = random_rope(random);
        spring.pushes = random.below(2) == 0;
        const Vec2 a = random_point(random, 300);
        const Vec2 b = random_point(random, 300);
        CHECK(spring_impulse(a, b, spring) == -spring_impulse(b, a, spring));
    });
}

TEST_CASE("spring: a chain whose first node is pulled keeps its momentum and its angular momentum") {
    test::for_each_seed(500, [](math::Random& random) {
        std::vector<Particle> chain = random_chain(random, 400);
        const std::vector<Particle> before = chain;
        pull_chain(chain, random_rope(random), true);
        CHECK(length(momentum(chain) - momentum(before)) < 1e-9);
        CHECK(std::abs(angular_momentum(chain) - angular_momentum(before)) < 1e-6);
    });
}

TEST_CASE("spring: pulling a chain changes velocities, not positions") {
    test::for_each_seed(200, [](math::Random& random) {
        std::vector<Particle> chain = random_chain(random, 400);
        const std::vector<Particle> before = chain;
        pull_chain(chain, random_rope(random), random.below(2) == 0);
        for (std::size_t i = 0; i < chain.size(); ++i) CHECK(chain[i].position == before[i].position);
    });
}

TEST_CASE(
    "spring: a first node that is not pulled keeps its velocity, and the others feel the same as ever") {
    test::for_each_seed(200, [](math::Random& random) {
        std::vector<Particle> held = random_chain(random, 400);
        std::vector<Particle> pulled = held;
        const Vec2 before = held[0].velocity;
        const Spring rope = random_rope(random);
        pull_chain(held, rope, false);
        pull_chain(pulled, rope, true);
        CHECK(held[0].velocity == before);
        for (std::size_t i = 1; i < held.size(); ++i) CHECK(held[i] == pulled[i]);
    });
}

TEST_CASE("spring: a chain of one node or no node is left alone") {
    std::vector<Particle> chain{{.position = {1, 2}, .velocity = {3, 4}}};
    const Spring rope{.stiffness = 0.1, .rest_length = 1};
    pull_chain(chain, rope, true);
    CHECK(chain[0] == Particle{.position = {1, 2}, .velocity = {3, 4}});
    pull_chain({}, rope, true);
}
