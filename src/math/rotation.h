// SPDX-License-Identifier: MIT
// Rotations as cosine and sine, and angles on the circle. A state holds angles; a Rotation is computed from
// an angle to rotate points. Positive is counterclockwise with y up.
#pragma once

#include <instep/math/trig.h>
#include <instep/math/units.h>
#include <instep/math/vec2.h>

#include <cmath>
#include <limits>
#include <type_traits>

namespace instep::math {

struct Rotation {
    double c = 1;  // cosine
    double s = 0;  // sine

    [[nodiscard]] static Rotation from_angle(double angle) {
        const SinCos both = sincos(angle);
        return {both.cos, both.sin};
    }

    // In [-pi, pi].
    [[nodiscard]] double angle() const { return atan2(s, c); }

    friend constexpr bool operator==(const Rotation&, const Rotation&) = default;
};

static_assert(std::is_trivially_copyable_v<Rotation> && std::is_aggregate_v<Rotation> &&
              sizeof(Rotation) == 16);

[[nodiscard]] constexpr Vec2 rotate(Rotation r, Vec2 v) {
    return {r.c * v.x - r.s * v.y, r.s * v.x + r.c * v.y};
}

[[nodiscard]] constexpr Vec2 inverse_rotate(Rotation r, Vec2 v) {
    return {r.c * v.x + r.s * v.y, r.c * v.y - r.s * v.x};
}

[[nodiscard]] constexpr Rotation inverse(Rotation r) { return {r.c, -r.s}; }

// Rotates by `first`, then by `second`: rotate(compose(second, first), v) is rotate(second, rotate(first,
// v)), rounding aside. A long chain of products drifts off the unit circle: store the angle instead, or
// normalise.
[[nodiscard]] constexpr Rotation compose(Rotation second, Rotation first) {
    return {second.c * first.c - second.s * first.s, second.s * first.c + second.c * first.s};
}

// The same angle in [-pi, pi), exact, where a full turn is the double two_pi. For infinities and NaN it is
// NaN.
[[nodiscard]] inline double wrap_angle(double angle) {
    if (angle >= -pi && angle < pi) {
        return angle;
    }
    if (!(std::fabs(angle) <= std::numeric_limits<double>::max())) {
        return std::numeric_limits<double>::quiet_NaN();
    }
    const double remainder = std::remainder(angle, two_pi);  // exact, so the same everywhere; in [-pi, pi]
    return remainder < pi ? remainder : -pi;
}

// The same angle in [0, two_pi); never -0.
[[nodiscard]] inline double wrap_angle_positive(double angle) {
    const double wrapped = wrap_angle(angle);
    const double positive = wrapped < 0 ? wrapped + two_pi : wrapped + 0.0;
    return positive >= two_pi ? 0.0 : positive;  // a tiny negative angle rounds up to a full turn
}

// The angle from `from` to `to` along the shorter arc, in [-pi, pi). Defined for all finite angles.
[[nodiscard]] inline double angle_difference(double from, double to) {
    return wrap_angle(wrap_angle(to) - wrap_angle(from));
}

}  // namespace instep::math
