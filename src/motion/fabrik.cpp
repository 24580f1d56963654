// SPDX-License-Identifier: MIT
#include <instep/motion/fabrik.h>

#include <cassert>
#include <cmath>

namespace instep::motion {
namespace {

double length_of(std::span<const Joint> joints) {
    double sum = 0;
    for (const Joint& joint : joints) sum += joint.length;
    return sum;
}

void point_at(const Reach& reach, std::span<const Joint> joints, std::span<Vec2> positions) {
    const Vec2 direction = direction_of(reach.goal - reach.root);
    Vec2 end = reach.root;
    for (std::size_t i = 0; i < joints.size(); ++i) positions[i] = end += direction * joints[i].length;
}

// From the goal towards the root, which itself stays where it is.
void pull_backward(const Reach& reach, std::span<const Joint> joints, std::span<Vec2> positions) {
    positions.back() = reach.goal;
    for (std::size_t i = joints.size() - 1; i > 0; --i)
        positions[i - 1] = positions[i] + direction_of(positions[i - 1] - positions[i]) * joints[i].length;
}

void pull_forward(const Reach& reach, std::span<const Joint> joints, std::span<Vec2> positions) {
    Vec2 end = reach.root;
    Vec2 heading = reach.heading;
    for (std::size_t i = 0; i < joints.size(); ++i) {
        heading = limited_direction(direction_of(positions[i] - end), heading, joints[i].limit);
        positions[i] = end += heading * joints[i].length;
    }
}

// Mirrors in the line from root to tip every joint between them that is on the wrong side of it.
void choose_sides(const Reach& reach, std::span<const Joint> joints, std::span<Vec2> positions) {
    constexpr double no_line = 1e-6;  // squared length, as in the original
    const Vec2 line = positions.back() - reach.root;
    const double squared = length_squared(line);
    if (squared < no_line) return;
    for (std::size_t i = 0; i + 1 < joints.size(); ++i) {
        const Vec2 arm = positions[i] - reach.root;
        const bool is_left = !std::signbit(cross(line, arm));
        if (is_left != joints[i].bends_left)
            positions[i] = reach.root + line * (2 * dot(line, arm) / squared) - arm;
    }
}

}  // namespace

void reach_for(const Reach& reach, std::span<const Joint> joints, std::span<Vec2> positions) {
    assert(!joints.empty() && joints.size() == positions.size());
    const double longest = length_of(joints);
    if (distance_squared(reach.root, reach.goal) >= longest * longest)
        return point_at(reach, joints, positions);
    const double near_enough = reach.tolerance * reach.tolerance;
    for (std::uint32_t i = 0; i < reach.iterations; ++i) {
        pull_backward(reach, joints, positions);
        pull_forward(reach, joints, positions);
        choose_sides(reach, joints, positions);
        if (distance_squared(positions.back(), reach.goal) <= near_enough) return;
    }
}

}  // namespace instep::motion
