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

NearestPair nearest_points(const Hull& a, const Hull& b) {
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

HullDistance hull_distance(const Hull& a, const Hull& b) {
    const double radii = a.radius + b.radius;
    EdgeSeparation from_a{-1e300, 0};
    EdgeSeparation from_b{-1e300, 0};
    if (a.has_edges()) from_a = max_separation(a, b);
    if (b.has_edges()) from_b = max_separation(b, a);
    const bool overlap = (a.has_edges() || b.has_edges()) && from_a.separation < 0 && from_b.separation < 0;
    if (overlap) {
        if (from_a.separation >= from_b.separation)
            return {from_a.separation - radii, a.normals[from_a.edge]};
        return {from_b.separation - radii, -b.normals[from_b.edge]};
    }
    const NearestPair nearest = nearest_points(a, b);
    const double distance = std::sqrt(nearest.squared);
    return {distance - radii, math::normalized_or_zero(nearest.on_b - nearest.on_a)};
}

}  // namespace instep::rigid
