// SPDX-License-Identifier: MIT
// An axis-aligned box.
#pragma once

#include <algorithm>
#include <limits>

#include <instep/math/vec2.h>

namespace instep::motion {

struct Box {
    math::Vec2 low;
    math::Vec2 high;

    [[nodiscard]] constexpr Box shrunk(double margin) const {
        return {{low.x + margin, low.y + margin}, {high.x - margin, high.y - margin}};
    }
    [[nodiscard]] constexpr bool contains(math::Vec2 at) const {
        return at.x >= low.x && at.x <= high.x && at.y >= low.y && at.y <= high.y;
    }
    [[nodiscard]] constexpr bool touches(const Box& other) const {
        return low.x <= other.high.x && other.low.x <= high.x && low.y <= other.high.y &&
               other.low.y <= high.y;
    }
    [[nodiscard]] constexpr math::Vec2 clamp(math::Vec2 at) const {
        return {std::clamp(at.x, low.x, high.x), std::clamp(at.y, low.y, high.y)};
    }

    // The empty box, and the smallest box that contains two others.
    [[nodiscard]] static constexpr Box empty() {
        constexpr double far = std::numeric_limits<double>::infinity();
        return {{far, far}, {-far, -far}};
    }
    [[nodiscard]] constexpr bool is_empty() const { return low.x > high.x || low.y > high.y; }
    [[nodiscard]] constexpr Box joined_with(const Box& other) const {
        return {{std::min(low.x, other.low.x), std::min(low.y, other.low.y)},
                {std::max(high.x, other.high.x), std::max(high.y, other.high.y)}};
    }
};

}  // namespace instep::motion
