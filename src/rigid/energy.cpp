// SPDX-License-Identifier: MIT
// Sums over islands of what contacts have changed, in the order of ids.
#include <instep/rigid/energy.h>

#include <algorithm>

#include <instep/rigid/islands.h>

namespace instep::rigid {
namespace {

constexpr double rounding = 1e-12;  // of an energy, which no one has won

Changes changes_of(const Body& body, const Form& form, const Mover& mover) {
    const double spin = body.angular_velocity;
    const Vec2 linear = mover.velocity - body.velocity;
    const double angular = mover.angular_velocity - spin;
    return {form.mass * math::length_squared(body.velocity) + form.inertia * spin * spin,
            form.mass * math::dot(body.velocity, linear) + form.inertia * spin * angular,
            form.mass * math::length_squared(linear) + form.inertia * angular * angular};
}

bool wins(const Changes& changes) { return 2 * changes.along + changes.across > rounding * changes.before; }

template <class Visit>
void for_each_pushed(const Space& space, const Setup& setup, Scratch& scratch, Visit visit) {
    for (const Proxy& proxy : scratch.proxies)
        if (proxy.shape == 0 && proxy.dynamic && scratch.batches.has(proxy.body))
            visit(proxy.body, space.bodies[proxy.body], form_of(space.bodies[proxy.body], setup));
}

}  // namespace

void take_back_won_energy(const Space& space, const Setup& setup, Scratch& scratch) {
    bool anyone_wins = false;
    for_each_pushed(space, setup, scratch, [&](std::uint32_t i, const Body& body, const Form& form) {
        anyone_wins = anyone_wins || wins(changes_of(body, form, scratch.movers[i]));
    });
    if (!anyone_wins) return;
    find_islands(space, scratch);
    mark_carried_islands(space, scratch);
    std::fill_n(scratch.island_changes.begin(), space.bodies.size(), Changes{});
    for_each_pushed(space, setup, scratch, [&](std::uint32_t i, const Body& body, const Form& form) {
        const Changes changes = changes_of(body, form, scratch.movers[i]);
        Changes& all = scratch.island_changes[island_of(scratch, i)];
        all.before += changes.before;
        all.along += changes.along;
        all.across += changes.across;
    });
    for_each_pushed(space, setup, scratch, [&](std::uint32_t i, const Body& body, const Form&) {
        const std::uint32_t island = island_of(scratch, i);
        const Changes& all = scratch.island_changes[island];
        if (!wins(all) || scratch.island_marks[island]) return;
        const double part = std::max(-2 * all.along / all.across, 0.0);
        Mover& mover = scratch.movers[i];
        mover.velocity = body.velocity + part * (mover.velocity - body.velocity);
        mover.angular_velocity =
            body.angular_velocity + part * (mover.angular_velocity - body.angular_velocity);
    });
}

}  // namespace instep::rigid
