// SPDX-License-Identifier: MIT
// Every point against every edge; for hulls that overlap the separating axis theorem.
#include <instep/rigid/distance.h>

#include <algorithm>
#include <cmath>

#include <instep/rigid/manifold.h>

namespace instep::rigid {
namespace {

double fraction_along(Vec2 start, Vec2 end, Vec2 point) {
    const Vec2 edge = end - start;
    const double squared = math::length_squared(edge);
    if (!(squared > 0)) return 0;
    return std::clamp(math::dot(point - start, edge) / squared, 0.0, 1.0);
}

struct NearestPair {
    Vec2 on_a{};
    Vec2 on_b{};
    double squared = 1e300;
};

void keep_nearer(NearestPair& best, Vec2 on_a, Vec2 on_b) {
    const double squared = math::distance_squared(on_a, on_b);
    if (squared < best.squared) best = {on_a, on_b, squared};
}

NearestPair nearest_pair(const Hull& a, const Hull& b) {
    NearestPair best;
    for (std::uint32_t i = 0; i < a.count; ++i)
        for (std::uint32_t k = 0; k < b.count; ++k) {
            keep_nearer(best, a.points[i],
                        closest_on_segment(b.points[k], b.points[b.after(k)], a.points[i]));
            keep_nearer(best, closest_on_segment(a.points[i], a.points[a.after(i)], b.points[k]),
                        b.points[k]);
        }
    return best;
}

// Whether the ends of each segment are on different sides of the other.
bool segments_cross(const Hull& a, const Hull& b) {
    const auto splits = [](const Hull& line, const Hull& other) {
        const Vec2 edge = line.points[1] - line.points[0];
        const double first = math::cross(edge, other.points[0] - line.points[0]);
        const double second = math::cross(edge, other.points[1] - line.points[0]);
        return (first > 0 && second < 0) || (first < 0 && second > 0);
    };
    return splits(a, b) && splits(b, a);
}

// The edges along whose normals two hulls are farthest apart, and whether they overlap. Two segments in one
// line are no distance apart along either normal, however far one is behind the other.
struct Separations {
    EdgeSeparation from_a{-1e300, 0};
    EdgeSeparation from_b{-1e300, 0};
    bool overlap = false;
};
Separations separations_of(const Hull& a, const Hull& b) {
    Separations result;
    if (a.has_edges()) result.from_a = max_separation(a, b);
    if (b.has_edges()) result.from_b = max_separation(b, a);
    result.overlap = (a.has_edges() || b.has_edges()) && result.from_a.separation < 0 &&
                     result.from_b.separation < 0 && (a.count != 2 || b.count != 2 || segments_cross(a, b));
    return result;
}

}  // namespace

Vec2 closest_on_segment(Vec2 start, Vec2 end, Vec2 point) {
    return start + fraction_along(start, end, point) * (end - start);
}

ClosestPoints closest_points(Vec2 a_start, Vec2 a_end, Vec2 b_start, Vec2 b_end) {
    NearestPair best;
    keep_nearer(best, a_start, closest_on_segment(b_start, b_end, a_start));
    keep_nearer(best, a_end, closest_on_segment(b_start, b_end, a_end));
    keep_nearer(best, closest_on_segment(a_start, a_end, b_start), b_start);
    keep_nearer(best, closest_on_segment(a_start, a_end, b_end), b_end);
    const bool at_end_of_a = best.on_a == a_start || best.on_a == a_end;
    const bool at_end_of_b = best.on_b == b_start || best.on_b == b_end;
    return {best.on_a, best.on_b, at_end_of_a && at_end_of_b};
}

NearestPoints nearest_points(const Hull& a, const Hull& b) {
    if (separations_of(a, b).overlap) return {{}, {}, 0, false};
    const NearestPair nearest = nearest_pair(a, b);
    return {nearest.on_a, nearest.on_b, std::sqrt(nearest.squared), true};
}

HullDistance hull_distance(const Hull& a, const Hull& b) {
    const double radii = a.radius + b.radius;
    const auto [from_a, from_b, overlap] = separations_of(a, b);
    if (overlap) {
        if (from_a.separation >= from_b.separation)
            return {from_a.separation - radii, a.normals[from_a.edge]};
        return {from_b.separation - radii, -b.normals[from_b.edge]};
    }
    const NearestPair nearest = nearest_pair(a, b);
    const double distance = std::sqrt(nearest.squared);
    return {distance - radii, math::normalized_or_zero(nearest.on_b - nearest.on_a)};
}

}  // namespace instep::rigid
