// SPDX-License-Identifier: MIT
#include <instep/motion/box.h>

namespace instep::motion {

using math::Vec2;

Vec2 end_of_way(Vec2 start, Vec2 end, const Box& box, bool sees_far_side) {
    const Vec2 way = end - start;
    // What comes out below where all of the way is free; its bits are not always those of `end`.
    if (box.contains(start) && box.contains(end)) return start + way;
    double part = 1;  // of the way that is free
    for (double Vec2::* axis : {&Vec2::x, &Vec2::y}) {
        if (way.*axis == 0) continue;
        const double one = (box.low.*axis - start.*axis) / way.*axis;
        const double other = (box.high.*axis - start.*axis) / way.*axis;
        const double near = std::min(one, other);
        const double far = std::max(one, other);
        if (far < 0 || near > part) return end;
        if (near > 0) part = std::min(part, near);
        if (sees_far_side && near <= 0) part = std::min(part, far);
    }
    return start + way * part;
}

}  // namespace instep::motion
