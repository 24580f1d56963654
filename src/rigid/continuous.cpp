// SPDX-License-Identifier: MIT
// Conservative advancement (Mirtich 1996) along straight displacements with constant rotation.
#include <instep/rigid/continuous.h>

#include <algorithm>
#include <cmath>

#include <instep/rigid/distance.h>
#include <instep/rigid/integrate.h>
#include <instep/rigid/joint_solver.h>
#include <instep/rigid/pairs.h>

namespace instep::rigid {
namespace {

constexpr int max_advances = 32;
constexpr double hair = 1e-3 * linear_slop;
// First along all touching shapes, then once more along those of fixed and kinematic bodies, which matter
// most.
constexpr int slide_rounds = 2;

Sweep sweep_of(const BodyRef& body, const SolverBody& solver_body) {
    return {body.position, solver_body.displacement, body.angle, solver_body.delta_angle};
}

// The distance of a shape's centroid from another shape at the start of a step, and by how much the step
// would reduce it.
struct Approach {
    HullDistance between{};
    double closing = 0;
};

Hull centroid_of(const Shape& shape, double radius) {
    Hull centroid;
    centroid.count = 1;
    centroid.points[0] = shape.centroid;
    centroid.radius = radius;
    return centroid;
}

Approach approach_of(const Shape& shape, const Sweep& sweep, const Hull& other, const Sweep& other_sweep) {
    Hull from;
    Hull to;
    Hull placed_other;
    transform(centroid_of(shape, 0), sweep.at(0), from);
    transform(centroid_of(shape, 0), sweep.at(1), to);
    transform(other, other_sweep.at(0), placed_other);
    const HullDistance between = hull_distance(from, placed_other);
    const Vec2 displacement = to.points[0] - from.points[0] - other_sweep.displacement;
    return {between, math::dot(displacement, between.normal)};
}

// The distance that the centroid keeps from a touching shape: if most of the shape were on the other side,
// the next manifold would push it there.
double centroid_clearance(const Shape& shape) { return 0.75 * shape.min_extent; }

// Whether the centroid of a shape would get through a segment of a chain, from its front to less than half of
// the shape's thickness before its back. Everything else is left to the contacts: a body that slides over a
// chain must not stop at every joint.
bool crosses(const Shape& shape, const Sweep& sweep, const Hull& segment, const Sweep& segment_sweep) {
    const auto height_at = [&](double fraction) {
        const Pose pose = segment_sweep.at(fraction);
        const Vec2 centroid = sweep.at(fraction).to_world(shape.centroid);
        return math::dot(segment.normals[0], pose.to_local(centroid) - segment.points[0]);
    };
    return height_at(0) >= 0 && height_at(1) < 0.5 * shape.min_extent;
}

// For two circles about their bodies' centres: the smaller root of |offset + t relative| = radii.
double time_of_circles(Vec2 offset, Vec2 relative, double radii) {
    const double c = math::length_squared(offset) - radii * radii;
    if (!(c > 0)) return 0;
    const double half_b = math::dot(offset, relative);
    const double a = math::length_squared(relative);
    const double discriminant = half_b * half_b - a * c;
    if (!(half_b < 0) || !(discriminant >= 0)) return 1;
    return std::min((-half_b - std::sqrt(discriminant)) / a, 1.0);
}

class ContinuousSolver {
public:
    ContinuousSolver(const Setup& setup, double dt, Scratch& scratch)
        : setup_(setup), dt_(dt), scratch_(scratch) {}

    // A body without contacts and obstacles has a free path, or is slow.
    bool may_hit(std::uint32_t proxy_index) const {
        const Proxy& proxy = scratch_.proxies[proxy_index];
        return proxy.dynamic && (scratch_.first_obstacle[proxy_index] != no_obstacle ||
                                 proxy.missed_obstacles || scratch_.is_constrained(proxy.body));
    }

    void stop(std::uint32_t index) {
        SolverBody& solver_body = scratch_.solver_bodies[index];
        if (may_touch_now(index))
            for (int round = 0; round < slide_rounds && slide(index, round > 0); ++round) {
            }
        Impact first;
        double second = 1;  // the time of the next one, with another shape
        for_each_obstacle(
            index, [&](const Proxy& proxy, const Shape& shape, const Proxy& other, const Shape& other_shape) {
                const Impact impact{impact_with(proxy, shape, other, other_shape), &proxy, &shape, &other,
                                    &other_shape};
                if (impact.time < first.time) {
                    second = first.time;
                    first = impact;
                } else {
                    second = std::min(second, impact.time);
                }
            });
        if (!(first.time < 1)) return;
        const double time = std::min(first.time + follow_time(first), second);
        solver_body.displacement *= time;
        solver_body.delta_angle *= time;
        // Gravity acts only for the part of the step that the body moved.
        if (!scratch_.is_constrained(index)) solver_body.velocity -= (1 - time) * dt_ * setup_.config.gravity;
    }

private:
    // A touching shape has a contact, unless it was dropped.
    bool may_touch_now(std::uint32_t index) const {
        return scratch_.constraint_graph.has_contact(index) || scratch_.report.dropped > 0;
    }

