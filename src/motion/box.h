// SPDX-License-Identifier: MIT
// An axis-aligned box.
#pragma once

#include <algorithm>
#include <limits>

#include <instep/math/random.h>
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
    [[nodiscard]] constexpr math::Vec2 center() const { return (low + high) / 2; }
    // x is drawn before y: in one expression, compilers would differ in the order.
    [[nodiscard]] constexpr math::Vec2 random_point(math::Random& random) const {
        const double x = random.uniform(low.x, high.x);
        const double y = random.uniform(low.y, high.y);
        return {x, y};
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

namespace detail {
constexpr double rebound_axis(double& position, double& velocity, double low, double high,
                              double restitution) {
    const double held = position < low ? low : position > high ? high : position;
    if (held == position) return 0;
    const bool is_outward = position < low ? velocity < 0 : velocity > 0;
    position = held;
    if (!is_outward) return 0;
    const double speed = velocity < 0 ? -velocity : velocity;
    velocity *= -restitution;
    return speed;
}
}  // namespace detail

// Brings a point that has left the box back to its wall and turns its velocity around, of which `restitution`
// remains: 1 keeps all speed. Returns the speed at which it met a wall, or 0.
constexpr double rebound(const Box& box, math::Vec2& position, math::Vec2& velocity, double restitution) {
    const double x = detail::rebound_axis(position.x, velocity.x, box.low.x, box.high.x, restitution);
    const double y = detail::rebound_axis(position.y, velocity.y, box.low.y, box.high.y, restitution);
    return x > y ? x : y;
}

}  // namespace instep::motion
