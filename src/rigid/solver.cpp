// SPDX-License-Identifier: MIT
// Sequential impulses.
#include <instep/rigid/solver.h>

#include <algorithm>
#include <cmath>

namespace instep::rigid {
namespace {

constexpr double correction_rate = 0.2;  // part of an overlap that one pass pushes apart
constexpr double max_correction = 0.2;   // units a pass

Vec2 velocity_at(const Mover& mover, Vec2 arm) {
    return mover.velocity + mover.angular_velocity * math::perpendicular(arm);
}

void apply(Mover& a, Mover& b, const ConstraintPoint& point, Vec2 impulse) {
    a.velocity -= a.inverse_mass * impulse;
    a.angular_velocity -= a.inverse_inertia * math::cross(point.arm_a, impulse);
    b.velocity += b.inverse_mass * impulse;
    b.angular_velocity += b.inverse_inertia * math::cross(point.arm_b, impulse);
}

double effective_mass(const Mover& a, const Mover& b, const ConstraintPoint& point, Vec2 direction) {
    const double lever_a = math::cross(point.arm_a, direction);
    const double lever_b = math::cross(point.arm_b, direction);
    const double inverse = a.inverse_mass + b.inverse_mass + a.inverse_inertia * lever_a * lever_a +
                           b.inverse_inertia * lever_b * lever_b;
    return inverse > 0 ? 1 / inverse : 0;
}

Constraint make_constraint(const Space& space, const Setup& setup, const Scratch& scratch,
                           std::uint32_t number) {
    const LiveContact& live = scratch.contacts[number];
    Constraint made;
    made.a = scratch.proxies[live.proxy_a].body;
    made.b = scratch.proxies[live.proxy_b].body;
    made.contact = number;
    made.count = live.manifold.count;
    made.normal = live.manifold.normal;
    const Body& body_a = space.bodies[made.a];
    const Body& body_b = space.bodies[made.b];
    const Mover& a = scratch.movers[made.a];
    const Mover& b = scratch.movers[made.b];
    const Material& material_a = form_of(body_a, setup).shapes[live.contact.shape_a].material;
    const Material& material_b = form_of(body_b, setup).shapes[live.contact.shape_b].material;
    made.friction = std::sqrt(material_a.friction * material_b.friction);
    for (std::uint32_t i = 0; i < made.count; ++i) {
        ConstraintPoint& point = made.points[i];
        point.arm_a = live.manifold.points[i].at - body_a.position;
        point.arm_b = live.manifold.points[i].at - body_b.position;
        point.separation = live.manifold.points[i].separation;
        point.normal_mass = effective_mass(a, b, point, made.normal);
        point.tangent_mass = effective_mass(a, b, point, math::perpendicular(made.normal));
        point.normal_impulse = live.contact.normal_impulse[i];
        point.tangent_impulse = live.contact.tangent_impulse[i];
    }
    return made;
}

double parting_speed(const Constraint& constraint, const ConstraintPoint& point, const Scratch& scratch) {
    return math::dot(constraint.normal, velocity_at(scratch.movers[constraint.b], point.arm_b) -
                                            velocity_at(scratch.movers[constraint.a], point.arm_a));
}

// What is still apart may come as near as it is; what would touch and comes fast enough bounces. No target is
// above the speed of approach: an impulse p that takes a point's speed of parting from v to v' does the work
// p (v + v') / 2, which is then never positive, however many contacts are hit at once.
void set_targets(Constraint& constraint, double restitution, const Setup& setup, double dt,
                 const Scratch& scratch) {
    std::array<double, 2> parting{};
    for (std::uint32_t i = 0; i < constraint.count; ++i) {
        const ConstraintPoint& point = constraint.points[i];
        parting[i] = parting_speed(constraint, point, scratch);
        const bool will_touch = point.separation + parting[i] * dt <= 0;
        if (will_touch) constraint.approach = std::max(constraint.approach, -parting[i]);
    }
    const bool bounces = restitution > 0 && constraint.approach > setup.rules.restitution_threshold;
    for (std::uint32_t i = 0; i < constraint.count; ++i) {
        ConstraintPoint& point = constraint.points[i];
        const bool will_touch = point.separation + parting[i] * dt <= 0;
        const double as_near_as_it_is = -std::max(point.separation, 0.0) / dt;
        point.target =
            std::min(bounces && will_touch ? -restitution * parting[i] : as_near_as_it_is, -parting[i]);
    }
}

void solve_friction(const Constraint& constraint, ConstraintPoint& point, Mover& a, Mover& b) {
    const Vec2 tangent = math::perpendicular(constraint.normal);
    const double sliding = math::dot(tangent, velocity_at(b, point.arm_b) - velocity_at(a, point.arm_a));
    const double most = constraint.friction * point.normal_impulse;
    const double sum = std::clamp(point.tangent_impulse - point.tangent_mass * sliding, -most, most);
    const double added = sum - point.tangent_impulse;
    point.tangent_impulse = sum;
    apply(a, b, point, added * tangent);
}

void solve_normal(const Constraint& constraint, ConstraintPoint& point, Mover& a, Mover& b) {
    const double parting =
        math::dot(constraint.normal, velocity_at(b, point.arm_b) - velocity_at(a, point.arm_a));
    const double sum = std::max(point.normal_impulse + point.normal_mass * (point.target - parting), 0.0);
    const double added = sum - point.normal_impulse;
    point.normal_impulse = sum;
    apply(a, b, point, added * constraint.normal);
}

// Beginning with its first or its last point.
void solve(Constraint& constraint, std::uint32_t begin_with, Scratch& scratch) {
    Mover& a = scratch.movers[constraint.a];
    Mover& b = scratch.movers[constraint.b];
    for (std::uint32_t i = 0; i < constraint.count; ++i)
        solve_friction(constraint, constraint.points[i], a, b);
    if (constraint.count == 1) {
        solve_normal(constraint, constraint.points[0], a, b);
    } else {
        solve_normal(constraint, constraint.points[begin_with], a, b);
        solve_normal(constraint, constraint.points[1 - begin_with], a, b);
    }
}

// Arms turn with their bodies; for the small turns of one step r + turn × r is near enough.
Vec2 shift_at(const Mover& mover, Vec2 arm) { return mover.shift + mover.turn * math::perpendicular(arm); }

void push_apart(const Constraint& constraint, const ConstraintPoint& point, Mover& a, Mover& b) {
    const double separation =
        point.separation + math::dot(constraint.normal, shift_at(b, point.arm_b) - shift_at(a, point.arm_a));
    const double correction = std::clamp(correction_rate * (separation + linear_slop), -max_correction, 0.0);
    const Vec2 push = -correction * point.normal_mass * constraint.normal;
    a.shift -= a.inverse_mass * push;
    a.turn -= a.inverse_inertia * math::cross(point.arm_a, push);
    b.shift += b.inverse_mass * push;
    b.turn += b.inverse_inertia * math::cross(point.arm_b, push);
}

void tell(const Constraint& constraint, const LiveContact& live, Event::Kind kind, Scratch& scratch) {
    if (scratch.events.size() == scratch.events.capacity()) return;
    scratch.events.push_back({kind, live.contact.a, live.contact.b, live.manifold.points[0].at,
                              constraint.normal, constraint.approach});
}

}  // namespace

void gather_movers(const Space& space, const Setup& setup, Scratch& scratch) {
    for (std::uint32_t i = 0; i < space.bodies.size(); ++i) {
        const Body& body = space.bodies[i];
        const Form& form = form_of(body, setup);
        Mover& mover = scratch.movers[i];
        mover = {};
        if (!is_active(body, form)) continue;
        mover = {body.velocity, body.angular_velocity, form.inverse_mass, form.inverse_inertia, {}, 0};
    }
}

void prepare_constraints(const Space& space, const Setup& setup, double dt, Scratch& scratch) {
    scratch.constraints.clear();
    for (std::uint32_t i = 0; i < scratch.contacts.size(); ++i) {
        if (scratch.contacts[i].resting) continue;
        const Contact& contact = scratch.contacts[i].contact;
        Constraint made = make_constraint(space, setup, scratch, i);
        const Shape& a = form_of(space.bodies[made.a], setup).shapes[contact.shape_a];
        const Shape& b = form_of(space.bodies[made.b], setup).shapes[contact.shape_b];
        set_targets(made, std::max(a.material.restitution, b.material.restitution), setup, dt, scratch);
        scratch.constraints.push_back(made);
    }
}

void solve_velocities(const Setup& setup, Scratch& scratch) {
    for (const Constraint& constraint : scratch.constraints)
        for (std::uint32_t i = 0; i < constraint.count; ++i) {
            const ConstraintPoint& point = constraint.points[i];
            const Vec2 tangent = math::perpendicular(constraint.normal);
            apply(scratch.movers[constraint.a], scratch.movers[constraint.b], point,
                  point.normal_impulse * constraint.normal + point.tangent_impulse * tangent);
        }
    for (std::uint32_t pass = 0; pass < setup.rules.velocity_iterations; ++pass) {
        if (pass % 2 == 0)
            for (Constraint& constraint : scratch.constraints) solve(constraint, 0, scratch);
        else
            for (std::size_t i = scratch.constraints.size(); i-- > 0;)
                solve(scratch.constraints[i], 1, scratch);
    }
}

void move(const Space& space, const Setup& setup, double dt, Scratch& scratch) {
    for (std::uint32_t i = 0; i < space.bodies.size(); ++i) {
        Mover& mover = scratch.movers[i];
        const double squared = math::length_squared(dt * mover.velocity);
        const double most = setup.rules.max_translation;
        if (squared > most * most) mover.velocity *= most / std::sqrt(squared);
        const double turn = std::fabs(dt * mover.angular_velocity);
        if (turn > setup.rules.max_rotation) mover.angular_velocity *= setup.rules.max_rotation / turn;
        mover.shift = dt * mover.velocity;
        mover.turn = dt * mover.angular_velocity;
    }
}

void solve_positions(const Setup& setup, Scratch& scratch) {
    for (std::uint32_t pass = 0; pass < setup.rules.position_iterations; ++pass)
        for (const Constraint& constraint : scratch.constraints)
            for (std::uint32_t i = 0; i < constraint.count; ++i)
                push_apart(constraint, constraint.points[i], scratch.movers[constraint.a],
                           scratch.movers[constraint.b]);
}

void store_impulses(const Setup& setup, Scratch& scratch) {
    for (const Constraint& constraint : scratch.constraints) {
        LiveContact& live = scratch.contacts[constraint.contact];
        // The impulse of an impact is no guess at what the next step will need: it would hit a second time.
        const bool was_impact = constraint.approach > setup.rules.restitution_threshold;
        bool pushed = false;
        bool overlaps = false;
        for (std::uint32_t i = 0; i < constraint.count; ++i) {
            const ConstraintPoint& point = constraint.points[i];
            live.contact.normal_impulse[i] = was_impact ? 0 : point.normal_impulse;
            live.contact.tangent_impulse[i] = was_impact ? 0 : point.tangent_impulse;
            pushed = pushed || point.normal_impulse > 0;
            overlaps = overlaps || point.separation <= 0;
        }
        if (!live.contact.touching && (pushed || overlaps)) {
            live.contact.touching = true;
            tell(constraint, live, Event::Kind::begin, scratch);
        }
        if (pushed && constraint.approach > setup.rules.hit_speed)
            tell(constraint, live, Event::Kind::hit, scratch);
    }
}

}  // namespace instep::rigid
