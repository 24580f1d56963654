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

// Root and division are slow, and a processor full of work that waits for them cannot look ahead. So each
// round starts them for the next few ships and moves those whose pull is known already.
INSTEP_WIDE
void orbit(double* __restrict x, double* __restrict y, double* __restrict vx, double* __restrict vy,
           std::size_t count, double sun_x, double sun_y, double strength, double most, double dt,
           double kept) {
    constexpr std::size_t few = 8;
    std::size_t i = 0;
    if (count >= few) {
        double pulls[few];
        double next[few];
        for (std::size_t k = 0; k < few; ++k)
            pulls[k] = pull_per_distance(sun_x - x[k], sun_y - y[k], strength, most);
        for (; i + 2 * few <= count; i += few) {
            for (std::size_t k = 0; k < few; ++k) {
                next[k] = pull_per_distance(sun_x - x[i + few + k], sun_y - y[i + few + k], strength, most);
                move(x[i + k], y[i + k], vx[i + k], vy[i + k], sun_x, sun_y, pulls[k], dt, kept);
            }
            for (std::size_t k = 0; k < few; ++k) pulls[k] = next[k];
        }
        for (std::size_t k = 0; k < few; ++k, ++i)
            move(x[i], y[i], vx[i], vy[i], sun_x, sun_y, pulls[k], dt, kept);
    }
    for (; i < count; ++i)
        move(x[i], y[i], vx[i], vy[i], sun_x, sun_y,
             pull_per_distance(sun_x - x[i], sun_y - y[i], strength, most), dt, kept);
}

}  // namespace

void orbit_swarm(const Swarm& swarm, const Attractor& sun, double dt, double kept) {
    const std::size_t count = swarm.x.size();
    assert(swarm.y.size() == count && swarm.velocity_x.size() == count && swarm.velocity_y.size() == count);
    orbit(swarm.x.data(), swarm.y.data(), swarm.velocity_x.data(), swarm.velocity_y.data(), count,
          sun.position.x, sun.position.y, sun.strength, sun.most_acceleration, dt, kept);
}

}  // namespace instep::motion
