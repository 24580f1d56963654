// SPDX-License-Identifier: MIT
// Energy sums over islands, in the order of ids.
#include <instep/rigid/energy.h>

#include <algorithm>

#include <instep/rigid/islands.h>

namespace instep::rigid {
namespace {

constexpr double rounding = 1e-12;  // relative; a smaller gain is a rounding error

EnergyChange energy_change(const BodyRef& body, const SolverBody& solver_body) {
    const BodyDef& def = body.def;
    const double spin = body.angular_velocity;
    const Vec2 linear = solver_body.velocity - body.velocity;
    const double angular = solver_body.angular_velocity - spin;
    return {def.mass * math::length_squared(body.velocity) + def.inertia * spin * spin,
            def.mass * math::dot(body.velocity, linear) + def.inertia * spin * angular,
            def.mass * math::length_squared(linear) + def.inertia * angular * angular};
}

bool gains_energy(const EnergyChange& change) {
    return 2 * change.linear + change.quadratic > rounding * change.before;
}

// Lists every dynamic body that has a contact once, in the order of contacts, which is that of ids.
void list_touching_bodies(Scratch& scratch) {
    scratch.touching_bodies.clear();
    std::fill_n(scratch.island_marks.begin(), scratch.bodies.size(), std::uint8_t{0});
    for (const ContactSim& contact : scratch.contacts) {
        if (contact.resting) continue;
        for (const std::uint32_t index : {contact.proxy_a, contact.proxy_b}) {
            const Proxy& proxy = scratch.proxies[index];
            if (!proxy.dynamic || scratch.island_marks[proxy.body]) continue;
            scratch.island_marks[proxy.body] = 1;
            scratch.touching_bodies.push_back(proxy.body);
        }
    }
}

void mark_conveyor_islands(Scratch& scratch) {
    for (const ContactSim& contact : scratch.contacts) {
        for (const std::uint32_t index : {contact.proxy_a, contact.proxy_b}) {
            const Proxy& proxy = scratch.proxies[index];
            if (scratch.bodies[proxy.body].def.shapes[proxy.shape].material.tangent_speed == 0) continue;
            for (const std::uint32_t touched : {contact.proxy_a, contact.proxy_b})
                if (scratch.proxies[touched].dynamic)
                    scratch.island_marks[island_of(scratch, scratch.proxies[touched].body)] = 1;
        }
    }
}

}  // namespace

void limit_energy_gain(Scratch& scratch) {
    list_touching_bodies(scratch);
    const auto change_at = [&](std::uint32_t index) {
        return energy_change(scratch.bodies[index], scratch.solver_bodies[index]);
    };
    if (std::ranges::none_of(scratch.touching_bodies,
                             [&](std::uint32_t index) { return gains_energy(change_at(index)); }))
        return;
    find_islands(scratch);
    mark_kinematic_islands(scratch);
    for (const JointSim& joint : scratch.joints)
        if (joint.dynamic_b)
            scratch.island_marks[island_of(scratch, joint.b)] = 1;
        else if (joint.dynamic_a)
            scratch.island_marks[island_of(scratch, joint.a)] = 1;
    if (scratch.any_conveyor) mark_conveyor_islands(scratch);
    for (const std::uint32_t index : scratch.touching_bodies)
        scratch.island_energy[island_of(scratch, index)] = {};
    for (const std::uint32_t index : scratch.touching_bodies) {
        const EnergyChange change = change_at(index);
        EnergyChange& sum = scratch.island_energy[island_of(scratch, index)];
        sum.before += change.before;
        sum.linear += change.linear;
        sum.quadratic += change.quadratic;
    }
    for (const std::uint32_t index : scratch.touching_bodies) {
        const std::uint32_t island = island_of(scratch, index);
        const EnergyChange& sum = scratch.island_energy[island];
        if (!gains_energy(sum) || scratch.island_marks[island]) continue;
        const double fraction = std::max(-2 * sum.linear / sum.quadratic, 0.0);
        const BodyRef& body = scratch.bodies[index];
        SolverBody& solver_body = scratch.solver_bodies[index];
        solver_body.velocity = body.velocity + fraction * (solver_body.velocity - body.velocity);
        solver_body.angular_velocity =
            body.angular_velocity + fraction * (solver_body.angular_velocity - body.angular_velocity);
    }
}

}  // namespace instep::rigid
