// SPDX-License-Identifier: MIT
// The document's two systems of units, and the conversions between them: the reference counts in ticks of 8
// ms, the web client in seconds. Pixels are the same in both.
#pragma once

#include <cstdint>

#include <foothold/physics_web.h>
#include <instep/math/units.h>

namespace instep::worlds::foothold {

using web::ticks_per_second;
inline constexpr double milliseconds_per_tick = 1000 / ticks_per_second;  // TIMESTEP

[[nodiscard]] constexpr double px_per_second_from_px_per_tick(double speed) {
    return math::velocity_per_second(speed, ticks_per_second);
}
[[nodiscard]] constexpr double px_per_tick_from_px_per_second(double speed) {
    return math::velocity_per_tick(speed, ticks_per_second);
}
[[nodiscard]] constexpr double px_per_second2_from_px_per_tick2(double force) {
    return math::acceleration_per_second_squared(force, ticks_per_second);
}
[[nodiscard]] constexpr double px_per_tick2_from_px_per_second2(double force) {
    return math::acceleration_per_tick_squared(force, ticks_per_second);
}
[[nodiscard]] constexpr double milliseconds_from_ticks(std::int64_t ticks) {
    return static_cast<double>(ticks) * milliseconds_per_tick;
}
[[nodiscard]] inline std::int64_t ticks_from_milliseconds(double milliseconds) {
    return math::nearest_tick(milliseconds / milliseconds_per_tick);
}

// Stats of a player and of a mob turned into forces. The reference computes them in 32-bit floats, the web
// client in doubles.
[[nodiscard]] constexpr float walk_force(float speed_stat) { return 0.05f + 0.11f * speed_stat / 100; }
[[nodiscard]] constexpr float jump_force(float jump_stat) { return 1.0f + 3.5f * jump_stat / 100; }
[[nodiscard]] constexpr float climb_force(float speed_stat) { return speed_stat / 100; }
[[nodiscard]] constexpr double walk_force(double speed_stat) { return 0.05 + 0.11 * speed_stat / 100; }
[[nodiscard]] constexpr double jump_force(double jump_stat) { return 1.0 + 3.5 * jump_stat / 100; }
[[nodiscard]] constexpr double climb_force(double speed_stat) { return speed_stat / 100; }
[[nodiscard]] constexpr float mob_force(std::int32_t speed_stat) {
    return static_cast<float>(speed_stat + 100) * 0.001f;
}

}  // namespace instep::worlds::foothold
