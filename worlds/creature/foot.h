// SPDX-License-Identifier: MIT
// Feet that plant. A foot stays where it is while the body moves on; when its goal has
// got too far away it steps there, in an arc, and meanwhile follows the goal if that moves much.
#pragma once

#include <cstdint>
#include <string_view>

#include <instep/math/vec2.h>
#include <instep/motion/box.h>
#include <instep/state/field.h>

namespace instep::worlds::creature {

enum class FootPhase : std::uint8_t { unplaced, planted, stepping };
inline constexpr std::string_view foot_phase_names[] = {"unplaced", "planted", "stepping"};

struct Foot {
    math::Vec2 from;      // where it is planted, or began its step
    math::Vec2 to;        // where the step leads
    double progress = 0;  // of the step, from 0 to 1
    FootPhase phase = FootPhase::unplaced;
    state::Reserved<7> unused;
};

constexpr auto fields_of(state::Type<Foot>) {
    using state::field;
    return state::fields("Foot", field("from", &Foot::from), field("to", &Foot::to),
                         field("progress", &Foot::progress, {.low = 0, .high = 1, .precision = 0.001}),
                         field("phase", &Foot::phase, {.labels = foot_phase_names}),
                         field("unused", &Foot::unused));
}

struct Gait {
    double threshold = 20;  // a foot farther than this from its goal begins a step
    double speed = 3;       // steps a second
    double height = 10;     // of the arc, along y
};

// Where the foot is now: on the ground, or on its arc. Along the ground the step is a smoothstep, s = p²(3 -
// 2p); the lift is a half wave of it, sin(pi s).
[[nodiscard]] math::Vec2 position_of(const Foot& foot, const Gait& gait);

// One tick. An unplaced foot is put on its goal.
void advance(Foot& foot, math::Vec2 goal, const Gait& gait, double dt);

// The point at which the segment from `start` to `end` first meets the box. The original tests only the near
// side of each wall, so from inside it finds no wall and returns `end`; with `sees_far_side` the segment ends
// at the wall.
[[nodiscard]] math::Vec2 end_of_way(math::Vec2 start, math::Vec2 end, const motion::Box& box,
                                    bool sees_far_side);

}  // namespace instep::worlds::creature
