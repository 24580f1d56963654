// SPDX-License-Identifier: MIT
// Gravity and integration of many ships against what the processor allows: one division and one square root a
// ship while all is in cache, and reading and writing every ship once when it is not.
#include <bench/harness.h>

#include <instep/math/random.h>
#include <instep/math/simd.h>
#include <instep/motion/gravity.h>

#include <cmath>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace instep::bench {
namespace {

constexpr std::size_t line = 64;  // bytes that caches move at once

struct Ships {
    // Arrays that begin `offset` bytes after the beginning of a line: 0 is best for
    // motion::orbit_swarm, 16 is what malloc returns.
    explicit Ships(std::size_t count, std::size_t offset = 0) {
        const std::size_t array = (count * sizeof(double) + line - 1) / line * line;
        memory.resize((4 * (array + line) + line) / sizeof(double));
        std::size_t capacity = memory.size() * sizeof(double);
        void* at = memory.data();
        std::align(line, 4 * (array + line), at, capacity);
        auto* first = reinterpret_cast<double*>(static_cast<std::byte*>(at) + offset);
        const std::size_t stride = (array + line) / sizeof(double);
        for (std::span<double>* values : {&x, &y, &velocity_x, &velocity_y}) {
            *values = {first, count};
            first += stride;
        }
        math::Random random = math::Random::from_seed(1);
        for (std::size_t i = 0; i < count; ++i) {
            x[i] = random.uniform(100, 1000);
            y[i] = random.uniform(-500, 500);
            velocity_y[i] = random.uniform(1, 3);
        }
    }
    void step() {
        const motion::Attractor sun{.position = {}, .strength = 1000, .most_acceleration = 100};
        motion::orbit_swarm({x, y, velocity_x, velocity_y}, sun, 1.0 / 30);
        keep(x);
    }

    std::vector<double> memory;
    std::span<double> x, y, velocity_x, velocity_y;
};

// Nothing but the two slow operations of one ship, as wide as the processor has them.
INSTEP_WIDE
void divide_and_root(const double* __restrict from, double* __restrict to, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) to[i] = 1 / std::sqrt(from[i]);
}

// Each ship read once and written once, with as little work as there can be.
INSTEP_WIDE
void copy_all(const double* __restrict from, double* __restrict to, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) to[i] = from[i];
}

void compare_in_cache(Bench& bench) {
    constexpr std::size_t count = 1000;
    Ships ships(count);
    Ships askew(count, 16);
    std::vector<double> from(count, 7.0);
    std::vector<double> to(count);
    bench.compare({.name = "1,000 ships, a ship",
                   .operations = count,
                   .reference = {"1 / sqrt alone",
                                 [&] {
                                     divide_and_root(from.data(), to.data(), count);
                                     keep(to);
                                 }},
                   .alternatives = {{"orbit_swarm", [&] { ships.step(); }, 1 / 0.85},
                                    {"across cache lines", [&] { askew.step(); }}}});
}

void compare_in_memory(Bench& bench) {
    constexpr std::size_t count = 8'000'000;
    Ships ships(count);
    std::vector<double> from(4 * count, 7.0);
    std::vector<double> to(4 * count);
    bench.compare({.name = "8,000,000 ships, a ship",
                   .operations = count,
                   .reference = {"copying the same bytes",
                                 [&] {
                                     copy_all(from.data(), to.data(), from.size());
                                     keep(to);
                                 }},
                   .alternatives = {{"orbit_swarm", [&] { ships.step(); }, 1 / 0.7}}});
}

const Benchmark orbit{"orbit", [](Bench& bench) {
                          compare_in_cache(bench);
                          compare_in_memory(bench);
                      }};

}  // namespace
}  // namespace instep::bench
