// SPDX-License-Identifier: MIT
#include <instep/rigid/forces.h>

#include <algorithm>

namespace instep::rigid {
namespace {

void push(const BodyRef& body, Vec2 impulse, Vec2 point) {
    body.velocity += impulse * body.def.inverse_mass;
    body.angular_velocity += body.def.inverse_inertia * math::cross(point - body.position, impulse);
    body.wake();
}

}  // namespace

double width_across(const Hull& hull, Vec2 direction) {
    const Vec2 across = math::perpendicular(direction);
    double low = math::dot(across, hull.points[0]);
    double high = low;
    for (std::uint32_t i = 1; i < hull.count; ++i) {
        const double along = math::dot(across, hull.points[i]);
        low = std::min(low, along);
        high = std::max(high, along);
    }
    return high - low + 2 * hull.radius;
}

void explode(const Queries& queries, const Explosion& explosion) {
    const double reach = explosion.radius + explosion.falloff;
    Hull blast;
    blast.count = 1;
    blast.radius = reach;
    blast.points[0] = explosion.centre;
    Hull centre = blast;
    centre.radius = 0;
    const QueryFilter filter{.mask = explosion.mask};
    queries.for_each_overlapping(blast, filter, [&](Handle handle, std::uint8_t shape, const Hull& hull) {
        const auto body = queries.space().bodies.find(handle);
        if (!body || !body->is_dynamic()) return;
        const HullDistance between = hull_distance(centre, hull);
        const double distance = std::max(between.distance, 0.0);
        Vec2 direction = between.normal;
        Vec2 point = explosion.centre + distance * direction;
        if (between.distance <= 0) {  // inside a shape, it pushes from the centre
            point = body->pose().to_world(body->def.shapes[shape].centroid);
            direction = math::normalized_or_zero(point - explosion.centre);
        }
        const double fading = explosion.falloff > 0 ? (reach - distance) / explosion.falloff : 1;
        const double strength = std::clamp(fading, 0.0, 1.0) * explosion.impulse_per_length;
        push(*body, strength * width_across(hull, direction) * direction, point);
    });
}

void blow(const Space& space, Vec2 velocity, double drag, double dt, std::uint32_t mask) {
    Hull placed;
    space.bodies.for_each([&](const BodyRef& body) {
        if (!body.is_dynamic() || body.asleep()) return;
        const Pose pose = body.pose();
        const double shapes = static_cast<double>(body.def.shapes.size());
        for (const Shape& shape : body.def.shapes) {
            if ((shape.filter.category & mask) == 0 || shape.sensor) continue;
            const Vec2 point = pose.to_world(shape.centroid);
            const Vec2 anchor = point - body.position;
            const Vec2 relative =
                velocity - body.velocity - body.angular_velocity * math::perpendicular(anchor);
            const double speed = math::length(relative);
            if (!(speed > 0)) continue;
            const Vec2 direction = relative / speed;
            transform(shape.hull, pose, placed);
            const double lever = math::cross(anchor, direction);
            const double inverse_mass = body.def.inverse_mass + body.def.inverse_inertia * lever * lever;
            const double wanted = dt * drag * width_across(placed, direction) * speed * speed;
            const double most = speed / (inverse_mass * shapes);  // at which the point has the wind's speed
            push(body, std::min(wanted, most) * direction, point);
        }
    });
}

}  // namespace instep::rigid
