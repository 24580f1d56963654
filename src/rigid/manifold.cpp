// SPDX-License-Identifier: MIT
// Circle and circle, hull with edges and circle, hull with edges and hull with edges, with and without radii.
#include <instep/rigid/manifold.h>

#include <algorithm>
#include <cmath>

#include <instep/rigid/chain.h>
#include <instep/rigid/distance.h>

namespace instep::rigid {
namespace {

// Two circles about these centres. If the centres coincide, the normal is `fallback`.
Manifold collide_circles(Vec2 a, double radius_a, Vec2 b, double radius_b, Vec2 fallback, double margin) {
    const double distance = math::distance(a, b);
    Manifold manifold;
    if (!(distance - radius_a - radius_b <= margin)) return manifold;
    manifold.normal = distance > 0 ? (b - a) / distance : fallback;
    const Vec2 on_a = a + radius_a * manifold.normal;
    const Vec2 on_b = b - radius_b * manifold.normal;
    manifold.points[0] = {0.5 * (on_a + on_b), distance - radius_a - radius_b, 0};
    manifold.count = 1;
    return manifold;
}

Manifold collide_hull_and_circle(const Hull& hull, const Hull& circle, double margin) {
    const Vec2 centre = circle.points[0];
    const EdgeSeparation best = max_separation(hull, circle);
    if (!(best.separation - circle.radius - hull.radius <= margin)) return {};
    const Vec2 start = hull.points[best.edge];
    const Vec2 end = hull.points[hull.after(best.edge)];
    const Vec2 normal = hull.normals[best.edge];
    const bool inside = best.separation <= 0 && hull.count > 2;  // a segment has no inside
    if (!inside && math::dot(centre - start, end - start) <= 0)
        return collide_circles(start, hull.radius, centre, circle.radius, normal, margin);
    if (!inside && math::dot(centre - end, start - end) <= 0)
        return collide_circles(end, hull.radius, centre, circle.radius, normal, margin);
    Manifold manifold;
    manifold.normal = normal;
    manifold.points[0] = {centre - 0.5 * (circle.radius + best.separation - hull.radius) * normal,
                          best.separation - circle.radius - hull.radius, 0};
    manifold.count = 1;
    return manifold;
}

std::uint32_t edge_facing(const Hull& hull, Vec2 normal) {
    std::uint32_t facing = 0;
    double least = math::dot(normal, hull.normals[0]);
    for (std::uint32_t i = 1; i < hull.count; ++i) {
        const double along = math::dot(normal, hull.normals[i]);
        if (along < least) {
            least = along;
            facing = i;
        }
    }
    return facing;
}

// The two edges and the end of the incident one; `flipped` if the reference edge is b's.
std::uint16_t feature_of(bool flipped, std::uint32_t reference, std::uint32_t incident, std::uint32_t end) {
    return static_cast<std::uint16_t>(std::uint32_t{flipped} << 12 | reference << 8 | incident << 4 | end);
}

// Clips the incident edge of `other` to the ends of the reference edge of `hull`.
Manifold clip(const Hull& hull, std::uint32_t reference, const Hull& other, std::uint32_t incident,
              bool flipped, double margin) {
    const Vec2 normal = hull.normals[reference];
    const Vec2 along = math::perpendicular(normal);  // from the edge's start to its end
    const Vec2 start = hull.points[reference];
    const double length = math::dot(hull.points[hull.after(reference)] - start, along);
    const Vec2 far_end = other.points[incident];  // the incident edge runs the other way
    const Vec2 near_end = other.points[other.after(incident)];
    const double far_along = math::dot(far_end - start, along);
    const double near_along = math::dot(near_end - start, along);

    Manifold manifold;
    if (far_along < 0 || near_along > length) return manifold;
    const double span = far_along - near_along;
    const auto cut_at = [&](double along_edge) {
        return span > 0 ? near_end + (far_end - near_end) * ((along_edge - near_along) / span) : near_end;
    };
    const std::array<Vec2, 2> ends{near_along < 0 ? cut_at(0) : near_end,
                                   far_along > length ? cut_at(length) : far_end};
    manifold.normal = flipped ? -normal : normal;
    for (std::uint32_t end = 0; end < 2; ++end) {
        const double cores = math::dot(ends[end] - start, normal);
        const double separation = cores - (hull.radius + other.radius);
        if (!(separation <= margin)) continue;
        manifold.points[manifold.count++] = {
            ends[end] - 0.5 * (cores - (hull.radius - other.radius)) * normal, separation,
            feature_of(flipped, reference, incident, end)};
    }
    return manifold;
}

Manifold collide_hulls(const Hull& a, const Hull& b, double margin) {
    const EdgeSeparation from_a = max_separation(a, b);
    if (!(from_a.separation <= margin)) return {};
    const EdgeSeparation from_b = max_separation(b, a);
    if (!(from_b.separation <= margin)) return {};
    // A small bias to a's edge, so that the choice does not flicker between two equal ones.
    const bool flipped = from_b.separation > from_a.separation + 0.1 * linear_slop;
    const Hull& hull = flipped ? b : a;
    const Hull& other = flipped ? a : b;
    const EdgeSeparation& best = flipped ? from_b : from_a;
    const std::uint32_t incident = edge_facing(other, hull.normals[best.edge]);

    // Apart and corner to corner, the edge's normal would stop a body that passes by: use the line between
    // the corners.
    if (best.separation > 0.1 * linear_slop) {
        const ClosestPoints closest =
            closest_points(hull.points[best.edge], hull.points[hull.after(best.edge)], other.points[incident],
                           other.points[other.after(incident)]);
        if (closest.at_ends) {
            const Vec2 on_a = flipped ? closest.on_b : closest.on_a;
            const Vec2 on_b = flipped ? closest.on_a : closest.on_b;
            Manifold manifold = collide_circles(on_a, 0, on_b, 0, hull.normals[best.edge], margin);
            manifold.points[0].feature = feature_of(flipped, best.edge, incident, 2);
            return manifold;
        }
    }
    return clip(hull, best.edge, other, incident, flipped, margin);
}

// With radii: their cores, hulls without a radius, are mostly apart. Where the cores are closest at two
// corners, the contact is that of two circles about these corners.
Manifold collide_rounded(const Hull& a, const Hull& b, double margin) {
    const double reach = margin + a.radius + b.radius;
    const EdgeSeparation from_a = max_separation(a, b);
    if (!(from_a.separation <= reach)) return {};
    const EdgeSeparation from_b = max_separation(b, a);
    if (!(from_b.separation <= reach)) return {};
    const bool flipped = from_b.separation > from_a.separation + 0.1 * linear_slop;
    const Hull& hull = flipped ? b : a;
    const Hull& other = flipped ? a : b;
    const EdgeSeparation& best = flipped ? from_b : from_a;
    const std::uint32_t incident = edge_facing(other, hull.normals[best.edge]);
    const NearestPoints nearest = nearest_points(a, b);
    if (nearest.are_apart) {
        if (!(nearest.distance <= reach)) return {};
        if (nearest.distance > best.separation + 0.002 * linear_slop) {
            Manifold manifold = collide_circles(nearest.on_a, a.radius, nearest.on_b, b.radius,
                                                hull.normals[best.edge], margin);
            manifold.points[0].feature = feature_of(flipped, best.edge, incident, 2);
            return manifold;
        }
    }
    return clip(hull, best.edge, other, incident, flipped, margin);
}

Manifold reversed(Manifold manifold) {
    manifold.normal = -manifold.normal;
    return manifold;
}

Manifold collide_plain(const Hull& a, const Hull& b, double margin) {
    if (a.has_edges() && b.has_edges())
        return a.radius > 0 || b.radius > 0 ? collide_rounded(a, b, margin) : collide_hulls(a, b, margin);
    if (a.has_edges()) return collide_hull_and_circle(a, b, margin);
    if (b.has_edges()) return reversed(collide_hull_and_circle(b, a, margin));
    return collide_circles(a.points[0], a.radius, b.points[0], b.radius, {0, 1}, margin);
}

}  // namespace

EdgeSeparation max_separation(const Hull& a, const Hull& b) {
    EdgeSeparation best{-1e300, 0};
    for (std::uint32_t edge = 0; edge < a.count; ++edge) {
        const Vec2 normal = a.normals[edge];
        double nearest = math::dot(normal, b.points[0]);
        for (std::uint32_t i = 1; i < b.count; ++i)
            nearest = std::min(nearest, math::dot(normal, b.points[i]));
        const double separation = nearest - math::dot(normal, a.points[edge]);
        if (separation > best.separation) best = {separation, edge};
    }
    return best;
}

Manifold collide(const Hull& a, const Hull& b, double margin) {
    const Manifold plain = collide_plain(a, b, margin);
    if (!a.is_chained && !b.is_chained) return plain;
    if (a.is_chained && b.is_chained) return {};
    return a.is_chained ? collide_chained(a, b, plain, margin)
                        : reversed(collide_chained(b, a, reversed(plain), margin));
}

Manifold collide_edge(const Hull& hull, std::uint32_t edge, const Hull& other, double margin) {
    if (other.has_edges())
        return clip(hull, edge, other, edge_facing(other, hull.normals[edge]), false, margin);
    const Vec2 normal = hull.normals[edge];
    const Vec2 start = hull.points[edge];
    const Vec2 centre = other.points[0];
    const double along = math::dot(centre - start, math::perpendicular(normal));
    const double cores = math::dot(centre - start, normal);
    const double separation = cores - (hull.radius + other.radius);
    Manifold manifold;
    if (along < 0 || along > math::distance(start, hull.points[hull.after(edge)]) || !(separation <= margin))
        return manifold;
    manifold.normal = normal;
    manifold.points[0] = {centre - 0.5 * (cores - (hull.radius - other.radius)) * normal, separation, 0};
    manifold.count = 1;
    return manifold;
}

}  // namespace instep::rigid
