// SPDX-License-Identifier: MIT
// An angle modulo quarter turns, for angles so large that doubles no longer hold the difference. Used by
// trig.cpp only.
#pragma once

#include <instep/math/float_rules.h>

#include <cstdint>

namespace instep::math {

// quadrant·pi/2 + high + low, where |high + low| is at most pi/4 and |low| far less than |high|. Only the two
// lowest bits of the quadrant count.
struct ReducedAngle {
    std::uint64_t quadrant;
    double high;
    double low;
};

// For finite angles from 2^19 up. Off by less than 2^-70 of the result.
[[nodiscard]] ReducedAngle reduce_huge_angle(double angle);

}  // namespace instep::math
