// SPDX-License-Identifier: MIT
#include <instep/motion/stepping.h>

#include <instep/math/trig.h>
#include <instep/math/units.h>
#include <instep/motion/distance.h>

namespace instep::motion {

using math::Vec2;

Vec2 place_of(const Foot& foot, const Gait& gait) {
    if (foot.phase != FootPhase::stepping) return foot.from;
    const double p = foot.progress;
    const double s = p * p * (3 - 2 * p);
    return foot.from + (foot.to - foot.from) * s + Vec2{0, math::sin(s * math::pi) * gait.height};
}

void advance(Foot& foot, Vec2 place, const Gait& gait, double dt) {
    if (foot.phase == FootPhase::unplaced) foot = {.from = place, .phase = FootPhase::planted};
    if (foot.phase == FootPhase::planted) {
        if (within(foot.from, place, gait.threshold)) return;
        foot.to = place;
        foot.progress = 0;
        foot.phase = FootPhase::stepping;
        return;
    }
    foot.progress += dt * gait.speed;
    if (!within(foot.to, place, gait.threshold / 2)) foot.to = place;
    if (foot.progress >= 1) foot = {.from = foot.to, .phase = FootPhase::planted};
}

}  // namespace instep::motion