    // A shape that hits another during the step, at a part of it.
    struct Impact {
        double time = 1;
        const Proxy* proxy = nullptr;
        const Shape* shape = nullptr;
        const Proxy* other = nullptr;
        const Shape* other_shape = nullptr;
    };

    // For how much longer a body moves on behind an obstacle that retreats from it, so that they still touch
    // when the step ends. Had it stopped where they touched, it would be too far behind for a contact in the
    // next step, and again in every step after that.
    double follow_time(const Impact& impact) const {
        const BodyRef& body = scratch_.bodies[impact.proxy->body];
        const BodyRef& other = scratch_.bodies[impact.other->body];
        const Sweep sweep = sweep_of(body, scratch_.solver_bodies[impact.proxy->body]);
        const Sweep other_sweep = sweep_of(other, scratch_.solver_bodies[impact.other->body]);
        Hull hull;
        Hull other_hull;
        transform(impact.shape->hull, sweep.at(impact.time), hull);
        transform(impact.other_shape->hull, other_sweep.at(impact.time), other_hull);
        const Vec2 normal = hull_distance(hull, other_hull).normal;
        const double retreat = math::dot(other_sweep.displacement, normal);
        const double pursuit = math::dot(sweep.displacement, normal);
        if (!(retreat > 0) || !(pursuit > retreat)) return 0;
        return (1 - impact.time) * retreat / pursuit;
    }

    // Visits, for every shape of a body, the shapes that may stop it.
    template <class Visit>
    void for_each_obstacle(std::uint32_t index, Visit visit) const {
        const BodyDef& def = scratch_.bodies[index].def;
        const SolverBody& solver_body = scratch_.solver_bodies[index];
        for (std::uint32_t i = 0; i < def.shapes.size(); ++i) {
            const std::uint32_t proxy_index = scratch_.first_proxy[index] + i;
            if (!may_hit(proxy_index)) continue;
            const Proxy& proxy = scratch_.proxies[proxy_index];
            const Shape& shape = def.shapes[i];
            const auto visit_if_solid = [&](std::uint32_t found) {
                const Proxy& other = scratch_.proxies[found];
                if ((other.dynamic && !def.options.bullet) || !may_touch(proxy, other) ||
                    is_joined(proxy.body, other.body, scratch_))
                    return;
                if ((other.one_way && !is_in_front(found, proxy_index, scratch_)) ||
                    (proxy.one_way && !is_in_front(proxy_index, found, scratch_)))
                    return;
                visit(proxy, shape, other, scratch_.bodies[other.body].def.shapes[other.shape]);
            };
            // The solver may have changed the displacement for which obstacles were listed.
            const Aabb swept = scratch_.boxes[proxy_index]
                                   .swept(solver_body.displacement)
                                   .expanded(rotation_extent(def, shape, solver_body.delta_angle));
            if (proxy.fast && !proxy.missed_obstacles && scratch_.swept[proxy_index].contains(swept)) {
                for (std::uint32_t k = scratch_.first_obstacle[proxy_index]; k != no_obstacle;
                     k = scratch_.obstacles[k].next)
                    visit_if_solid(scratch_.obstacles[k].proxy);
            } else {
                scratch_.broad_phase.for_each_overlap(swept, visit_if_solid);
            }
        }
    }

    // Removes from a body's displacement what would bring its centroid too close to a touching shape, and
    // keeps the tangential part. Returns whether it removed anything.
    bool slide(std::uint32_t index, bool only_static) {
        SolverBody& solver_body = scratch_.solver_bodies[index];
        Vec2 displacement = solver_body.displacement;
        for_each_obstacle(index, [&](const Proxy& proxy, const Shape& shape, const Proxy& other,
                                     const Shape& other_shape) {
            if ((only_static && other.dynamic) || !touches(proxy, other)) return;
            Sweep sweep = sweep_of(scratch_.bodies[proxy.body], solver_body);
            sweep.displacement = displacement;
            const Sweep other_sweep =
                sweep_of(scratch_.bodies[other.body], scratch_.solver_bodies[other.body]);
            if (other_shape.hull.is_chained && !crosses(shape, sweep, other_shape.hull, other_sweep)) return;
            const Approach approach = approach_of(shape, sweep, other_shape.hull, other_sweep);
            const double distance = approach.between.distance;
            if (!(distance > hair)) return;
            const double too_much = approach.closing - std::max(0.0, distance - centroid_clearance(shape));
            if (too_much > 0) displacement -= too_much * approach.between.normal;
        });
        const bool slid = displacement != solver_body.displacement;
        solver_body.displacement = displacement;
        return slid;
    }

