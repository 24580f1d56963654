// SPDX-License-Identifier: MIT
// The law of a swarm: it moves with the bits of ships that move alone. For the tests of this module and,
// where there is no test framework, for WebAssembly.
#pragma once

#include <bit>
#include <cmath>
#include <vector>

#include <instep/math/random.h>
#include <instep/math/trig.h>
#include <instep/math/units.h>
#include <instep/motion/gravity.h>
#include <instep/motion/particle.h>

namespace instep::test {

// From far closer than any ship gets to far beyond any map, at any angle.
inline math::Vec2 random_position(math::Random& random) {
    const double distance = std::pow(10, random.uniform(-12, 12));
    const math::SinCos turn = math::sincos(random.uniform(0, math::two_pi));
    return {turn.cos * distance, turn.sin * distance};
}

inline motion::Attractor random_sun(math::Random& random) {
    const math::Vec2 position{random.uniform(-100, 100), random.uniform(-100, 100)};
    const double strength = std::pow(10, random.uniform(-6, 12));
    return {position, strength, std::pow(10, random.uniform(-3, 6))};
}

inline bool same_bits(double a, double b) {
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

// Moves `count` random ships for five ticks in both ways; whether any number ever differs in any bit.
inline bool swarm_differs(math::Random& random, std::size_t count) {
    const motion::Attractor sun = random_sun(random);
    const double dt = 1.0 / 30;
    const double kept = random.below(2) == 0 ? 1 : random.uniform(0.9, 1);
    std::vector<motion::Particle> ships(count);
    std::vector<double> x(count), y(count), vx(count), vy(count);
    for (std::size_t i = 0; i < count; ++i) {
        motion::Particle& ship = ships[i];
        const bool at_center = random.below(8) == 0;
        ship.position = at_center ? sun.position : sun.position + random_position(random);
        if (random.below(8) != 0) ship.velocity = {random.uniform(-100, 100), random.uniform(-100, 100)};
        x[i] = ship.position.x, y[i] = ship.position.y;
        vx[i] = ship.velocity.x, vy[i] = ship.velocity.y;
    }
    for (int tick = 0; tick < 5; ++tick) {
        motion::orbit_swarm({x, y, vx, vy}, sun, dt, kept);
        for (std::size_t i = 0; i < count; ++i) {
            motion::Particle& ship = ships[i];
            ship.velocity = ship.velocity * kept + motion::gravity(ship.position, sun) * dt;
            ship.position += ship.velocity * dt;
            if (!same_bits(x[i], ship.position.x) || !same_bits(y[i], ship.position.y) ||
                !same_bits(vx[i], ship.velocity.x) || !same_bits(vy[i], ship.velocity.y) ||
                !std::isfinite(x[i] + y[i] + vx[i] + vy[i]))
                return true;
        }
    }
    return false;
}

}  // namespace instep::test
