// SPDX-License-Identifier: MIT
// Traps: objects of the map that move and hurt. Where one is and what it looks like depends on the time
// alone, so that no trap is part of the state.
#pragma once

#include <foothold/clock.h>
#include <foothold/state.h>

namespace instep::worlds::foothold {

inline constexpr std::uint8_t harmless_opacity = 26;  // a frame fainter than this does no harm
inline constexpr double smallest_sprite = 4;          // px: a sprite of this or less is no box

// objectMoveOffset: the offset of a trap from its position. A period that is 0 or NaN means the default.
Vec2 move_offset(std::int32_t type, double width, double height, double period, double now_ms);

// The frame shown at this time.
const TrapFrame& frame_at(const TrapAnimation& animation, double now_ms);

// The box that hurts, around the origin of a frame, mirrored if flipped; may be empty.
Box box_of(const TrapFrame& frame, bool flip);

// The box around a box that is turned about the origin, clockwise on the screen.
Box turned(const Box& box, double angle);

// The direction in which a trap pushes: 1, -1, or 0 for away from its middle.
int push_of(const Trap& trap, const Setup& setup);

// The box of a trap that hurts at this time, in the map; may be empty.
Box box_of(const Trap& trap, const Setup& setup, double now_ms);

}  // namespace instep::worlds::foothold
