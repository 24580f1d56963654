// SPDX-License-Identifier: MIT
// Distance tests without a square root. Touching exactly counts.
#pragma once

#include <instep/math/vec2.h>

namespace instep::motion {

[[nodiscard]] constexpr bool within(math::Vec2 a, math::Vec2 b, double reach) {
    return math::distance_squared(a, b) <= reach * reach;
}

[[nodiscard]] constexpr bool circles_touch(math::Vec2 a, double radius_a, math::Vec2 b, double radius_b) {
    return within(a, b, radius_a + radius_b);
}

}  // namespace instep::motion
