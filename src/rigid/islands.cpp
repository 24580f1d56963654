// SPDX-License-Identifier: MIT
// Union and find over the places of bodies. The root of an island is the lowest place in it.
#include <instep/rigid/islands.h>

#include <algorithm>
#include <cmath>

namespace instep::rigid {
namespace {

std::uint32_t root_of(std::vector<std::uint32_t>& island_of, std::uint32_t body) {
    while (island_of[body] != body) {
        island_of[body] = island_of[island_of[body]];  // halves the way for whoever comes next
        body = island_of[body];
    }
    return body;
}

void clear_marks(const Space& space, Scratch& scratch) {
    std::fill_n(scratch.island_marks.begin(), space.bodies.size(), std::uint8_t{0});
}

void mark(Scratch& scratch, std::uint32_t body) { scratch.island_marks[island_of(scratch, body)] = 1; }

bool is_marked(Scratch& scratch, std::uint32_t body) {
    return scratch.island_marks[island_of(scratch, body)] != 0;
}

}  // namespace

std::uint32_t island_of(Scratch& scratch, std::uint32_t body) { return root_of(scratch.island_of, body); }

void find_islands(const Space& space, Scratch& scratch) {
    for (std::uint32_t i = 0; i < space.bodies.size(); ++i) scratch.island_of[i] = i;
    for (const LiveContact& live : scratch.contacts) {
        const Proxy& a = scratch.proxies[live.proxy_a];
        const Proxy& b = scratch.proxies[live.proxy_b];
        if (!a.dynamic || !b.dynamic) continue;
        const std::uint32_t root_a = root_of(scratch.island_of, a.body);
        const std::uint32_t root_b = root_of(scratch.island_of, b.body);
        scratch.island_of[std::max(root_a, root_b)] = std::min(root_a, root_b);
    }
}

void mark_carried_islands(const Space& space, Scratch& scratch) {
    clear_marks(space, scratch);
    for (const LiveContact& live : scratch.contacts) {
        const Proxy& a = scratch.proxies[live.proxy_a];
        const Proxy& b = scratch.proxies[live.proxy_b];
        const auto carries = [&](const Proxy& proxy) {
            const Body& body = space.bodies[proxy.body];
            return !proxy.dynamic && (body.velocity != Vec2{} || body.angular_velocity != 0);
        };
        if (a.dynamic && carries(b)) mark(scratch, a.body);
        if (b.dynamic && carries(a)) mark(scratch, b.body);
    }
}

void wake_islands(Space& space, const Setup& setup, Scratch& scratch) {
    mark_carried_islands(space, scratch);
    for (std::uint32_t i = 0; i < space.bodies.size(); ++i)
        if (form_of(space.bodies[i], setup).type == BodyType::dynamic && !space.bodies[i].asleep)
            mark(scratch, i);
    for (std::uint32_t i = 0; i < space.bodies.size(); ++i)
        if (space.bodies[i].asleep && is_marked(scratch, i)) wake(space.bodies[i]);
}

void put_islands_to_sleep(Space& space, const Setup& setup, Scratch& scratch) {
    const Rules& rules = setup.rules;
    if (rules.sleep_ticks == 0) return;
    mark_carried_islands(space, scratch);
    for (std::uint32_t i = 0; i < space.bodies.size(); ++i) {
        Body& body = space.bodies[i];
        if (form_of(body, setup).type != BodyType::dynamic || body.asleep) continue;
        // At the top of its way a ball is slow too.
        const bool lies = rules.gravity == Vec2{} || scratch.batches.has(i);
        const bool still = lies &&
                           math::length_squared(body.velocity) <= rules.sleep_speed * rules.sleep_speed &&
                           std::fabs(body.angular_velocity) <= rules.sleep_turn;
        const int ticks = still ? std::min(body.still_ticks + 1, int{rules.sleep_ticks}) : 0;
        body.still_ticks = static_cast<std::uint16_t>(ticks);
        if (body.still_ticks < rules.sleep_ticks) mark(scratch, i);
    }
    for (std::uint32_t i = 0; i < space.bodies.size(); ++i) {
        Body& body = space.bodies[i];
        if (form_of(body, setup).type != BodyType::dynamic || body.asleep || is_marked(scratch, i)) continue;
        body.asleep = true;
        body.velocity = {};
        body.angular_velocity = 0;
    }
}

}  // namespace instep::rigid
