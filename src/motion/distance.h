// SPDX-License-Identifier: MIT
// Distance tests. Touching exactly counts.
#pragma once

#include <cmath>
#include <optional>

#include <instep/math/vec2.h>

namespace instep::motion {

[[nodiscard]] constexpr bool within(math::Vec2 a, math::Vec2 b, double reach) {
    return math::distance_squared(a, b) <= reach * reach;
}

[[nodiscard]] constexpr bool circles_touch(math::Vec2 a, double radius_a, math::Vec2 b, double radius_b) {
    return within(a, b, radius_a + radius_b);
}

// The part of the way from `from` to `to`, 0 to 1, at which a point first is within `reach` of the origin.
// Two moving circles: the one's motion relative to the other's, and the sum of their radii.
[[nodiscard]] inline std::optional<double> first_within(math::Vec2 from, math::Vec2 to, double reach) {
    const double outside = math::length_squared(from) - reach * reach;
    if (outside <= 0) return 0;
    const math::Vec2 motion = to - from;
    const double towards = -math::dot(from, motion);
    if (towards <= 0) return std::nullopt;
    const double square = math::length_squared(motion);
    const double discriminant = towards * towards - square * outside;
    if (discriminant < 0) return std::nullopt;
    const double part = (towards - std::sqrt(discriminant)) / square;
    if (part > 1) return std::nullopt;
    return part;
}

}  // namespace instep::motion
