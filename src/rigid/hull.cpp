// SPDX-License-Identifier: MIT
// Making, checking and transforming hulls.
#include <instep/rigid/hull.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace instep::rigid {
namespace {

bool is_usable(Vec2 point) {
    return std::fabs(point.x) <= max_shape_coordinate && std::fabs(point.y) <= max_shape_coordinate;
}

std::string name_of(std::size_t point) { return "point " + std::to_string(point); }

void set_normals(Hull& hull) {
    for (std::uint32_t i = 0; i < hull.count; ++i) {
        const Vec2 edge = hull.points[hull.after(i)] - hull.points[i];
        hull.normals[i] = math::normalized_or_zero(-math::perpendicular(edge));
    }
}

constexpr const char* too_far =
    "is farther than 10000 units from the origin or not a number: keep shapes near their origin";

bool is_radius(double radius) { return radius >= linear_slop && radius <= max_shape_coordinate; }

}  // namespace

state::Result<Hull> make_circle(double radius, Vec2 centre) {
    if (!is_usable(centre)) return state::refuse("circle", std::string("its centre ") + too_far);
    if (!is_radius(radius)) return state::refuse("circle", "expected a radius from 0.005 to 10000");
    Hull hull;
    hull.points[0] = centre;
    hull.radius = radius;
    hull.count = 1;
    return hull;
}

state::Result<Hull> make_segment(Vec2 start, Vec2 end) {
    if (!is_usable(start) || !is_usable(end))
        return state::refuse("segment", std::string("an end ") + too_far);
    if (math::distance(start, end) < linear_slop)
        return state::refuse("segment", "its ends are closer than 0.005: a segment needs a length");
    Hull hull;
    hull.points[0] = start;
    hull.points[1] = end;
    hull.count = 2;
    set_normals(hull);
    return hull;
}

state::Result<Hull> make_capsule(Vec2 start, Vec2 end, double radius) {
    if (!is_radius(radius)) return state::refuse("capsule", "expected a radius from 0.005 to 10000");
    auto hull = make_segment(start, end);
    if (hull) hull->radius = radius;
    return hull;
}

state::Result<Hull> make_polygon(std::span<const Vec2> points, double radius) {
    if (radius != 0 && !is_radius(radius))
        return state::refuse("polygon", "expected a radius of 0, or from 0.005 to 10000");
    if (points.size() < 3 || points.size() > max_points)
        return state::refuse("polygon", "expected 3 to 8 points, got " + std::to_string(points.size()));
    for (std::size_t i = 0; i < points.size(); ++i)
        if (!is_usable(points[i])) return state::refuse("polygon", name_of(i) + " " + too_far);

    Hull hull;
    hull.count = static_cast<std::uint32_t>(points.size());
    hull.radius = radius;
    std::copy(points.begin(), points.end(), hull.points.begin());
    for (std::uint32_t i = 0; i < hull.count; ++i)
        if (math::distance(hull.points[i], hull.points[hull.after(i)]) < linear_slop)
            return state::refuse("polygon",
                                 name_of(i) + " and the next are closer than 0.005: leave one out");
    set_normals(hull);

    double twice_area = 0;
    for (std::uint32_t i = 0; i < hull.count; ++i)
        twice_area +=
            math::cross(hull.points[i] - hull.points[0], hull.points[hull.after(i)] - hull.points[0]);
    if (twice_area < 0)
        return state::refuse("polygon", "its points go clockwise: list them counterclockwise (y up)");

    // Convex, and wound once: all other points lie on the inner side of every edge. A point nearly on the
    // line of another edge would make the contact normal flicker between two edges.
    for (std::uint32_t edge = 0; edge < hull.count; ++edge)
        for (std::uint32_t i = 0; i < hull.count; ++i) {
            if (i == edge || i == hull.after(edge)) continue;
            const double inside = -math::dot(hull.normals[edge], hull.points[i] - hull.points[edge]);
            if (inside < 0.5 * linear_slop)
                return state::refuse(
                    "polygon", name_of(i) + " is outside or on the line of the edge from " + name_of(edge) +
                                   ": a polygon is convex, without points on a straight line");
        }
    return hull;
}

state::Result<Hull> make_box(double half_width, double half_height, double radius) {
    const std::array<Vec2, 4> corners{Vec2{-half_width, -half_height}, Vec2{half_width, -half_height},
                                      Vec2{half_width, half_height}, Vec2{-half_width, half_height}};
    return make_polygon(corners, radius);
}

void transform(const Hull& hull, const Pose& pose, Hull& placed) {
    placed.count = hull.count;
    placed.radius = hull.radius;
    placed.is_chained = hull.is_chained;
    for (std::uint32_t i = 0; i < hull.count; ++i) placed.points[i] = pose.to_world(hull.points[i]);
    if (hull.has_edges())
        for (std::uint32_t i = 0; i < hull.count; ++i)
            placed.normals[i] = math::rotate(pose.rotation, hull.normals[i]);
    if (hull.is_chained)
        for (const std::uint32_t i : {2U, 3U}) placed.points[i] = pose.to_world(hull.points[i]);
}

Hull translated(const Hull& hull, Vec2 by) {
    Hull result = hull;
    for (std::uint32_t i = 0; i < (hull.is_chained ? 4 : hull.count); ++i) result.points[i] += by;
    return result;
}

Aabb aabb_of(const Hull& hull) {
    Aabb box{hull.points[0], hull.points[0]};
    for (std::uint32_t i = 1; i < hull.count; ++i) box = aabb_union(box, {hull.points[i], hull.points[i]});
    return box.expanded(hull.radius);
}

Aabb aabb_union(const Aabb& a, const Aabb& b) {
    return {{std::min(a.low.x, b.low.x), std::min(a.low.y, b.low.y)},
            {std::max(a.high.x, b.high.x), std::max(a.high.y, b.high.y)}};
}

}  // namespace instep::rigid
