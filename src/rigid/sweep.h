// SPDX-License-Identifier: MIT
// Continuous collision: what moves farther in a step than it is thick could pass through a wall between two
// steps. Its whole way is looked at, and it stops where it first touches; the next step finds the contact
// there and lets it bounce. Its speed stays, but for what gravity would give it in the rest of the step.
//
//     o - - - - |>| - - ->      the distance d divided by the greatest speed at which it can shrink is a time
//     from      wall    to      in which nothing can happen: go there, ask again (conservative advancement)
//
// What touches already must not stop, or it would stay where it is for as long as something presses it on.
// It slides: the part of its way that brings its middle too near to the other is taken away, the part along
// it is left, and then the way that is left is swept once more, for there may be another wall on it, and for
// what turns may come with another corner: that may get a little deep, and no deeper.
//
//         \  way              From a point outside of something convex, a way with no part towards the
//      (m) \                  nearest place of it never gets nearer to it: so the middle stays outside.
//     ------>==========        The same is done for what is slow and pressed deep into something, or a heavy
//      slid   wall             lid would squeeze small balls through a floor.
#pragma once

#include <instep/rigid/scratch.h>

namespace instep::rigid {

// A body's way during a step.
struct Motion {
    Vec2 from{};
    Vec2 shift{};
    double angle = 0;
    double turn = 0;

    [[nodiscard]] Pose at(double fraction) const {
        return {from + fraction * shift, math::Rotation::from_angle(angle + fraction * turn)};
    }
};

// The distance at which a sweep stops: less than the margin within which the next step makes a contact.
inline constexpr double touching_distance = 2 * linear_slop;

// The part of their ways, from 0 to 1, after which two shapes come as near as `target`; 1 if they don't. 0
// means that they are from the beginning.
[[nodiscard]] double time_of_impact(const Hull& a, double reach_a, const Motion& motion_a, const Hull& b,
                                    double reach_b, const Motion& motion_b,
                                    double target = touching_distance);

// Shortens the ways of bodies that are fast or pressed into something. What does not give way stops everyone,
// dynamic bodies only stop bullets.
void stop_at_impacts(const Space& space, const Setup& setup, double dt, Scratch& scratch);

}  // namespace instep::rigid
