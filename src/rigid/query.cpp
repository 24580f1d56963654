// SPDX-License-Identifier: MIT
// Rays against circles by the quadratic formula, against edges by clipping (Cyrus and Beck).
#include <instep/rigid/query.h>

#include <algorithm>
#include <cmath>

namespace instep::rigid {
namespace {

constexpr RayHit no_hit{};

// The smaller root of |start + f ray - centre| = radius.
RayHit cast_ray_at_circle(Vec2 centre, double radius, Vec2 start, Vec2 ray) {
    const Vec2 from = start - centre;
    const double a = math::length_squared(ray);
    const double half_b = math::dot(from, ray);
    const double c = math::length_squared(from) - radius * radius;
    const double discriminant = half_b * half_b - a * c;
    if (!(a > 0) || c < 0 || half_b >= 0 || discriminant < 0) return no_hit;
    const double fraction = (-half_b - std::sqrt(discriminant)) / a;
    if (!(fraction <= 1)) return no_hit;
    const Vec2 point = start + fraction * ray;
    return {{}, 0, fraction, point, (point - centre) / radius};
}

RayHit cast_ray_at_segment(const Hull& hull, Vec2 start, Vec2 ray) {
    const Vec2 edge = hull.points[1] - hull.points[0];
    const double across = math::cross(ray, edge);
    if (across == 0) return no_hit;
    const Vec2 to_edge = hull.points[0] - start;
    const double fraction = math::cross(to_edge, edge) / across;
    const double along = math::cross(to_edge, ray) / across;
    if (!(fraction >= 0 && fraction <= 1 && along >= 0 && along <= 1)) return no_hit;
    const Vec2 normal = math::dot(hull.normals[0], ray) < 0 ? hull.normals[0] : hull.normals[1];
    return {{}, 0, fraction, start + fraction * ray, normal};
}

// The ray is inside a polygon where it is on the inner side of all edges, so it enters at the last edge that
// it crosses inwards.
RayHit cast_ray_at_polygon(const Hull& hull, Vec2 start, Vec2 ray) {
    double enters = -1;
    double leaves = 1;
    std::uint32_t entered = 0;
    for (std::uint32_t i = 0; i < hull.count; ++i) {
        const double outside = math::dot(hull.normals[i], start - hull.points[i]);
        const double speed = math::dot(hull.normals[i], ray);
        if (speed == 0) {
            if (outside > 0) return no_hit;
            continue;
        }
        const double crosses = -outside / speed;
        if (speed < 0 && crosses > enters) {
            enters = crosses;
            entered = i;
        }
        if (speed > 0) leaves = std::min(leaves, crosses);
    }
    if (!(enters >= 0 && enters <= leaves)) return no_hit;
    return {{}, 0, enters, start + enters * ray, hull.normals[entered]};
}

bool was_hit(const RayHit& hit) { return hit.normal != Vec2{}; }

// The first of its corners' circles and its edges moved outwards by the radius.
RayHit cast_ray_at_rounded(const Hull& hull, Vec2 start, Vec2 ray) {
    Hull point;
    point.count = 1;
    point.points[0] = start;
    if (hull_distance(hull, point).distance < 0) return no_hit;
    RayHit first;
    const auto keep_nearer = [&](const RayHit& hit) {
        if (was_hit(hit) && (!was_hit(first) || hit.fraction < first.fraction)) first = hit;
    };
    for (std::uint32_t i = 0; i < hull.count; ++i) {
        keep_nearer(cast_ray_at_circle(hull.points[i], hull.radius, start, ray));
        if (!(math::dot(hull.normals[i], ray) < 0)) continue;
        Hull edge;
        edge.count = 2;
        edge.points[0] = hull.points[i] + hull.radius * hull.normals[i];
        edge.points[1] = hull.points[hull.after(i)] + hull.radius * hull.normals[i];
        edge.normals[0] = edge.normals[1] = hull.normals[i];
        keep_nearer(cast_ray_at_segment(edge, start, ray));
    }
    return first;
}

// A segment of a chain is hit from its front alone.
RayHit cast_ray_at_line(const Hull& hull, Vec2 start, Vec2 ray) {
    if (hull.is_chained && !(math::dot(hull.normals[0], ray) < 0)) return no_hit;
    return cast_ray_at_segment(hull, start, ray);
}

}  // namespace

RayHit cast_ray(const Hull& hull, Vec2 start, Vec2 end) {
    if (hull.count > 1 && hull.radius > 0) return cast_ray_at_rounded(hull, start, end - start);
    switch (hull.count) {
        case 1: return cast_ray_at_circle(hull.points[0], hull.radius, start, end - start);
        case 2: return cast_ray_at_line(hull, start, end - start);
        default: return cast_ray_at_polygon(hull, start, end - start);
    }
}

RayHit cast_ray(const Space& space, Vec2 start, Vec2 end, std::uint32_t mask) {
    RayHit first;
    Hull placed;
    space.bodies.for_each([&](const BodyRef& body) {
        const BodyDef& def = body.def;
        const Vec2 nearest = closest_on_segment(start, end, body.position);
        for (std::size_t shape = 0; shape < def.shapes.size(); ++shape) {
            if ((def.shapes[shape].filter.category & mask) == 0 || def.shapes[shape].sensor) continue;
            const double max_extent = def.shapes[shape].max_extent + def.shapes[shape].hull.radius;
            if (math::distance_squared(nearest, body.position) > max_extent * max_extent * (1 + 1e-9))
                continue;
            transform(def.shapes[shape].hull, body.pose(), placed);
            RayHit hit = cast_ray(placed, start, end);
            if (!was_hit(hit) || (first.body && hit.fraction >= first.fraction)) continue;
            hit.body = body.handle;
            hit.shape = static_cast<std::uint8_t>(shape);
            first = hit;
        }
    });
    return first;
}

}  // namespace instep::rigid
