// SPDX-License-Identifier: MIT
// A 2D vector of doubles: a plain aggregate whose bytes are part of a state. The only products of two vectors
// are dot and cross. "Counterclockwise" means with x to the right and y up.
#pragma once

#include <instep/math/float_rules.h>

#include <cmath>
#include <limits>
#include <type_traits>

namespace instep::math {

struct Vec2 {
    double x = 0;
    double y = 0;

    constexpr Vec2& operator+=(Vec2 other) {
        x += other.x;
        y += other.y;
        return *this;
    }

    constexpr Vec2& operator-=(Vec2 other) {
        x -= other.x;
        y -= other.y;
        return *this;
    }

    constexpr Vec2& operator*=(double factor) {
        x *= factor;
        y *= factor;
        return *this;
    }

    constexpr Vec2& operator/=(double divisor) {
        x /= divisor;
        y /= divisor;
        return *this;
    }

    // As for double: -0 equals 0, and NaN equals nothing.
    friend constexpr bool operator==(const Vec2&, const Vec2&) = default;
};

static_assert(std::is_trivially_copyable_v<Vec2> && std::is_aggregate_v<Vec2> && sizeof(Vec2) == 16);

[[nodiscard]] inline bool all_finite(Vec2 v) { return std::isfinite(v.x) && std::isfinite(v.y); }

[[nodiscard]] constexpr Vec2 operator+(Vec2 a, Vec2 b) { return {a.x + b.x, a.y + b.y}; }
[[nodiscard]] constexpr Vec2 operator-(Vec2 a, Vec2 b) { return {a.x - b.x, a.y - b.y}; }
[[nodiscard]] constexpr Vec2 operator-(Vec2 v) { return {-v.x, -v.y}; }
[[nodiscard]] constexpr Vec2 operator*(Vec2 v, double factor) { return {v.x * factor, v.y * factor}; }
[[nodiscard]] constexpr Vec2 operator*(double factor, Vec2 v) { return {factor * v.x, factor * v.y}; }

// Two divisions, not one and two products: v / d is the nearest double to each quotient.
[[nodiscard]] constexpr Vec2 operator/(Vec2 v, double divisor) { return {v.x / divisor, v.y / divisor}; }

[[nodiscard]] constexpr double dot(Vec2 a, Vec2 b) { return a.x * b.x + a.y * b.y; }

// The z of the 3D cross product: positive when b lies counterclockwise of a.
[[nodiscard]] constexpr double cross(Vec2 a, Vec2 b) { return a.x * b.y - a.y * b.x; }

// v turned a quarter counterclockwise, so that cross(v, perpendicular(v)) is length_squared(v).
[[nodiscard]] constexpr Vec2 perpendicular(Vec2 v) { return {-v.y, v.x}; }

// Squares overflow above 1e154 and vanish below 1e-154; worlds stay far inside that range.
[[nodiscard]] constexpr double length_squared(Vec2 v) { return dot(v, v); }
[[nodiscard]] inline double length(Vec2 v) { return std::sqrt(length_squared(v)); }

[[nodiscard]] constexpr double distance_squared(Vec2 a, Vec2 b) { return length_squared(b - a); }
[[nodiscard]] inline double distance(Vec2 a, Vec2 b) { return length(b - a); }

// The unit vector along v, or zero if v has no usable direction: shorter than 1.5e-154, longer than 1.3e154,
// infinite or NaN. The result is always a unit vector or zero.
[[nodiscard]] inline Vec2 normalized_or_zero(Vec2 v) {
    const double squared = length_squared(v);
    const bool has_direction =
        squared >= std::numeric_limits<double>::min() && squared <= std::numeric_limits<double>::max();
    return has_direction ? v / std::sqrt(squared) : Vec2{};
}

}  // namespace instep::math
