// SPDX-License-Identifier: MIT
// The units of the original protocol beside ours. Its packets hold positions at a tenth of world units and
// sizes of a client's window in tens of them (section 2), and turn a heading by a quarter back both in the
// input and in the output (section 8): a 0 that a client sends comes back to it as -pi.
#pragma once

#include <cstdint>

#include <instep/math/units.h>
#include <instep/math/vec2.h>

namespace instep::worlds::flail {

inline constexpr double world_units_per_packet_unit = 10;

// As the original does it: a division in double precision, rounded once more to the float that is sent.
[[nodiscard]] constexpr float packet_length_from_world(double world) {
    return static_cast<float>(world / world_units_per_packet_unit);
}

[[nodiscard]] constexpr double world_length_from_packet(float packet) {
    return static_cast<double>(packet) * world_units_per_packet_unit;
}

[[nodiscard]] constexpr math::Vec2 world_point_from_packet(float x, float y) {
    return {world_length_from_packet(x), world_length_from_packet(y)};
}

// Width and height of a window, sent as whole tens.
[[nodiscard]] constexpr double world_size_from_packet(std::uint16_t packet) {
    return packet * world_units_per_packet_unit;
}

// Of an input that arrives.
[[nodiscard]] constexpr double heading_from_packet(double packet) { return packet - math::half_pi; }

// Of a body that is sent. Not the inverse of the one above: both subtract. A flail's angle is sent as it
// is.
[[nodiscard]] constexpr float packet_heading_from_world(double heading) {
    return static_cast<float>(heading - math::half_pi);
}

// What a client sends for this heading; heading_from_packet undoes it up to rounding.
[[nodiscard]] constexpr double packet_input_from_heading(double heading) { return heading + math::half_pi; }

}  // namespace instep::worlds::flail
