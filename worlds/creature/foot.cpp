// SPDX-License-Identifier: MIT
#include <creature/foot.h>

#include <algorithm>

#include <instep/math/trig.h>
#include <instep/math/units.h>
#include <instep/motion/distance.h>

namespace instep::worlds::creature {

using math::Vec2;

Vec2 position_of(const Foot& foot, const Gait& gait) {
    if (foot.phase != FootPhase::stepping) return foot.from;
    const double p = foot.progress;
    const double s = p * p * (3 - 2 * p);
    return foot.from + (foot.to - foot.from) * s + Vec2{0, math::sin(s * math::pi) * gait.height};
}

void advance(Foot& foot, Vec2 goal, const Gait& gait, double dt) {
    if (foot.phase == FootPhase::unplaced) foot = {.from = goal, .phase = FootPhase::planted};
    if (foot.phase == FootPhase::planted) {
        if (motion::within(foot.from, goal, gait.threshold)) return;
        foot.to = goal;
        foot.progress = 0;
        foot.phase = FootPhase::stepping;
        return;
    }
    foot.progress += dt * gait.speed;
    if (!motion::within(foot.to, goal, gait.threshold / 2)) foot.to = goal;
    if (foot.progress >= 1) foot = {.from = foot.to, .phase = FootPhase::planted};
}

Vec2 end_of_way(Vec2 start, Vec2 end, const motion::Box& box, bool sees_far_side) {
    const Vec2 offset = end - start;
    // The result of the code below where nothing is in the way; its bits are not always those of `end`.
    if (box.contains(start) && box.contains(end)) return start + offset;
    double part = 1;  // of the segment up to the box
    for (double Vec2::* axis : {&Vec2::x, &Vec2::y}) {
        if (offset.*axis == 0) continue;
        const double one = (box.low.*axis - start.*axis) / offset.*axis;
        const double other = (box.high.*axis - start.*axis) / offset.*axis;
        const double near = std::min(one, other);
        const double far = std::max(one, other);
        if (far < 0 || near > part) return end;
        if (near > 0) part = std::min(part, near);
        if (sees_far_side && near <= 0) part = std::min(part, far);
    }
    return start + offset * part;
}

}  // namespace instep::worlds::creature
