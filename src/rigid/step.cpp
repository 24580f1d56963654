// SPDX-License-Identifier: MIT
// The phases of a step, in the order in which they run.
#include <instep/rigid/step.h>

#include <algorithm>
#include <cassert>

#include <instep/rigid/energy.h>
#include <instep/rigid/islands.h>
#include <instep/rigid/pairs.h>
#include <instep/rigid/solver.h>
#include <instep/rigid/sweep.h>

namespace instep::rigid {
namespace {

// Gravity, then damping as an implicit Euler step, v' = v - c v' dt, which stays stable at any c.
void change_velocities(Space& space, const Setup& setup, double dt) {
    for (Body& body : space.bodies) {
        const Form& form = form_of(body, setup);
        if (form.type != BodyType::dynamic || body.asleep) continue;
        body.velocity += dt * setup.rules.gravity;
        if (form.options.linear_damping > 0) body.velocity *= 1 / (1 + dt * form.options.linear_damping);
        if (form.options.angular_damping > 0)
            body.angular_velocity *= 1 / (1 + dt * form.options.angular_damping);
    }
}

// At the end of the world: whatever a step leaves is legal.
void hold(Body& body) {
    const auto within = [](double value, double most) { return std::clamp(value, -most, most); };
    const auto both_within = [&](Vec2 value, double most) {
        return Vec2{within(value.x, most), within(value.y, most)};
    };
    body.position = both_within(body.position, farthest);
    body.velocity = both_within(body.velocity, farthest);
    body.angle = within(body.angle, farthest_turn);
    body.angular_velocity = within(body.angular_velocity, farthest);
}

void move_bodies(Space& space, const Setup& setup, const Scratch& scratch) {
    for (std::uint32_t i = 0; i < space.bodies.size(); ++i) {
        Body& body = space.bodies[i];
        const Mover& mover = scratch.movers[i];
        if (!is_active(body, form_of(body, setup))) continue;
        body.velocity = mover.velocity;
        body.angular_velocity = mover.angular_velocity;
        body.position += mover.shift;
        body.angle += mover.turn;
        hold(body);
    }
}

}  // namespace

void step(Space& space, const Setup& setup, double dt, Scratch& scratch) {
    assert(space.bodies.capacity() <= setup.max_bodies && space.contacts.capacity() >= setup.max_contacts);
    scratch.events.clear();
    scratch.report = {};

    change_velocities(space, setup, dt);
    place_shapes(space, setup, dt, scratch);
    find_pairs(scratch);
    update_contacts(space, setup, scratch);
    if (setup.rules.sleep_ticks > 0 || scratch.any_asleep) {
        find_islands(space, scratch);
        wake_islands(space, setup, scratch);
        update_woken_contacts(space, setup, scratch);
    }
    deal_contacts(space, setup, scratch);
    prepare_batches(setup, dt, scratch);
    solve_velocities(setup, scratch);
    take_back_won_energy(space, setup, scratch);
    move(space, setup, dt, scratch);
    solve_positions(setup, scratch);
    stop_at_impacts(space, setup, dt, scratch);
    store_impulses(setup, scratch);
    store_contacts(space, scratch);
    move_bodies(space, setup, scratch);
    put_islands_to_sleep(space, setup, scratch);
    scratch.report.contacts = space.contacts.size();
}

}  // namespace instep::rigid
