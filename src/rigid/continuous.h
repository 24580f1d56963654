// SPDX-License-Identifier: MIT
// Continuous collision. A body that moves farther in a step than it is thick could tunnel through a wall.
// Such a body stops where it first touches; the next step finds the contact there and applies the bounce. It
// keeps its velocity, except for what gravity would have added in the rest of the step.
//
//     o - - - - |>| - - ->      the distance divided by the greatest speed at which it can shrink is a safe
//     start     wall    end     time: advance by it, measure again (conservative advancement, Mirtich 1996)
//
// A body that already touches must not stop, or it would stay there for as long as something presses it on.
// It slides: the part of its displacement that brings its centroid too close to the other shape is removed,
// the tangential part stays. Then the rest is swept again, for there may be another wall, and a rotating body
// may hit with another corner, which may get a little deep, and no deeper.
//
//         \  displacement     From a point outside a convex shape, a displacement without a component towards
//      (m) \                  the closest point never gets closer: so the centroid stays outside. The same is
//     ------>==========        done for slow bodies pressed deep into something, or a heavy lid would squeeze
//      slid   wall             small balls through a floor.
#pragma once

#include <instep/rigid/scratch.h>

namespace instep::rigid {

// The motion of a body during a step (b2Sweep in Box2D).
struct Sweep {
    Vec2 start{};
    Vec2 displacement{};
    double angle = 0;
    double delta_angle = 0;

    [[nodiscard]] Pose at(double fraction) const {
        return {start + fraction * displacement, math::Rotation::from_angle(angle + fraction * delta_angle)};
    }
};

// The distance at which a sweep stops: within the margin, so that the next step makes a contact.
inline constexpr double touching_distance = 2 * linear_slop;

// Two shapes this close to a target distance have reached it.
inline constexpr double impact_tolerance = 0.25 * linear_slop;

// The fraction of the step, from 0 to 1, after which the distance of two shapes is `target`; 1 if it never
// is, 0 if it is from the start.
[[nodiscard]] double time_of_impact(const Hull& a, double max_extent_a, const Sweep& sweep_a, const Hull& b,
                                    double max_extent_b, const Sweep& sweep_b,
                                    double target = touching_distance);

// Shortens the displacements of bodies that are fast or deep in another. Fixed and kinematic bodies stop
// every body, dynamic bodies stop only bullets.
void solve_continuous(const Setup& setup, double dt, Scratch& scratch);

}  // namespace instep::rigid
