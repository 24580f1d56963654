// SPDX-License-Identifier: MIT
// Sine, cosine and arctangent with the same bits on every platform, which the system's library does not
// guarantee. They use only + - * / and integer operations and are within 1 ulp everywhere, huge angles
// included. They are compiled in the library, never inline, so that a user's flags don't affect them.
#pragma once

#include <instep/math/float_rules.h>

#include <span>

namespace instep::math {

struct SinCos {
    double sin = 0;
    double cos = 1;
};

// Radians; any finite angle, reduced by the true value of pi. sin(-0) is -0. An infinite angle or NaN gives
// NaN, always the positive quiet NaN of std::numeric_limits.
[[nodiscard]] double sin(double angle);
[[nodiscard]] double cos(double angle);
[[nodiscard]] SinCos sincos(double angle);

// In [-pi/2, pi/2]; atan(-0) is -0.
[[nodiscard]] double atan(double tangent);

// The angle of the point (x, y) in [-pi, pi], y first as in C, with C's special cases (Annex F): the sign of
// a zero y chooses between pi and -pi behind the origin, infinite arguments give multiples of pi/4, atan2(0,
// 0) is 0.
[[nodiscard]] double atan2(double y, double x);

// The same bits as the functions above for each element, at several times the speed. All spans have equal
// length; the outputs may not overlap each other, but one of them may be the input.
void sincos(std::span<const double> angles, std::span<double> sines, std::span<double> cosines);
void atan2(std::span<const double> ys, std::span<const double> xs, std::span<double> angles);

}  // namespace instep::math
