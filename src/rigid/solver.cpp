// SPDX-License-Identifier: MIT
// Sequential impulses, four contacts at a time.
#include <instep/rigid/solver.h>

#include <algorithm>
#include <cmath>

#include <instep/math/simd.h>
#include <instep/rigid/lane_math.h>
#include <instep/rigid/motion.h>

namespace instep::rigid {
namespace {

constexpr double correction_rate = 0.2;  // part of an overlap that one pass pushes apart
constexpr double max_correction = 0.2;   // units a pass

// --- Lanes of movers: either their velocities or their ways

struct MoverLanes {
    LaneVec2 linear;
    Lanes angular;
};

enum class Row : std::uint8_t { velocity, way };

template <Row row>
INSTEP_INLINE Lanes& row_of(Mover& mover) {
    return reinterpret_cast<Lanes*>(&mover)[row == Row::velocity ? 0 : 1];
}

template <Row row>
INSTEP_INLINE MoverLanes gather(Mover* movers, const std::array<std::uint32_t, lane_count>& places) {
    const LaneColumns columns = columns_of(row_of<row>(movers[places[0]]), row_of<row>(movers[places[1]]),
                                           row_of<row>(movers[places[2]]), row_of<row>(movers[places[3]]));
    return {{columns.first, columns.second}, columns.third};
}

template <Row row>
INSTEP_INLINE void scatter(const MoverLanes& lanes, Mover* movers,
                           const std::array<std::uint32_t, lane_count>& places) {
    put_rows({lanes.linear.x, lanes.linear.y, lanes.angular}, row_of<row>(movers[places[0]]),
             row_of<row>(movers[places[1]]), row_of<row>(movers[places[2]]), row_of<row>(movers[places[3]]));
}

INSTEP_INLINE LaneVec2 at(const MoverLanes& mover, const LaneVec2& arm) {
    return {mover.linear.x - mover.angular * arm.y, mover.linear.y + mover.angular * arm.x};
}

INSTEP_INLINE void apply(const Batch& batch, const PointLanes& point, const LaneVec2& impulse, MoverLanes& a,
                         MoverLanes& b) {
    a.linear.x -= batch.inverse_mass_a * impulse.x;
    a.linear.y -= batch.inverse_mass_a * impulse.y;
    a.angular -= batch.inverse_inertia_a * cross(point.arm_a, impulse);
    b.linear.x += batch.inverse_mass_b * impulse.x;
    b.linear.y += batch.inverse_mass_b * impulse.y;
    b.angular += batch.inverse_inertia_b * cross(point.arm_b, impulse);
}

// --- Preparing

// So deep in something that does not give way that its middle has to be looked after.
bool is_deep(const ManifoldPoint& point, const Form& form, std::uint8_t shape, const Form& other) {
    return form.type == BodyType::dynamic && other.type != BodyType::dynamic &&
           point.separation < -0.25 * form.shapes[shape].core;
}

// A contact's numbers, put into its lane.
void fill_lane(const LiveContact& live, const Space& space, const Setup& setup, Scratch& scratch) {
    Batch& batch = scratch.batches[live.solved.batch];
    PointLanes* points = scratch.batches.points_of(batch);
    const std::uint32_t lane = live.solved.lane;
    const std::uint32_t a = scratch.proxies[live.proxy_a].body;
    const std::uint32_t b = scratch.proxies[live.proxy_b].body;
    const Body& body_a = space.bodies[a];
    const Body& body_b = space.bodies[b];
    const Form& form_a = form_of(body_a, setup);
    const Form& form_b = form_of(body_b, setup);
    const Material& material_a = form_a.shapes[live.contact.shape_a].material;
    const Material& material_b = form_b.shapes[live.contact.shape_b].material;
    batch.a[lane] = a;
    batch.b[lane] = b;
    batch.normal.x[lane] = live.manifold.normal.x;
    batch.normal.y[lane] = live.manifold.normal.y;
    batch.friction[lane] = std::sqrt(material_a.friction * material_b.friction);
    scratch.batches.impact_of(batch).restitution[lane] =
        std::max(material_a.restitution, material_b.restitution);
    batch.inverse_mass_a[lane] = form_a.inverse_mass;
    batch.inverse_mass_b[lane] = form_b.inverse_mass;
    batch.inverse_inertia_a[lane] = form_a.inverse_inertia;
    batch.inverse_inertia_b[lane] = form_b.inverse_inertia;
    for (std::uint32_t i = 0; i < live.manifold.count; ++i) {
        const ManifoldPoint& from = live.manifold.points[i];
        points[i].arm_a.x[lane] = from.at.x - body_a.position.x;
        points[i].arm_a.y[lane] = from.at.y - body_a.position.y;
        points[i].arm_b.x[lane] = from.at.x - body_b.position.x;
        points[i].arm_b.y[lane] = from.at.y - body_b.position.y;
        points[i].separation[lane] = from.separation;
        points[i].normal_impulse[lane] = live.contact.normal_impulse[i];
        points[i].tangent_impulse[lane] = live.contact.tangent_impulse[i];
        if (is_deep(from, form_a, live.contact.shape_a, form_b)) scratch.pressed[a] = 1;
        if (is_deep(from, form_b, live.contact.shape_b, form_a)) scratch.pressed[b] = 1;
    }
}

INSTEP_INLINE Lanes effective_mass(const Batch& batch, const PointLanes& point, const LaneVec2& direction) {
    const Lanes lever_a = cross(point.arm_a, direction);
    const Lanes lever_b = cross(point.arm_b, direction);
    const Lanes inverse = batch.inverse_mass_a + batch.inverse_mass_b +
                          batch.inverse_inertia_a * lever_a * lever_a +
                          batch.inverse_inertia_b * lever_b * lever_b;
    return select(inverse > 0, 1 / inverse, all_lanes(0));
}

INSTEP_INLINE void couple(const Batch& batch, const PointLanes* points, CouplingLanes& coupling) {
    const Lanes lever_a[2] = {cross(points[0].arm_a, batch.normal), cross(points[1].arm_a, batch.normal)};
    const Lanes lever_b[2] = {cross(points[0].arm_b, batch.normal), cross(points[1].arm_b, batch.normal)};
    const Lanes inverse_masses = batch.inverse_mass_a + batch.inverse_mass_b;
    const Lanes first = inverse_masses + batch.inverse_inertia_a * lever_a[0] * lever_a[0] +
                        batch.inverse_inertia_b * lever_b[0] * lever_b[0];
    const Lanes second = inverse_masses + batch.inverse_inertia_a * lever_a[1] * lever_a[1] +
                         batch.inverse_inertia_b * lever_b[1] * lever_b[1];
    const Lanes across = inverse_masses + batch.inverse_inertia_a * lever_a[0] * lever_a[1] +
                         batch.inverse_inertia_b * lever_b[0] * lever_b[1];
    const Lanes determinant = first * second - across * across;
    // Points so close to each other that they say the same: no inverse.
    coupling.solvable = determinant > 1e-3 * first * second;
    const Lanes inverse = select(coupling.solvable, 1 / determinant, all_lanes(0));
    coupling.at_first = first;
    coupling.across = across;
    coupling.inverse_first = inverse * second;
    coupling.inverse_across = -inverse * across;
    coupling.inverse_second = inverse * first;
}

// A perfectly elastic bounce is not too slow before it is as slow as gravity makes what lies on the ground
// within two steps: that shall lie there.
double elastic_threshold(const Rules& rules, double dt) {
    return std::min(rules.restitution_threshold, 2 * dt * math::length(rules.gravity));
}

// What gravity has added in this step to the speed at which two part: nothing if it pulls at both.
INSTEP_INLINE Lanes fall_of(const Batch& batch, const Rules& rules, double dt) {
    const Lanes zero = all_lanes(0);
    const Lanes fall = batch.normal.x * (dt * rules.gravity.x) + batch.normal.y * (dt * rules.gravity.y);
    return select(batch.inverse_mass_b > 0, fall, zero) - select(batch.inverse_mass_a > 0, fall, zero);
}

// What is still apart may come as near as it is; what would touch and comes fast enough bounces. No target is
// above the speed of approach: an impulse p that takes a point's speed of parting from v to v' does the work
// p (v + v') / 2, which is then never positive, however many contacts are hit at once.
//
// What counts as the speed of a bounce is that from before this step's gravity. A ball turns round where it
// is, up to v dt above the floor: with the fall of the step that it does not fall it would win g v dt, and
// jump a little higher every time. Without, v²/2 + g y - g v dt/2, which is what p' = p + dt v' keeps in
// flight, is kept by an elastic bounce too, to the last digits.
INSTEP_INLINE void set_targets(Batch& batch, PointLanes* points, ImpactLanes& impact, const Rules& rules,
                               double dt, const MoverLanes& a, const MoverLanes& b) {
    const Lanes fall = fall_of(batch, rules, dt);
    Lanes parting[2];
    impact.approach = all_lanes(0);
    for (std::uint32_t i = 0; i < batch.points; ++i) {
        parting[i] = dot(batch.normal, at(b, points[i].arm_b) - at(a, points[i].arm_a));
        const LaneMask will_touch = points[i].separation + parting[i] * dt <= 0;
        impact.approach = select(will_touch, larger(impact.approach, fall - parting[i]), impact.approach);
    }
    const LaneMask is_elastic = impact.restitution >= all_lanes(rules.elastic_loses_nothing ? 1 : 2);
    const Lanes threshold =
        select(is_elastic, all_lanes(elastic_threshold(rules, dt)), all_lanes(rules.restitution_threshold));
    impact.bounces = (impact.restitution > 0) & (impact.approach > threshold);
    batch.friction = select(is_elastic & impact.bounces, all_lanes(0), batch.friction);
    for (std::uint32_t i = 0; i < batch.points; ++i) {
        const LaneMask will_touch = points[i].separation + parting[i] * dt <= 0;
        const Lanes as_near_as_it_is = -larger(points[i].separation, all_lanes(0)) / dt;
        const Lanes approach = fall - parting[i];
        points[i].target =
            smaller(select(impact.bounces & will_touch, impact.restitution * approach, as_near_as_it_is),
                    larger(approach, -parting[i]));
    }
}

// --- Solving

// What held a contact in the last step, put in before anything is asked.
INSTEP_INLINE void warm_start(const Batch& batch, const PointLanes* points, Mover* movers) {
    MoverLanes a = gather<Row::velocity>(movers, batch.a);
    MoverLanes b = gather<Row::velocity>(movers, batch.b);
    const LaneVec2 tangent = perpendicular(batch.normal);
    for (std::uint32_t i = 0; i < batch.points; ++i) {
        const Lanes along = points[i].normal_impulse;
        const Lanes across = points[i].tangent_impulse;
        const LaneVec2 impulse = {along * batch.normal.x + across * tangent.x,
                                  along * batch.normal.y + across * tangent.y};
        apply(batch, points[i], impulse, a, b);
    }
    scatter<Row::velocity>(a, movers, batch.a);
    scatter<Row::velocity>(b, movers, batch.b);
}

INSTEP_INLINE void solve_friction(const Batch& batch, PointLanes& point, MoverLanes& a, MoverLanes& b) {
    const LaneVec2 tangent = perpendicular(batch.normal);
    const Lanes sliding = dot(tangent, at(b, point.arm_b) - at(a, point.arm_a));
    const Lanes most = batch.friction * point.normal_impulse;
    const Lanes wanted = point.tangent_impulse - point.tangent_mass * sliding;
    const Lanes sum = larger(smaller(wanted, most), -most);
    const Lanes added = sum - point.tangent_impulse;
    point.tangent_impulse = sum;
    apply(batch, point, {added * tangent.x, added * tangent.y}, a, b);
}

INSTEP_INLINE void solve_normal(const Batch& batch, PointLanes& point, MoverLanes& a, MoverLanes& b) {
    const Lanes parting = dot(batch.normal, at(b, point.arm_b) - at(a, point.arm_a));
    const Lanes wanted = point.normal_impulse + point.normal_mass * (point.target - parting);
    const Lanes sum = larger(wanted, all_lanes(0));
    const Lanes added = sum - point.normal_impulse;
    point.normal_impulse = sum;
    apply(batch, point, {added * batch.normal.x, added * batch.normal.y}, a, b);
}

// Two points at once: one after the other would leave the first a little wrong, always on the same side, and
// a stack would sway. Either both push, or only the second, or only the first; where none of these fits, the
// first and then the second.
INSTEP_INLINE void solve_both_normals(const Batch& batch, PointLanes* points, const CouplingLanes& coupling,
                                      MoverLanes& a, MoverLanes& b) {
    const Lanes zero = all_lanes(0);
    const Lanes old[2] = {points[0].normal_impulse, points[1].normal_impulse};
    Lanes missing[2];
    for (std::uint32_t i = 0; i < 2; ++i)
        missing[i] = points[i].target - dot(batch.normal, at(b, points[i].arm_b) - at(a, points[i].arm_a));

    const Lanes both_first =
        old[0] + coupling.inverse_first * missing[0] + coupling.inverse_across * missing[1];
    const Lanes both_second =
        old[1] + coupling.inverse_across * missing[0] + coupling.inverse_second * missing[1];
    const LaneMask both_push = coupling.solvable & (both_first >= 0) & (both_second >= 0);

    const Lanes second_alone =
        larger(old[1] + points[1].normal_mass * (missing[1] + coupling.across * old[0]), zero);
    const Lanes still_missing =
        missing[0] + coupling.at_first * old[0] - coupling.across * (second_alone - old[1]);
    const LaneMask second_suffices = still_missing <= 0;

    const Lanes first_alone =
        larger(old[0] + points[0].normal_mass * (missing[0] + coupling.across * old[1]), zero);
    const Lanes second_after = larger(
        old[1] + points[1].normal_mass * (missing[1] - coupling.across * (first_alone - old[0])), zero);

    const Lanes first = select(both_push, both_first, select(second_suffices, zero, first_alone));
    const Lanes second = select(both_push, both_second, select(second_suffices, second_alone, second_after));
    const Lanes sum[2] = {first, second};
    for (std::uint32_t i = 0; i < 2; ++i) {
        const Lanes added = sum[i] - old[i];
        points[i].normal_impulse = sum[i];
        apply(batch, points[i], {added * batch.normal.x, added * batch.normal.y}, a, b);
    }
}

// Friction first, for what is more important has the last word.
INSTEP_INLINE void solve(const Batch& batch, Batches& batches, Mover* movers) {
    PointLanes* points = batches.points_of(batch);
    MoverLanes a = gather<Row::velocity>(movers, batch.a);
    MoverLanes b = gather<Row::velocity>(movers, batch.b);
    for (std::uint32_t i = 0; i < batch.points; ++i) solve_friction(batch, points[i], a, b);
    if (batch.points == 1)
        solve_normal(batch, points[0], a, b);
    else
        solve_both_normals(batch, points, batches.coupling_of(batch), a, b);
    scatter<Row::velocity>(a, movers, batch.a);
    scatter<Row::velocity>(b, movers, batch.b);
}

// Arms turn with their bodies; for the small turns of one step r + turn × r is near enough.
INSTEP_INLINE Lanes push_for(const Batch& batch, const PointLanes& point, const MoverLanes& a,
                             const MoverLanes& b) {
    const Lanes separation = point.separation + dot(batch.normal, at(b, point.arm_b) - at(a, point.arm_a));
    const Lanes wanted = correction_rate * (separation + linear_slop);
    const Lanes correction = larger(smaller(wanted, all_lanes(0)), all_lanes(-max_correction));
    return -correction * point.normal_mass;
}

// Both points are asked before either is moved: a box is pushed out of the ground as it lies.
INSTEP_INLINE void push_apart(const Batch& batch, const PointLanes* points, Mover* movers) {
    MoverLanes a = gather<Row::way>(movers, batch.a);
    MoverLanes b = gather<Row::way>(movers, batch.b);
    Lanes push[2];
    for (std::uint32_t i = 0; i < batch.points; ++i) push[i] = push_for(batch, points[i], a, b);
    for (std::uint32_t i = 0; i < batch.points; ++i)
        apply(batch, points[i], {push[i] * batch.normal.x, push[i] * batch.normal.y}, a, b);
    scatter<Row::way>(a, movers, batch.a);
    scatter<Row::way>(b, movers, batch.b);
}

void tell(const LiveContact& live, double approach, Event::Kind kind, Scratch& scratch) {
    if (scratch.events.size() == scratch.events.capacity()) return;
    scratch.events.push_back(
        {kind, live.contact.a, live.contact.b, live.manifold.points[0].at, live.manifold.normal, approach});
}

}  // namespace

void deal_contacts(const Space& space, const Setup& setup, Scratch& scratch) {
    Batches& batches = scratch.batches;
    batches.clear(space.bodies.size());
    for (const LiveContact& live : scratch.contacts) {
        if (live.resting) continue;
        const Proxy& a = scratch.proxies[live.proxy_a];
        const Proxy& b = scratch.proxies[live.proxy_b];
        batches.count(a.body, a.dynamic, b.body, b.dynamic, live.manifold.count);
    }
    batches.open(space.bodies.size());
    for (LiveContact& live : scratch.contacts) {
        if (live.resting) continue;
        live.solved = batches.next();
        fill_lane(live, space, setup, scratch);
    }
}

INSTEP_WIDE
void prepare_batches(const Setup& setup, double dt, Scratch& scratch) {
    Mover* movers = scratch.movers.data();
    for (Batch& batch : scratch.batches.all()) {
        PointLanes* points = scratch.batches.points_of(batch);
        for (std::uint32_t i = 0; i < batch.points; ++i) {
            points[i].normal_mass = effective_mass(batch, points[i], batch.normal);
            points[i].tangent_mass = effective_mass(batch, points[i], perpendicular(batch.normal));
        }
        if (batch.points == 2) couple(batch, points, scratch.batches.coupling_of(batch));
        const MoverLanes a = gather<Row::velocity>(movers, batch.a);
        const MoverLanes b = gather<Row::velocity>(movers, batch.b);
        set_targets(batch, points, scratch.batches.impact_of(batch), setup.rules, dt, a, b);
    }
}

INSTEP_WIDE
void solve_velocities(const Setup& setup, Scratch& scratch) {
    Mover* movers = scratch.movers.data();
    const std::span<Batch> batches = scratch.batches.all();
    for (const Batch& batch : batches) warm_start(batch, scratch.batches.points_of(batch), movers);
    // There and back, or stacks would lean to the side from which they are solved.
    for (std::uint32_t pass = 0; pass < setup.rules.velocity_iterations; ++pass)
        for (std::size_t i = 0; i < batches.size(); ++i)
            solve(batches[pass % 2 == 0 ? i : batches.size() - 1 - i], scratch.batches, movers);
}

void move(const Space& space, const Setup& setup, double dt, Scratch& scratch) {
    for (std::uint32_t i = 0; i < space.bodies.size(); ++i)
        if (scratch.batches.has(i)) limit_and_move(scratch.movers[i], setup.rules, dt);
}

INSTEP_WIDE
void solve_positions(const Setup& setup, Scratch& scratch) {
    Mover* movers = scratch.movers.data();
    for (std::uint32_t pass = 0; pass < setup.rules.position_iterations; ++pass)
        for (const Batch& batch : scratch.batches.all())
            push_apart(batch, scratch.batches.points_of(batch), movers);
}

void store_impulses(const Setup& setup, Scratch& scratch) {
    for (LiveContact& live : scratch.contacts) {
        if (live.resting) continue;
        const Batch& batch = scratch.batches[live.solved.batch];
        const PointLanes* points = scratch.batches.points_of(batch);
        const std::uint32_t lane = live.solved.lane;
        const ImpactLanes& impact = scratch.batches.impact_of(batch);
        const double approach = impact.approach[lane];
        // The impulse of an impact is no guess at what the next step will need: it would hit a second time.
        const bool was_impact = approach > setup.rules.restitution_threshold || impact.bounces[lane] != 0;
        bool pushed = false;
        bool overlaps = false;
        for (std::uint32_t i = 0; i < live.manifold.count; ++i) {
            const double normal_impulse = points[i].normal_impulse[lane];
            live.contact.normal_impulse[i] = was_impact ? 0 : normal_impulse;
            live.contact.tangent_impulse[i] = was_impact ? 0 : points[i].tangent_impulse[lane];
            pushed = pushed || normal_impulse > 0;
            overlaps = overlaps || live.manifold.points[i].separation <= 0;
        }
        // What touches already and is pressed on by a motor does not hit anew in every step.
        if (live.contact.touching || !(pushed || overlaps)) continue;
        live.contact.touching = true;
        tell(live, approach, Event::Kind::begin, scratch);
        if (pushed && approach > setup.rules.hit_speed) tell(live, approach, Event::Kind::hit, scratch);
    }
}

}  // namespace instep::rigid
