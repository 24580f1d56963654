// SPDX-License-Identifier: MIT
// How far one direction may turn from another. The document clamps angles; here a direction is a unit vector
// and a limit is a sector between two of them, so that a chain of bones needs no sine or arctangent, and a
// mirrored chain bends in mirror image to the last bit. The clamp on angles is kept beside it: it is the
// definition that the sector is held to.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>

#include <instep/math/trig.h>
#include <instep/math/units.h>
#include <instep/math/vec2.h>

namespace instep::motion {

using math::Vec2;

// --- Angles, as the original program has them; it computes in floats, we in doubles ------------------------

// In [-pi, pi], by C's remainder, which keeps the sign of the angle.
template <std::floating_point Real>
[[nodiscard]] Real wrapped(Real angle) {
    constexpr auto pi = static_cast<Real>(math::pi);
    const Real rest = std::fmod(angle, 2 * pi);
    return rest > pi ? rest - 2 * pi : rest < -pi ? rest + 2 * pi : rest;
}

// In [0, 2 pi).
template <std::floating_point Real>
[[nodiscard]] Real wrapped_positive(Real angle) {
    const Real rest = wrapped(angle);
    return rest < 0 ? rest + 2 * static_cast<Real>(math::pi) : rest;
}

// `angle`, turned to where it differs from `reference` by no less than one limit and no more than the other.
template <std::floating_point Real>
[[nodiscard]] Real limited_angle(Real angle, Real reference, Real limit, Real other_limit) {
    constexpr auto pi = static_cast<Real>(math::pi);
    const Real difference = wrapped_positive(angle + pi - reference) - pi;
    const Real low = std::min(limit, other_limit);
    const Real high = std::max(limit, other_limit);
    return wrapped_positive(reference + std::clamp(difference, low, high));
}

// --- Directions --------------------------------------------------------------------------------------------

// The unit vector along v; a vector of no length counts as pointing along x.
[[nodiscard]] inline Vec2 direction_of(Vec2 v) {
    const double squared = length_squared(v);
    return squared > 0 ? v / std::sqrt(squared) : Vec2{1, 0};
}

[[nodiscard]] inline Vec2 direction_at(double angle) {
    const math::SinCos turn = math::sincos(angle);
    return {turn.cos, turn.sin};
}

[[nodiscard]] inline double angle_of(Vec2 direction) { return math::atan2(direction.y, direction.x); }

// `direction` turned counterclockwise by `turn`, which is a direction itself: complex numbers multiplied.
[[nodiscard]] constexpr Vec2 turned(Vec2 direction, Vec2 turn) {
    return {direction.x * turn.x - direction.y * turn.y, direction.x * turn.y + direction.y * turn.x};
}

// The sector that a turn may end in: from `low`, counterclockwise past straight on, to `high`.
struct AngleLimit {
    Vec2 low;
    Vec2 high;
    bool has_low = false;  // false for half a turn
    bool has_high = false;

    [[nodiscard]] static AngleLimit between(double limit, double other_limit) {
        const double low = std::min(limit, other_limit);
        const double high = std::max(limit, other_limit);
        return {direction_at(low), direction_at(high), low > -math::pi, high < math::pi};
    }
};

// Whether the angle of `a` is below that of `b`, both taken from [-pi, pi).
[[nodiscard]] constexpr bool turns_less(Vec2 a, Vec2 b) {
    const bool a_is_negative = a.y < 0 || (a.y == 0 && a.x < 0);
    const bool b_is_negative = b.y < 0 || (b.y == 0 && b.x < 0);
    return a_is_negative == b_is_negative ? cross(a, b) > 0 : a_is_negative;
}

// limited_angle for directions: `wanted` if the sector around `reference` holds it, else the end of the
// sector that it lies beyond.
[[nodiscard]] inline Vec2 limited_direction(Vec2 wanted, Vec2 reference, const AngleLimit& limit) {
    const Vec2 turn{dot(reference, wanted), cross(reference, wanted)};
    if (limit.has_low && turns_less(turn, limit.low)) return turned(reference, limit.low);
    if (limit.has_high && turns_less(limit.high, turn)) return turned(reference, limit.high);
    return wanted;
}

}  // namespace instep::motion
