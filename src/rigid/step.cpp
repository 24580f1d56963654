// SPDX-License-Identifier: MIT
// The phases of a step, in the order in which they run.
#include <instep/rigid/step.h>

#include <algorithm>
#include <cassert>

#include <instep/rigid/continuous.h>
#include <instep/rigid/energy.h>
#include <instep/rigid/islands.h>
#include <instep/rigid/joint_solver.h>
#include <instep/rigid/pairs.h>
#include <instep/rigid/sensors.h>
#include <instep/rigid/solver.h>

namespace instep::rigid {
namespace {

// Gravity, then damping as an implicit Euler step, v' = v - c v' dt, which is stable for any c.
void integrate_velocities(const Setup& setup, double dt, Scratch& scratch) {
    for (const BodyRef& body : scratch.bodies) {
        const BodyDef& def = body.def;
        if (!body.is_dynamic() || body.asleep()) continue;
        body.velocity += dt * setup.config.gravity;
        if (def.options.linear_damping > 0) body.velocity *= 1 / (1 + dt * def.options.linear_damping);
        if (def.options.angular_damping > 0)
            body.angular_velocity *= 1 / (1 + dt * def.options.angular_damping);
    }
}

// Every state that a step leaves is valid.
void clamp_to_bounds(const BodyRef& body) {
    const auto within = [](double value, double limit) { return std::clamp(value, -limit, limit); };
    const auto both_within = [&](Vec2 value, double limit) {
        return Vec2{within(value.x, limit), within(value.y, limit)};
    };
    body.position = both_within(body.position, max_coordinate);
    body.velocity = both_within(body.velocity, max_coordinate);
    body.angle = within(body.angle, max_angle);
    body.angular_velocity = within(body.angular_velocity, max_coordinate);
}

void move_bodies(const Scratch& scratch) {
    for (std::uint32_t i = 0; i < scratch.bodies.size(); ++i) {
        const BodyRef& body = scratch.bodies[i];
        const SolverBody& solver_body = scratch.solver_bodies[i];
        if (!body.is_active()) continue;
        body.velocity = solver_body.velocity;
        body.angular_velocity = solver_body.angular_velocity;
        body.position += solver_body.displacement;
        body.angle += solver_body.delta_angle;
        clamp_to_bounds(body);
    }
}

}  // namespace

void step(Space& space, const Setup& setup, double dt, Scratch& scratch) {
    assert(space.bodies.id_count() <= setup.max_bodies && space.contacts.capacity() >= setup.max_contacts);
    scratch.events.clear();
    scratch.report = {};
    scratch.bodies.clear();
    space.bodies.for_each([&](const BodyRef& body) { scratch.bodies.push_back(body); });

    integrate_velocities(setup, dt, scratch);
    update_proxies(setup, dt, scratch);
    list_joints(space, setup, scratch);
    find_pairs(scratch);
    update_contacts(space, scratch);
    if (setup.config.sleep_ticks > 0 || scratch.any_asleep) {
        find_islands(scratch);
        wake_islands(scratch);
        update_woken_contacts(scratch);
    }
    build_constraint_graph(scratch);
    prepare_contacts(setup, dt, scratch);
    prepare_joints(space, setup, dt, scratch);
    solve_velocities(setup, scratch);
    limit_energy_gain(scratch);
    integrate_positions(setup, dt, scratch);
    store_joint_impulses(space, dt, scratch);
    solve_positions(space, setup, scratch);
    solve_continuous(setup, dt, scratch);
    store_impulses(setup, scratch);
    update_sensors(space, scratch);
    store_contacts(space, scratch);
    break_joints(space, setup, scratch);
    move_bodies(scratch);
    put_islands_to_sleep(setup, scratch);
    scratch.report.contacts = space.contacts.size();
}

}  // namespace instep::rigid
