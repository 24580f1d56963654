// SPDX-License-Identifier: MIT
#include <creature/skin.h>

#include <algorithm>
#include <cstddef>

#include <instep/math/units.h>
#include <instep/motion/angle_limit.h>

namespace instep::worlds::creature {
namespace {

Vec2 on_curve(Vec2 before, Vec2 start, Vec2 end, Vec2 after, double t) {
    const Vec2 linear = end - before;
    const Vec2 square = 2 * before - 5 * start + 4 * end - after;
    const Vec2 cube = 3 * (start - end) + after - before;
    return start + 0.5 * t * (linear + t * (square + t * cube));
}

// From the head towards the tail at the i-th circle: halfway between the bones on both sides.
Vec2 heading_at(std::span<const SkinCircle> spine, std::size_t i) {
    const std::size_t before = i == 0 ? 0 : i - 1;
    const std::size_t after = std::min(i + 1, spine.size() - 1);
    return motion::direction_of(spine[after].center - spine[before].center);
}

// Three points around an end of the spine, from one flank to the other.
void add_cap(const SkinCircle& end, Vec2 outward, std::vector<Vec2>& points) {
    for (const double turn : {-math::pi / 4, 0.0, math::pi / 4})
        points.push_back(end.center + motion::turned(outward, motion::direction_at(turn)) * end.radius);
}

}  // namespace

std::vector<Vec2> smooth(std::span<const Vec2> points, bool closed, int steps) {
    std::vector<Vec2> curve;
    const std::size_t count = points.size();
    if (count < 2) return {points.begin(), points.end()};
    const std::size_t ways = closed ? count : count - 1;
    // An open curve begins and ends as if its ends were there twice.
    const auto at = [&](std::size_t i) {
        return closed ? points[(i + count - 1) % count] : points[std::clamp<std::size_t>(i, 1, count) - 1];
    };
    for (std::size_t way = 0; way < ways; ++way)
        for (int step = 0; step < steps; ++step)
            curve.push_back(
                on_curve(at(way), at(way + 1), at(way + 2), at(way + 3), static_cast<double>(step) / steps));
    if (!closed) curve.push_back(points.back());
    return curve;
}

std::vector<Vec2> skin_over(std::span<const SkinCircle> spine, int steps) {
    std::vector<Vec2> points;
    if (spine.empty()) return points;
    const auto flank = [&](std::size_t i, double side) {
        return spine[i].center + math::perpendicular(heading_at(spine, i)) * (side * spine[i].radius);
    };
    add_cap(spine.front(), -heading_at(spine, 0), points);
    for (std::size_t i = 0; i < spine.size(); ++i) points.push_back(flank(i, -1));
    add_cap(spine.back(), heading_at(spine, spine.size() - 1), points);
    for (std::size_t i = spine.size(); i-- > 0;) points.push_back(flank(i, 1));
    return smooth(points, true, steps);
}

std::vector<Vec2> skin_round(std::span<const SkinCircle> ring, int steps) {
    Vec2 middle;
    for (const SkinCircle& circle : ring) middle += circle.center / static_cast<double>(ring.size());
    std::vector<Vec2> points;
    for (const SkinCircle& circle : ring)
        points.push_back(circle.center + motion::direction_of(circle.center - middle) * circle.radius);
    return smooth(points, true, steps);
}

}  // namespace instep::worlds::creature
