// SPDX-License-Identifier: MIT
// One-way shapes: a platform that is solid from above and open from below. What decides is data, so it
// replays: the poses, the motion of this step, and which contacts the last step stored.
//
//        o     in front: solid          A shape that is wholly in front of the platform, up to a tolerance,
//     ======== platform, direction ^    touches it. Once it does, the contact lasts until they part. What
//        o     behind: passes           comes from behind or from the side passes.
#pragma once

#include <instep/rigid/hull.h>

namespace instep::rigid {

struct OneWay {
    Vec2 direction{};         // a unit vector in the body's frame, to where it is solid; zero: on all sides
    double tolerance = 0.05;  // units; how deep a shape may be inside that is still in front

    bool is_set() const { return direction != Vec2{}; }
};

// How far `other` is in front of `platform` along a direction; negative where it is not wholly in front.
[[nodiscard]] double distance_in_front(const Hull& platform, Vec2 direction, const Hull& other);

// Contact normals lean at most 60 degrees from the direction.
inline constexpr double one_way_cosine = 0.5;

}  // namespace instep::rigid
