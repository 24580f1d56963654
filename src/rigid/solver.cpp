// SPDX-License-Identifier: MIT
// Sequential impulses, four contacts at a time.
#include <instep/rigid/solver.h>

#include <algorithm>
#include <cmath>

#include <instep/math/simd.h>
#include <instep/rigid/integrate.h>
#include <instep/rigid/joint_solver.h>
#include <instep/rigid/simd_math.h>

namespace instep::rigid {
namespace {

constexpr double correction_rate = 0.2;  // fraction of an overlap that one iteration corrects
constexpr double max_correction = 0.2;   // units an iteration

// --- Four solver bodies at once: either their velocities or their displacements

struct SolverBodyW {
    Vec2W linear;
    DoubleW angular;
};

enum class Row : std::uint8_t { velocity, displacement };

template <Row row>
INSTEP_INLINE DoubleW& row_of(SolverBody& solver_body) {
    return reinterpret_cast<DoubleW*>(&solver_body)[row == Row::velocity ? 0 : 1];
}

template <Row row>
INSTEP_INLINE SolverBodyW gather(SolverBody* bodies, const std::array<std::uint32_t, simd_width>& indices) {
    const ColumnsW columns = columns_of(row_of<row>(bodies[indices[0]]), row_of<row>(bodies[indices[1]]),
                                        row_of<row>(bodies[indices[2]]), row_of<row>(bodies[indices[3]]));
    return {{columns.first, columns.second}, columns.third};
}

template <Row row>
INSTEP_INLINE void scatter(const SolverBodyW& lanes, SolverBody* bodies,
                           const std::array<std::uint32_t, simd_width>& indices) {
    store_rows({lanes.linear.x, lanes.linear.y, lanes.angular}, row_of<row>(bodies[indices[0]]),
               row_of<row>(bodies[indices[1]]), row_of<row>(bodies[indices[2]]),
               row_of<row>(bodies[indices[3]]));
}

// The velocity, or the displacement, of the point at an anchor.
INSTEP_INLINE Vec2W motion_at(const SolverBodyW& body, const Vec2W& anchor) {
    return {body.linear.x - body.angular * anchor.y, body.linear.y + body.angular * anchor.x};
}

INSTEP_INLINE void apply(const ContactConstraintW& constraint, const ContactPointW& point,
                         const Vec2W& impulse, SolverBodyW& a, SolverBodyW& b) {
    a.linear.x -= constraint.inverse_mass_a * impulse.x;
    a.linear.y -= constraint.inverse_mass_a * impulse.y;
    a.angular -= constraint.inverse_inertia_a * cross(point.anchor_a, impulse);
    b.linear.x += constraint.inverse_mass_b * impulse.x;
    b.linear.y += constraint.inverse_mass_b * impulse.y;
    b.angular += constraint.inverse_inertia_b * cross(point.anchor_b, impulse);
}

// --- Preparing

// So deep inside a body that is not dynamic that continuous collision must guard its centroid.
bool is_deep(const ManifoldPoint& point, const BodyDef& def, std::uint8_t shape, const BodyDef& other) {
    return def.type == BodyType::dynamic && other.type != BodyType::dynamic &&
           point.separation < -0.25 * def.shapes[shape].min_extent;
}

// Conveyors and rolling resistance, which few contacts have.
void fill_surface(const ContactSim& contact, const Shape& shape_a, const Shape& shape_b, Scratch& scratch) {
    ContactConstraintW& constraint = scratch.constraint_graph[contact.solver_lane.constraint];
    SurfaceW& surface = scratch.constraint_graph.surface_of(constraint);
    if (!constraint.has_surface) surface = SurfaceW{};
    constraint.has_surface = 1;
    const std::uint32_t lane = contact.solver_lane.lane;
    const Material& a = shape_a.material;
    const Material& b = shape_b.material;
    surface.tangent_speed[lane] = a.tangent_speed + b.tangent_speed;
    surface.rolling_radius[lane] = std::max(a.rolling_resistance, b.rolling_resistance) *
                                   std::max(shape_a.hull.radius, shape_b.hull.radius);
    scratch.any_conveyor = scratch.any_conveyor || surface.tangent_speed[lane] != 0;
}

// Writes a contact into its lane.
void fill_lane(const ContactSim& contact, Scratch& scratch) {
    ContactConstraintW& constraint = scratch.constraint_graph[contact.solver_lane.constraint];
    ContactPointW* points = scratch.constraint_graph.points_of(constraint);
    const std::uint32_t lane = contact.solver_lane.lane;
    const std::uint32_t a = scratch.proxies[contact.proxy_a].body;
    const std::uint32_t b = scratch.proxies[contact.proxy_b].body;
    const BodyRef& body_a = scratch.bodies[a];
    const BodyRef& body_b = scratch.bodies[b];
    const BodyDef& def_a = body_a.def;
    const BodyDef& def_b = body_b.def;
    const Shape& shape_a = def_a.shapes[contact.contact.shape_a];
    const Shape& shape_b = def_b.shapes[contact.contact.shape_b];
    const Material& material_a = shape_a.material;
    const Material& material_b = shape_b.material;
    constraint.a[lane] = a;
    constraint.b[lane] = b;
    constraint.normal.x[lane] = contact.manifold.normal.x;
    constraint.normal.y[lane] = contact.manifold.normal.y;
    constraint.friction[lane] = mixed_friction(material_a, material_b);
    scratch.constraint_graph.impact_of(constraint).restitution[lane] =
        mixed_restitution(material_a, material_b);
    if (material_a.has_surface() || material_b.has_surface())
        fill_surface(contact, shape_a, shape_b, scratch);
    constraint.inverse_mass_a[lane] = def_a.inverse_mass;
    constraint.inverse_mass_b[lane] = def_b.inverse_mass;
    constraint.inverse_inertia_a[lane] = def_a.inverse_inertia;
    constraint.inverse_inertia_b[lane] = def_b.inverse_inertia;
    for (std::uint32_t i = 0; i < contact.manifold.count; ++i) {
        const ManifoldPoint& from = contact.manifold.points[i];
        points[i].anchor_a.x[lane] = from.point.x - body_a.position.x;
        points[i].anchor_a.y[lane] = from.point.y - body_a.position.y;
        points[i].anchor_b.x[lane] = from.point.x - body_b.position.x;
        points[i].anchor_b.y[lane] = from.point.y - body_b.position.y;
        points[i].separation[lane] = from.separation;
        points[i].normal_impulse[lane] = contact.contact.normal_impulse[i];
        points[i].tangent_impulse[lane] = contact.contact.tangent_impulse[i];
        if (is_deep(from, def_a, contact.contact.shape_a, def_b)) scratch.is_deep[a] = 1;
        if (is_deep(from, def_b, contact.contact.shape_b, def_a)) scratch.is_deep[b] = 1;
    }
}

INSTEP_INLINE DoubleW effective_mass(const ContactConstraintW& constraint, const ContactPointW& point,
                                     const Vec2W& direction) {
    const DoubleW lever_a = cross(point.anchor_a, direction);
    const DoubleW lever_b = cross(point.anchor_b, direction);
    const DoubleW inverse = constraint.inverse_mass_a + constraint.inverse_mass_b +
                            constraint.inverse_inertia_a * lever_a * lever_a +
                            constraint.inverse_inertia_b * lever_b * lever_b;
    return select(inverse > 0, 1 / inverse, splat(0));
}

INSTEP_INLINE void prepare_block(const ContactConstraintW& constraint, const ContactPointW* points,
                                 BlockW& block) {
    const DoubleW lever_a[2] = {cross(points[0].anchor_a, constraint.normal),
                                cross(points[1].anchor_a, constraint.normal)};
    const DoubleW lever_b[2] = {cross(points[0].anchor_b, constraint.normal),
                                cross(points[1].anchor_b, constraint.normal)};
    const DoubleW inverse_masses = constraint.inverse_mass_a + constraint.inverse_mass_b;
    const DoubleW first = inverse_masses + constraint.inverse_inertia_a * lever_a[0] * lever_a[0] +
                          constraint.inverse_inertia_b * lever_b[0] * lever_b[0];
    const DoubleW second = inverse_masses + constraint.inverse_inertia_a * lever_a[1] * lever_a[1] +
                           constraint.inverse_inertia_b * lever_b[1] * lever_b[1];
    const DoubleW across = inverse_masses + constraint.inverse_inertia_a * lever_a[0] * lever_a[1] +
                           constraint.inverse_inertia_b * lever_b[0] * lever_b[1];
    const DoubleW determinant = first * second - across * across;
    // Points so close to each other that K is nearly singular are solved one by one.
    block.invertible = determinant > 1e-3 * first * second;
    const DoubleW inverse = select(block.invertible, 1 / determinant, splat(0));
    block.k11 = first;
    block.k12 = across;
    block.inverse_k11 = inverse * second;
    block.inverse_k12 = -inverse * across;
    block.inverse_k22 = inverse * first;
}

// The restitution threshold of perfectly elastic contacts: the speed that gravity gives a resting body in two
// steps, so that a body at rest stays at rest.
double elastic_threshold(const Config& config, double dt) {
    return std::min(config.restitution_threshold, 2 * dt * math::length(config.gravity));
}

// The change of the normal velocity by gravity in this step: zero if it pulls at both bodies.
INSTEP_INLINE DoubleW gravity_change(const ContactConstraintW& constraint, const Config& config, double dt) {
    const DoubleW zero = splat(0);
    const DoubleW gravity_part =
        constraint.normal.x * (dt * config.gravity.x) + constraint.normal.y * (dt * config.gravity.y);
    return select(constraint.inverse_mass_b > 0, gravity_part, zero) -
           select(constraint.inverse_mass_a > 0, gravity_part, zero);
}

// A separated point may approach by its separation (a speculative contact); a point that would touch and
// approaches fast enough bounces. No target is above the speed of approach: an impulse p that changes the
// normal velocity from v to v' does the work p (v + v') / 2, which is then never positive, however many
// contacts are hit at once.
//
// A bounce uses the speed before this step's gravity. A ball turns around up to v dt above the floor: with
// the gravity of the step in which it does not fall it would gain g v dt and bounce higher every time.
// Without it, an elastic bounce keeps v²/2 + g y - g v dt/2, which the integrator p' = p + dt v' keeps in
// flight too.
INSTEP_INLINE void set_targets(ContactConstraintW& constraint, ContactPointW* points, ImpactW& impact,
                               const Config& config, double dt, const SolverBodyW& a, const SolverBodyW& b) {
    const DoubleW gravity_part = gravity_change(constraint, config, dt);
    DoubleW normal_velocity[2];
    impact.approach = splat(0);
    for (std::uint32_t i = 0; i < constraint.points; ++i) {
        normal_velocity[i] =
            dot(constraint.normal, motion_at(b, points[i].anchor_b) - motion_at(a, points[i].anchor_a));
        const MaskW will_touch = points[i].separation + normal_velocity[i] * dt <= 0;
        impact.approach =
            select(will_touch, larger(impact.approach, gravity_part - normal_velocity[i]), impact.approach);
    }
    const MaskW is_elastic = impact.restitution >= splat(config.elastic_loses_nothing ? 1 : 2);
    const DoubleW threshold =
        select(is_elastic, splat(elastic_threshold(config, dt)), splat(config.restitution_threshold));
    impact.bounces = (impact.restitution > 0) & (impact.approach > threshold);
    constraint.friction = select(is_elastic & impact.bounces, splat(0), constraint.friction);
    for (std::uint32_t i = 0; i < constraint.points; ++i) {
        const MaskW will_touch = points[i].separation + normal_velocity[i] * dt <= 0;
        const DoubleW up_to_contact = -larger(points[i].separation, splat(0)) / dt;
        const DoubleW approach = gravity_part - normal_velocity[i];
        points[i].target =
            smaller(select(impact.bounces & will_touch, impact.restitution * approach, up_to_contact),
                    larger(approach, -normal_velocity[i]));
    }
}

// --- Solving

// Applies the impulses of the last step.
INSTEP_INLINE void warm_start(const ContactConstraintW& constraint, const ContactPointW* points,
                              SolverBody* bodies) {
    SolverBodyW a = gather<Row::velocity>(bodies, constraint.a);
    SolverBodyW b = gather<Row::velocity>(bodies, constraint.b);
    const Vec2W tangent = perpendicular(constraint.normal);
    for (std::uint32_t i = 0; i < constraint.points; ++i) {
        const DoubleW along = points[i].normal_impulse;
        const DoubleW across = points[i].tangent_impulse;
        const Vec2W impulse = {along * constraint.normal.x + across * tangent.x,
                               along * constraint.normal.y + across * tangent.y};
        apply(constraint, points[i], impulse, a, b);
    }
    scatter<Row::velocity>(a, bodies, constraint.a);
    scatter<Row::velocity>(b, bodies, constraint.b);
}

// Friction makes the tangent velocity of b relative to a equal to `target`, as far as it can.
INSTEP_INLINE void solve_friction(const ContactConstraintW& constraint, ContactPointW& point,
                                  const DoubleW& target, SolverBodyW& a, SolverBodyW& b) {
    const Vec2W tangent = perpendicular(constraint.normal);
    const DoubleW tangent_velocity =
        dot(tangent, motion_at(b, point.anchor_b) - motion_at(a, point.anchor_a)) - target;
    const DoubleW limit = constraint.friction * point.normal_impulse;
    const DoubleW wanted = point.tangent_impulse - point.tangent_mass * tangent_velocity;
    const DoubleW sum = larger(smaller(wanted, limit), -limit);
    const DoubleW added = sum - point.tangent_impulse;
    point.tangent_impulse = sum;
    apply(constraint, point, {added * tangent.x, added * tangent.y}, a, b);
}

INSTEP_INLINE void solve_normal(const ContactConstraintW& constraint, ContactPointW& point, SolverBodyW& a,
                                SolverBodyW& b) {
    const DoubleW normal_velocity =
        dot(constraint.normal, motion_at(b, point.anchor_b) - motion_at(a, point.anchor_a));
    const DoubleW wanted = point.normal_impulse + point.normal_mass * (point.target - normal_velocity);
    const DoubleW sum = larger(wanted, splat(0));
    const DoubleW added = sum - point.normal_impulse;
    point.normal_impulse = sum;
    apply(constraint, point, {added * constraint.normal.x, added * constraint.normal.y}, a, b);
}

// The block solver: both points at once. One after the other would leave an error at the first, always on the
// same side, and stacks would sway. Either both push, or only the second, or only the first; where none of
// these solves the contact, the first and then the second.
INSTEP_INLINE void solve_both_normals(const ContactConstraintW& constraint, ContactPointW* points,
                                      const BlockW& block, SolverBodyW& a, SolverBodyW& b) {
    const DoubleW zero = splat(0);
    const DoubleW old[2] = {points[0].normal_impulse, points[1].normal_impulse};
    DoubleW error[2];
    for (std::uint32_t i = 0; i < 2; ++i)
        error[i] = points[i].target - dot(constraint.normal, motion_at(b, points[i].anchor_b) -
                                                                 motion_at(a, points[i].anchor_a));

    const DoubleW both_first = old[0] + block.inverse_k11 * error[0] + block.inverse_k12 * error[1];
    const DoubleW both_second = old[1] + block.inverse_k12 * error[0] + block.inverse_k22 * error[1];
    const MaskW both_active = block.invertible & (both_first >= 0) & (both_second >= 0);

    const DoubleW second_alone =
        larger(old[1] + points[1].normal_mass * (error[1] + block.k12 * old[0]), zero);
    const DoubleW first_error = error[0] + block.k11 * old[0] - block.k12 * (second_alone - old[1]);
    const MaskW second_suffices = first_error <= 0;

    const DoubleW first_alone =
        larger(old[0] + points[0].normal_mass * (error[0] + block.k12 * old[1]), zero);
    const DoubleW second_after =
        larger(old[1] + points[1].normal_mass * (error[1] - block.k12 * (first_alone - old[0])), zero);

    const DoubleW first = select(both_active, both_first, select(second_suffices, zero, first_alone));
    const DoubleW second =
        select(both_active, both_second, select(second_suffices, second_alone, second_after));
    const DoubleW sum[2] = {first, second};
    for (std::uint32_t i = 0; i < 2; ++i) {
        const DoubleW added = sum[i] - old[i];
        points[i].normal_impulse = sum[i];
        apply(constraint, points[i], {added * constraint.normal.x, added * constraint.normal.y}, a, b);
    }
}

// A torque against the relative rotation, before friction: the friction of a ball that rests on a slope is
// known from the last step, so both are solved at once.
INSTEP_INLINE void solve_rolling(const ContactConstraintW& constraint, const ContactPointW* points,
                                 SurfaceW& surface, SolverBodyW& a, SolverBodyW& b) {
    DoubleW normal_impulse = points[0].normal_impulse;
    if (constraint.points == 2) normal_impulse += points[1].normal_impulse;
    const DoubleW limit = surface.rolling_radius * normal_impulse;
    const DoubleW wanted = surface.rolling_impulse - surface.rolling_mass * (b.angular - a.angular);
    const DoubleW sum = larger(smaller(wanted, limit), -limit);
    const DoubleW added = sum - surface.rolling_impulse;
    surface.rolling_impulse = sum;
    a.angular -= constraint.inverse_inertia_a * added;
    b.angular += constraint.inverse_inertia_b * added;
}

// Friction before normal impulses: non-penetration matters more, so it is solved last.
INSTEP_INLINE void solve(const ContactConstraintW& constraint, ConstraintGraph& graph, SolverBody* bodies) {
    ContactPointW* points = graph.points_of(constraint);
    SolverBodyW a = gather<Row::velocity>(bodies, constraint.a);
    SolverBodyW b = gather<Row::velocity>(bodies, constraint.b);
    if (constraint.has_surface) {
        SurfaceW& surface = graph.surface_of(constraint);
        solve_rolling(constraint, points, surface, a, b);
        for (std::uint32_t i = 0; i < constraint.points; ++i)
            solve_friction(constraint, points[i], -surface.tangent_speed, a, b);
    } else {
        for (std::uint32_t i = 0; i < constraint.points; ++i)
            solve_friction(constraint, points[i], splat(0), a, b);
    }
    if (constraint.points == 1)
        solve_normal(constraint, points[0], a, b);
    else
        solve_both_normals(constraint, points, graph.block_of(constraint), a, b);
    scatter<Row::velocity>(a, bodies, constraint.a);
    scatter<Row::velocity>(b, bodies, constraint.b);
}

// The position impulse of a point. Anchors rotate with their bodies; for one step r + delta_angle × r is
// close enough.
INSTEP_INLINE DoubleW position_impulse(const ContactConstraintW& constraint, const ContactPointW& point,
                                       const SolverBodyW& a, const SolverBodyW& b) {
    const DoubleW separation = point.separation + dot(constraint.normal, motion_at(b, point.anchor_b) -
                                                                             motion_at(a, point.anchor_a));
    const DoubleW wanted = correction_rate * (separation + linear_slop);
    const DoubleW correction = larger(smaller(wanted, splat(0)), splat(-max_correction));
    return -correction * point.normal_mass;
}

// Both points are computed before either is applied, so a box leaves the ground without tilting.
INSTEP_INLINE void solve_position(const ContactConstraintW& constraint, const ContactPointW* points,
                                  SolverBody* bodies) {
    SolverBodyW a = gather<Row::displacement>(bodies, constraint.a);
    SolverBodyW b = gather<Row::displacement>(bodies, constraint.b);
    DoubleW impulse[2];
    for (std::uint32_t i = 0; i < constraint.points; ++i)
        impulse[i] = position_impulse(constraint, points[i], a, b);
    for (std::uint32_t i = 0; i < constraint.points; ++i)
        apply(constraint, points[i], {impulse[i] * constraint.normal.x, impulse[i] * constraint.normal.y}, a,
              b);
    scatter<Row::displacement>(a, bodies, constraint.a);
    scatter<Row::displacement>(b, bodies, constraint.b);
}

void report(const ContactSim& contact, double approach, ContactEvent::Kind kind, Scratch& scratch) {
    if (scratch.events.size() == scratch.events.capacity()) return;
    scratch.events.push_back({kind, contact.contact.a, contact.contact.b, contact.manifold.points[0].point,
                              contact.manifold.normal, approach});
}

}  // namespace

void build_constraint_graph(Scratch& scratch) {
    const auto bodies = static_cast<std::uint32_t>(scratch.bodies.size());
    ConstraintGraph& graph = scratch.constraint_graph;
    graph.clear(bodies);
    scratch.any_conveyor = false;
    for (const ContactSim& contact : scratch.contacts) {
        if (contact.resting) continue;
        const Proxy& a = scratch.proxies[contact.proxy_a];
        const Proxy& b = scratch.proxies[contact.proxy_b];
        graph.add(a.body, a.dynamic, b.body, b.dynamic, contact.manifold.count);
    }
    graph.allocate(bodies);
    for (ContactSim& contact : scratch.contacts) {
        if (contact.resting) continue;
        contact.solver_lane = graph.next_lane();
        fill_lane(contact, scratch);
    }
}

INSTEP_WIDE
void prepare_contacts(const Setup& setup, double dt, Scratch& scratch) {
    SolverBody* bodies = scratch.solver_bodies.data();
    for (ContactConstraintW& constraint : scratch.constraint_graph.all()) {
        ContactPointW* points = scratch.constraint_graph.points_of(constraint);
        for (std::uint32_t i = 0; i < constraint.points; ++i) {
            points[i].normal_mass = effective_mass(constraint, points[i], constraint.normal);
            points[i].tangent_mass = effective_mass(constraint, points[i], perpendicular(constraint.normal));
        }
        if (constraint.points == 2)
            prepare_block(constraint, points, scratch.constraint_graph.block_of(constraint));
        if (constraint.has_surface) {
            const DoubleW inverse = constraint.inverse_inertia_a + constraint.inverse_inertia_b;
            scratch.constraint_graph.surface_of(constraint).rolling_mass =
                select(inverse > 0, 1 / inverse, splat(0));
        }
        const SolverBodyW a = gather<Row::velocity>(bodies, constraint.a);
        const SolverBodyW b = gather<Row::velocity>(bodies, constraint.b);
        set_targets(constraint, points, scratch.constraint_graph.impact_of(constraint), setup.config, dt, a,
                    b);
    }
}

INSTEP_WIDE
void solve_velocities(const Setup& setup, Scratch& scratch) {
    SolverBody* bodies = scratch.solver_bodies.data();
    const std::span<ContactConstraintW> graph = scratch.constraint_graph.all();
    for (const ContactConstraintW& constraint : graph)
        warm_start(constraint, scratch.constraint_graph.points_of(constraint), bodies);
    // Forwards and backwards in turn, or stacks would lean to the side from which they are solved.
    for (std::uint32_t pass = 0; pass < setup.config.velocity_iterations; ++pass) {
        if (!scratch.joints.empty()) solve_joint_velocities(scratch);
        for (std::size_t i = 0; i < graph.size(); ++i)
            solve(graph[pass % 2 == 0 ? i : graph.size() - 1 - i], scratch.constraint_graph, bodies);
    }
}

void integrate_positions(const Setup& setup, double dt, Scratch& scratch) {
    for (std::uint32_t i = 0; i < scratch.bodies.size(); ++i)
        if (scratch.is_constrained(i)) integrate(scratch.solver_bodies[i], setup.config, dt);
}

INSTEP_WIDE
void solve_positions(const Space& space, const Setup& setup, Scratch& scratch) {
    SolverBody* bodies = scratch.solver_bodies.data();
    for (std::uint32_t pass = 0; pass < setup.config.position_iterations; ++pass) {
        if (!scratch.joints.empty()) solve_joint_positions(space, setup, scratch);
        for (const ContactConstraintW& constraint : scratch.constraint_graph.all())
            solve_position(constraint, scratch.constraint_graph.points_of(constraint), bodies);
    }
}

void store_impulses(const Setup& setup, Scratch& scratch) {
    for (ContactSim& contact : scratch.contacts) {
        if (contact.resting) continue;
        const ContactConstraintW& constraint = scratch.constraint_graph[contact.solver_lane.constraint];
        const ContactPointW* points = scratch.constraint_graph.points_of(constraint);
        const std::uint32_t lane = contact.solver_lane.lane;
        const ImpactW& impact = scratch.constraint_graph.impact_of(constraint);
        const double approach = impact.approach[lane];
        // The impulse of an impact must not warm start the next step: it would hit a second time.
        const bool was_impact = approach > setup.config.restitution_threshold || impact.bounces[lane] != 0;
        bool pushed = false;
        bool overlaps = false;
        for (std::uint32_t i = 0; i < contact.manifold.count; ++i) {
            const double normal_impulse = points[i].normal_impulse[lane];
            contact.contact.normal_impulse[i] = was_impact ? 0 : normal_impulse;
            contact.contact.tangent_impulse[i] = was_impact ? 0 : points[i].tangent_impulse[lane];
            pushed = pushed || normal_impulse > 0;
            overlaps = overlaps || contact.manifold.points[i].separation <= 0;
        }
        // A body that is pressed against another reports one hit, not one in every step.
        if (contact.contact.touching || !(pushed || overlaps)) continue;
        contact.contact.touching = true;
        report(contact, approach, ContactEvent::Kind::begin, scratch);
        if (pushed && approach > setup.config.hit_speed)
            report(contact, approach, ContactEvent::Kind::hit, scratch);
    }
}

}  // namespace instep::rigid