    bool touches(const Proxy& proxy, const Proxy& other) const {
        return scratch_.boxes[index_of(proxy)].overlaps(scratch_.boxes[index_of(other)]) &&
               start_distance(proxy, other) <= touching_distance + impact_tolerance;
    }

    double impact_with(const Proxy& proxy, const Shape& shape, const Proxy& other,
                       const Shape& other_shape) const {
        const Sweep sweep = sweep_of(scratch_.bodies[proxy.body], scratch_.solver_bodies[proxy.body]);
        const Sweep other_sweep = sweep_of(scratch_.bodies[other.body], scratch_.solver_bodies[other.body]);
        if (other_shape.hull.is_chained && !crosses(shape, sweep, other_shape.hull, other_sweep)) return 1;
        const double time = time_of_impact(shape.hull, shape.max_extent, sweep, other_shape.hull,
                                           other_shape.max_extent, other_sweep);
        if (time > 0) return time;
        // They touch already: the solver handles the contact, and slide() the centroid along straight motion.
        // A rotating body may hit with another corner: it moves on until that corner is a little deep.
        const Approach approach = approach_of(shape, sweep, other_shape.hull, other_sweep);
        if (!(approach.between.distance > hair))
            return 1;  // already inside: the solver moves it out on the closer side
        const double deep = std::min(start_distance(proxy, other), 0.0) - 0.25 * shape.min_extent;
        const double until_deep = time_of_impact(shape.hull, shape.max_extent, sweep, other_shape.hull,
                                                 other_shape.max_extent, other_sweep, deep);
        const double radius =
            std::min(centroid_clearance(shape), approach.between.distance) - 2 * impact_tolerance;
        if (!(radius > 0)) return until_deep;
        return std::min(until_deep,
                        time_of_impact(centroid_of(shape, radius), math::length(shape.centroid), sweep,
                                       other_shape.hull, other_shape.max_extent, other_sweep, 0));
    }

    double start_distance(const Proxy& proxy, const Proxy& other) const {
        return hull_distance(scratch_.hulls[index_of(proxy)], scratch_.hulls[index_of(other)]).distance;
    }

    std::size_t index_of(const Proxy& proxy) const {
        return static_cast<std::size_t>(&proxy - scratch_.proxies.data());
    }

    const Setup& setup_;
    double dt_;
    Scratch& scratch_;
};

}  // namespace

double time_of_impact(const Hull& a, double max_extent_a, const Sweep& sweep_a, const Hull& b,
                      double max_extent_b, const Sweep& sweep_b, double target) {
    if (max_extent_a == 0 && max_extent_b == 0)
        return time_of_circles(sweep_a.start - sweep_b.start, sweep_a.displacement - sweep_b.displacement,
                               a.radius + b.radius + target);
    const Vec2 relative = sweep_a.displacement - sweep_b.displacement;
    const double rotation_bound =
        std::fabs(sweep_a.delta_angle) * max_extent_a + std::fabs(sweep_b.delta_angle) * max_extent_b;
    Hull placed_a;
    Hull placed_b;
    double time = 0;
    for (int i = 0; i < max_advances; ++i) {
        transform(a, sweep_a.at(time), placed_a);
        transform(b, sweep_b.at(time), placed_b);
        const HullDistance between = hull_distance(placed_a, placed_b);
        const double left = between.distance - target;
        if (!(left > (i == 0 ? 0 : impact_tolerance))) return time;
        const double most = math::dot(relative, between.normal) + rotation_bound;
        if (!(most > 0)) return 1;
        if (!(left > impact_tolerance)) return time;
        time += left / most;
        if (time >= 1) return 1;
    }
    return time;  // such slow convergence is a graze; up to here nothing touches
}

void solve_continuous(const Setup& setup, double dt, Scratch& scratch) {
    ContinuousSolver solver(setup, dt, scratch);
    std::uint32_t last = no_obstacle;
    // Bullets last: the displacements of the other bodies are final then.
    for (const bool bullets : {false, true})
        for (std::uint32_t i = 0; i < scratch.proxies.size(); ++i) {
            const std::uint32_t index = scratch.proxies[i].body;
            if (index == last || !solver.may_hit(i)) continue;
            const BodyRef& body = scratch.bodies[index];
            const BodyDef& def = body.def;
            if (def.options.bullet != bullets || body.asleep()) continue;
            if (!scratch.is_deep[index] && !is_fast(def, scratch.solver_bodies[index])) continue;
            solver.stop(index);
            last = index;
        }
}

}  // namespace instep::rigid
