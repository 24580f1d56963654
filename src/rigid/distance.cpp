// SPDX-License-Identifier: MIT
// Points against edges.
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

struct Pair {
    Vec2 on_a{};
    Vec2 on_b{};
    double squared = 1e300;
};

void take_nearer(Pair& best, Vec2 on_a, Vec2 on_b) {
    const double squared = math::distance_squared(on_a, on_b);
    if (squared < best.squared) best = {on_a, on_b, squared};
}

Pair nearest_points(const Hull& a, const Hull& b) {
    Pair best;
    for (std::uint32_t i = 0; i < a.count; ++i)
        for (std::uint32_t k = 0; k < b.count; ++k) {
            take_nearer(best, a.points[i],
                        closest_on_segment(b.points[k], b.points[b.after(k)], a.points[i]));
            take_nearer(best, closest_on_segment(a.points[i], a.points[a.after(i)], b.points[k]),
                        b.points[k]);
        }
    return best;
}

}  // namespace

Vec2 closest_on_segment(Vec2 start, Vec2 end, Vec2 point) {
    return start + fraction_along(start, end, point) * (end - start);
}

ClosestPoints closest_points(Vec2 a_start, Vec2 a_end, Vec2 b_start, Vec2 b_end) {
    Pair best;
    take_nearer(best, a_start, closest_on_segment(b_start, b_end, a_start));
    take_nearer(best, a_end, closest_on_segment(b_start, b_end, a_end));
    take_nearer(best, closest_on_segment(a_start, a_end, b_start), b_start);
    take_nearer(best, closest_on_segment(a_start, a_end, b_end), b_end);
    const bool at_end_of_a = best.on_a == a_start || best.on_a == a_end;
    const bool at_end_of_b = best.on_b == b_start || best.on_b == b_end;
    return {best.on_a, best.on_b, at_end_of_a && at_end_of_b};
}

Separation separation(const Hull& a, const Hull& b) {
    const double radii = a.radius + b.radius;
    EdgeGap from_a{-1e300, 0};
    EdgeGap from_b{-1e300, 0};
    if (a.has_edges()) from_a = widest_gap(a, b);
    if (b.has_edges()) from_b = widest_gap(b, a);
    const bool overlap = (a.has_edges() || b.has_edges()) && from_a.gap < 0 && from_b.gap < 0;
    if (overlap) {
        if (from_a.gap >= from_b.gap) return {from_a.gap - radii, a.normals[from_a.edge]};
        return {from_b.gap - radii, -b.normals[from_b.edge]};
    }
    const Pair nearest = nearest_points(a, b);
    const double distance = std::sqrt(nearest.squared);
    return {distance - radii, math::normalized_or_zero(nearest.on_b - nearest.on_a)};
}

}  // namespace instep::rigid
