// SPDX-License-Identifier: MIT
// Conversions between the units of worlds and their documents, named result_from_argument. A tick rate is in
// ticks per second.
#pragma once

#include <instep/math/float_rules.h>

#include <cmath>
#include <cstdint>

namespace instep::math {

inline constexpr double pi = 0x1.921fb54442d18p+1;
inline constexpr double two_pi = 2 * pi;
inline constexpr double half_pi = pi / 2;

[[nodiscard]] constexpr double radians_from_degrees(double degrees) { return degrees * (pi / 180); }
[[nodiscard]] constexpr double degrees_from_radians(double radians) { return radians * (180 / pi); }

[[nodiscard]] constexpr double seconds_from_ticks(std::int64_t ticks, double tick_rate) {
    return static_cast<double>(ticks) / tick_rate;
}

[[nodiscard]] constexpr double milliseconds_from_ticks(std::int64_t ticks, double tick_rate) {
    return static_cast<double>(ticks) * 1000 / tick_rate;
}

// The nearest whole number, halves away from zero. Clamps to ±2^62 and gives 0 for NaN, because the plain
// conversion of such values differs between processors.
[[nodiscard]] inline std::int64_t nearest_tick(double ticks) {
    constexpr double limit = 0x1p62;
    if (ticks != ticks) {
        return 0;
    }
    const double bounded = ticks > limit ? limit : (ticks < -limit ? -limit : ticks);
    return static_cast<std::int64_t>(std::round(bounded));
}

[[nodiscard]] inline std::int64_t ticks_from_seconds(double seconds, double tick_rate) {
    return nearest_tick(seconds * tick_rate);
}

[[nodiscard]] inline std::int64_t ticks_from_milliseconds(double milliseconds, double tick_rate) {
    return nearest_tick(milliseconds * tick_rate / 1000);
}

// Documents give speeds per tick or per second. These take a double or a Vec2.
template <typename Quantity>
[[nodiscard]] constexpr Quantity velocity_per_second(Quantity per_tick, double tick_rate) {
    return per_tick * tick_rate;
}

template <typename Quantity>
[[nodiscard]] constexpr Quantity velocity_per_tick(Quantity per_second, double tick_rate) {
    return per_second / tick_rate;
}

template <typename Quantity>
[[nodiscard]] constexpr Quantity acceleration_per_second_squared(Quantity per_tick_squared,
                                                                 double tick_rate) {
    return per_tick_squared * (tick_rate * tick_rate);
}

template <typename Quantity>
[[nodiscard]] constexpr Quantity acceleration_per_tick_squared(Quantity per_second_squared,
                                                               double tick_rate) {
    return per_second_squared / (tick_rate * tick_rate);
}

}  // namespace instep::math
