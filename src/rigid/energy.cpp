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

// Bodies that have a contact, each once, in the order of contacts, which is that of ids.
void list_pushed(const Space& space, Scratch& scratch) {
    scratch.pushed.clear();
    std::fill_n(scratch.island_marks.begin(), space.bodies.size(), std::uint8_t{0});
    for (const LiveContact& live : scratch.contacts) {
        if (live.resting) continue;
        for (const std::uint32_t number : {live.proxy_a, live.proxy_b}) {
            const Proxy& proxy = scratch.proxies[number];
            if (!proxy.dynamic || scratch.island_marks[proxy.body]) continue;
            scratch.island_marks[proxy.body] = 1;
            scratch.pushed.push_back(proxy.body);
        }
    }
}

}  // namespace

void take_back_won_energy(const Space& space, const Setup& setup, Scratch& scratch) {
    list_pushed(space, scratch);
    const auto changes_at = [&](std::uint32_t place) {
        const Body& body = space.bodies[place];
        return changes_of(body, form_of(body, setup), scratch.movers[place]);
    };
    if (std::ranges::none_of(scratch.pushed, [&](std::uint32_t place) { return wins(changes_at(place)); }))
        return;
    find_islands(space, scratch);
    mark_carried_islands(space, scratch);
    for (const std::uint32_t place : scratch.pushed) scratch.island_changes[island_of(scratch, place)] = {};
    for (const std::uint32_t place : scratch.pushed) {
        const Changes changes = changes_at(place);
        Changes& all = scratch.island_changes[island_of(scratch, place)];
        all.before += changes.before;
        all.along += changes.along;
        all.across += changes.across;
    }
    for (const std::uint32_t place : scratch.pushed) {
        const std::uint32_t island = island_of(scratch, place);
        const Changes& all = scratch.island_changes[island];
        if (!wins(all) || scratch.island_marks[island]) continue;
        const double part = std::max(-2 * all.along / all.across, 0.0);
        const Body& body = space.bodies[place];
        Mover& mover = scratch.movers[place];
        mover.velocity = body.velocity + part * (mover.velocity - body.velocity);
        mover.angular_velocity =
            body.angular_velocity + part * (mover.angular_velocity - body.angular_velocity);
    }
}

}  // namespace instep::rigid
