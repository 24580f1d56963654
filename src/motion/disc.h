// SPDX-License-Identifier: MIT
// Discs that run into each other, for worlds that need no rigid bodies.
#pragma once

#include <cmath>

#include <instep/math/vec2.h>

namespace instep::motion {

struct DiscContact {
    bool is_touching = false;
    double approach = 0;  // speed along the line between the centres before the impact; at most 0: they part
    explicit operator bool() const { return is_touching; }
};

struct DiscImpact {
    double restitution = 0;  // 1 keeps all speed in an impact, 0 loses all speed along the normal
    double share = 0.5;      // of the correction that `a` takes; with 0.5 the masses are equal
};

// Moves `a` and `b`, whose radii add up to `reach`, apart if they overlap, and ends or turns around their
// approach. With a share of one half the sum of the velocities stays, whatever the restitution is. Elements
// have a `position` and a `velocity`.
template <class A, class B>
DiscContact collide_discs(A& a, B& b, double reach, const DiscImpact& impact = {}) {
    const math::Vec2 between = b.position - a.position;
    const double squared = length_squared(between);
    if (squared >= reach * reach) return {};
    const double distance = std::sqrt(squared);
    const math::Vec2 normal = distance > 0 ? between / distance : math::Vec2{1, 0};
    const double overlap = reach - distance;
    a.position -= normal * (overlap * impact.share);
    b.position += normal * (overlap * (1 - impact.share));
    const double approach = dot(a.velocity - b.velocity, normal);
    if (approach > 0) {
        const double change = approach * (1 + impact.restitution);
        a.velocity -= normal * (change * impact.share);
        b.velocity += normal * (change * (1 - impact.share));
    }
    return {true, approach};
}

}  // namespace instep::motion
