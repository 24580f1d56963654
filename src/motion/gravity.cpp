// SPDX-License-Identifier: MIT
#include <instep/motion/gravity.h>

#include <cassert>

#include <instep/math/simd.h>

namespace instep::motion {
namespace {

[[gnu::always_inline]] inline void move(double& x, double& y, double& vx, double& vy, double sun_x,
                                        double sun_y, double pull, double dt, double kept) {
    vx = vx * kept + (sun_x - x) * pull * dt;
    vy = vy * kept + (sun_y - y) * pull * dt;
    x = x + vx * dt;
    y = y + vy * dt;
}

// Square roots and divisions are slow, and work that depends on them stalls the processor. So this loop is
// software pipelined: each round takes roots for the ships after the next few, divides for the next few, and
// moves the few whose acceleration is known, so nothing in a round waits for anything else in it. `least` is
// a parameter, or the compiler would compute its root and select between results, which is slower. The arrays
// are parameters because g++ honours __restrict only there.
[[gnu::always_inline]] inline void pull_swarm(double* __restrict x, double* __restrict y,
                                              double* __restrict vx, double* __restrict vy, std::size_t count,
                                              const Attractor& sun, double least, double dt, double kept) {
    constexpr std::size_t few = 16;  // four vectors of distances and four of pulls, with AVX2
    const auto [sun_x, sun_y] = sun.position;
    const double strength = sun.strength;
    const double most = sun.most_acceleration;
    std::size_t i = 0;
    if (count >= 2 * few) {
        double pulls[few];
        double distances[few];
        for (std::size_t k = 0; k < few; ++k)
            pulls[k] = pull_per_distance(distance_to_sun(sun_x - x[k], sun_y - y[k], least), strength, most);
        for (std::size_t k = 0; k < few; ++k)
            distances[k] = distance_to_sun(sun_x - x[few + k], sun_y - y[few + k], least);
        for (; i + 3 * few <= count; i += few) {
            for (std::size_t k = 0; k < few; ++k) {
                const std::size_t later = i + 2 * few + k;
                const double pull = pulls[k];
                pulls[k] = pull_per_distance(distances[k], strength, most);
                distances[k] = distance_to_sun(sun_x - x[later], sun_y - y[later], least);
                move(x[i + k], y[i + k], vx[i + k], vy[i + k], sun_x, sun_y, pull, dt, kept);
            }
        }
        for (std::size_t k = 0; k < few; ++k, ++i)
            move(x[i], y[i], vx[i], vy[i], sun_x, sun_y, pulls[k], dt, kept);
        for (std::size_t k = 0; k < few; ++k, ++i)
            move(x[i], y[i], vx[i], vy[i], sun_x, sun_y, pull_per_distance(distances[k], strength, most), dt,
                 kept);
    }
    for (; i < count; ++i)
        move(x[i], y[i], vx[i], vy[i], sun_x, sun_y,
             pull_per_distance(distance_to_sun(sun_x - x[i], sun_y - y[i], least), strength, most), dt, kept);
}

INSTEP_WIDE
void orbit_with_drag(double* x, double* y, double* vx, double* vy, std::size_t count, const Attractor& sun,
                     double least, double dt, double kept) {
    pull_swarm(x, y, vx, vy, count, sun, least, dt, kept);
}

INSTEP_WIDE
void orbit_freely(double* x, double* y, double* vx, double* vy, std::size_t count, const Attractor& sun,
                  double least, double dt) {
    // A multiplication by 1 changes no bits, so it is omitted.
    pull_swarm(x, y, vx, vy, count, sun, least, dt, 1);
}

}  // namespace

void orbit_swarm(const Swarm& swarm, const Attractor& sun, double dt, double kept) {
    const std::size_t count = swarm.x.size();
    assert(swarm.y.size() == count && swarm.velocity_x.size() == count && swarm.velocity_y.size() == count);
    double* const x = swarm.x.data();
    double* const y = swarm.y.data();
    double* const vx = swarm.velocity_x.data();
    double* const vy = swarm.velocity_y.data();
    if (kept == 1)
        orbit_freely(x, y, vx, vy, count, sun, least_squared_distance, dt);
    else
        orbit_with_drag(x, y, vx, vy, count, sun, least_squared_distance, dt, kept);
}

}  // namespace instep::motion
