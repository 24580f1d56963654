// SPDX-License-Identifier: MIT
// A character: a capsule that stands upright, slides along walls, climbs steps and walkable slopes, and keeps
// to the ground. It is no body: a pure function of queries says where it gets to. y is up.
//
//      (m) ->   1. out of what it overlaps       3. blocked on the ground: up by a step, on, and down again
//      |_|__    2. along the way, and along      4. down to the ground, if it stood on it before
//     ______|      what it hits
//
// On moving ground, add ground_velocity() times dt to the displacement.
#pragma once

#include <instep/rigid/queries.h>

namespace instep::rigid {

struct MoverConfig {
    double radius = 0.4;            // of the capsule, units
    double half_height = 0.5;       // of its straight part, units
    double walkable = 0.7;          // the least y of a ground normal: 0.7 is a slope of 45 degrees
    double step_height = 0.3;       // units
    double skin = 2 * linear_slop;  // the distance kept from everything, units
    QueryFilter filter{};
};

struct MoverState {
    Vec2 position{};  // of the capsule's centre
    bool on_ground = false;
    Vec2 ground_normal{};
    Handle ground{};
};

// The state after a displacement. A jump is a displacement upwards: it leaves the ground.
[[nodiscard]] MoverState move(const Queries& queries, const MoverConfig& config, const MoverState& state,
                              Vec2 displacement);

// The velocity of the ground under a mover; zero in the air.
[[nodiscard]] Vec2 ground_velocity(const Space& space, const MoverConfig& config, const MoverState& state);

}  // namespace instep::rigid
