// SPDX-License-Identifier: MIT
// Union and find over the indices of bodies. The root of an island is the lowest index in it.
#include <instep/rigid/islands.h>

#include <algorithm>
#include <cmath>

namespace instep::rigid {
namespace {

std::uint32_t root_of(std::vector<std::uint32_t>& island_of, std::uint32_t body) {
    while (island_of[body] != body) {
        island_of[body] = island_of[island_of[body]];  // path halving
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
    for (const ContactSim& contact : scratch.contacts) {
        const Proxy& a = scratch.proxies[contact.proxy_a];
        const Proxy& b = scratch.proxies[contact.proxy_b];
        if (!a.dynamic || !b.dynamic) continue;
        const std::uint32_t root_a = root_of(scratch.island_of, a.body);
        const std::uint32_t root_b = root_of(scratch.island_of, b.body);
        scratch.island_of[std::max(root_a, root_b)] = std::min(root_a, root_b);
    }
}

void mark_kinematic_islands(const Space& space, Scratch& scratch) {
    clear_marks(space, scratch);
    for (const ContactSim& contact : scratch.contacts) {
        const Proxy& a = scratch.proxies[contact.proxy_a];
        const Proxy& b = scratch.proxies[contact.proxy_b];
        const auto moves = [&](const Proxy& proxy) {
            const Body& body = space.bodies[proxy.body];
            return !proxy.dynamic && (body.velocity != Vec2{} || body.angular_velocity != 0);
        };
        if (a.dynamic && moves(b)) mark(scratch, a.body);
        if (b.dynamic && moves(a)) mark(scratch, b.body);
    }
}

void wake_islands(Space& space, const Setup& setup, Scratch& scratch) {
    mark_kinematic_islands(space, scratch);
    for (std::uint32_t i = 0; i < space.bodies.size(); ++i)
        if (def_of(space.bodies[i], setup).type == BodyType::dynamic && !space.bodies[i].asleep)
            mark(scratch, i);
    for (std::uint32_t i = 0; i < space.bodies.size(); ++i)
        if (space.bodies[i].asleep && is_marked(scratch, i)) wake(space.bodies[i]);
}

void put_islands_to_sleep(Space& space, const Setup& setup, Scratch& scratch) {
    const Config& config = setup.config;
    if (config.sleep_ticks == 0) return;
    mark_kinematic_islands(space, scratch);
    for (std::uint32_t i = 0; i < space.bodies.size(); ++i) {
        Body& body = space.bodies[i];
        if (def_of(body, setup).type != BodyType::dynamic || body.asleep) continue;
        const bool may_rest = config.gravity == Vec2{} || scratch.constraint_graph.has_contact(i);
        const bool still = may_rest &&
                           math::length_squared(body.velocity) <= config.sleep_speed * config.sleep_speed &&
                           std::fabs(body.angular_velocity) <= config.sleep_turn;
        const int ticks = still ? std::min(body.still_ticks + 1, int{config.sleep_ticks}) : 0;
        body.still_ticks = static_cast<std::uint16_t>(ticks);
        if (body.still_ticks < config.sleep_ticks) mark(scratch, i);
    }
    for (std::uint32_t i = 0; i < space.bodies.size(); ++i) {
        Body& body = space.bodies[i];
        if (def_of(body, setup).type != BodyType::dynamic || body.asleep || is_marked(scratch, i)) continue;
        body.asleep = true;
        body.velocity = {};
        body.angular_velocity = 0;
    }
}

}  // namespace instep::rigid
