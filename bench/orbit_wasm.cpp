// SPDX-License-Identifier: MIT
// The WebAssembly side of bench/orbit_wasm.mjs: a swarm of ships, and what limits it.
#include <instep/math/random.h>
#include <instep/motion/gravity.h>

#include <cmath>
#include <cstring>
#include <vector>

namespace {
std::vector<double> x, y, velocity_x, velocity_y;  // the ships
std::vector<double> from, to;
}  // namespace

#define EXPORT(name) extern "C" __attribute__((export_name(#name)))

EXPORT(make) void make(std::size_t count) {
    auto random = instep::math::Random::from_seed(1);
    for (auto* values : {&x, &y, &velocity_x, &velocity_y}) values->assign(count, 0);
    for (std::size_t i = 0; i < count; ++i) {
        x[i] = random.uniform(100, 1000);
        y[i] = random.uniform(-500, 500);
        velocity_y[i] = random.uniform(1, 3);
    }
    from.assign(4 * count, 7.0);
    to.assign(4 * count, 0);
}

EXPORT(orbit_swarm) void orbit_swarm() {
    instep::motion::orbit_swarm({x, y, velocity_x, velocity_y}, {{}, 1000, 100}, 1.0 / 30);
}

EXPORT(divide_and_root) void divide_and_root() {
    const double* __restrict in = from.data();
    double* __restrict out = to.data();
    for (std::size_t i = 0; i < x.size(); ++i) out[i] = 1 / std::sqrt(in[i]);
}

EXPORT(copy_all) void copy_all() { std::memcpy(to.data(), from.data(), to.size() * sizeof(double)); }
