// SPDX-License-Identifier: MIT
// Inverse kinematics by FABRIK (Aristidou and Lasenby, 2011): the joints of a limb are placed so that its tip
// reaches a goal. Backward from the goal, forward from the root, until the tip is near enough. The forward
// half also keeps the joints' angle limits; afterwards every joint is brought to the side to which it is to
// bend.
#pragma once

#include <cstdint>
#include <span>

#include <instep/motion/angle_limit.h>

namespace instep::motion {

inline constexpr std::size_t most_joints = 8;  // of one limb

// A joint and the bone that leads to it from the joint before, or from the root.
struct Joint {
    AngleLimit limit;  // against the bone before it; the first one's against the heading of the root
    double length = 0;
    bool bends_left = false;  // which side of the line from root to tip it is on, seen along that line
};

struct Reach {
    Vec2 root;
    Vec2 heading;  // of the root
    Vec2 goal;
    double tolerance = 0.1;
    std::uint32_t iterations = 10;
};

// `positions` are those of the joints, from the first to the tip. A goal out of reach is pointed at.
void reach_for(const Reach& reach, std::span<const Joint> joints, std::span<Vec2> positions);

}  // namespace instep::motion
