// SPDX-License-Identifier: MIT
#include <instep/motion/gravity.h>

#include <cassert>

#include <instep/motion/simd.h>

namespace instep::motion {
namespace {

INSTEP_WIDE
void orbit(double* __restrict x, double* __restrict y, double* __restrict vx, double* __restrict vy,
           std::size_t count, double sun_x, double sun_y, double strength, double most, double dt,
           double kept) {
    for (std::size_t i = 0; i < count; ++i) {
        const double dx = sun_x - x[i];
        const double dy = sun_y - y[i];
        const double squared = dx * dx + dy * dy;
        const double inverse = 1 / std::sqrt(squared);
        const double pull = strength * (inverse * inverse);
        const double limited = pull < most ? pull : most;
        const double scale = squared > 0 ? limited * inverse : 0;
        vx[i] = vx[i] * kept + dx * scale * dt;
        vy[i] = vy[i] * kept + dy * scale * dt;
        x[i] = x[i] + vx[i] * dt;
        y[i] = y[i] + vy[i] * dt;
    }
}

}  // namespace

void orbit_swarm(const Swarm& swarm, const Attractor& sun, double dt, double kept) {
    const std::size_t count = swarm.x.size();
    assert(swarm.y.size() == count && swarm.velocity_x.size() == count && swarm.velocity_y.size() == count);
    orbit(swarm.x.data(), swarm.y.data(), swarm.velocity_x.data(), swarm.velocity_y.data(), count,
          sun.position.x, sun.position.y, sun.strength, sun.strength > 0 ? sun.most_acceleration : 0, dt,
          kept);
}

}  // namespace instep::motion
