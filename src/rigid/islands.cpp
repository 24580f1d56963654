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

void join(Scratch& scratch, std::uint32_t a, std::uint32_t b) {
    const std::uint32_t root_a = root_of(scratch.island_of, a);
    const std::uint32_t root_b = root_of(scratch.island_of, b);
    scratch.island_of[std::max(root_a, root_b)] = std::min(root_a, root_b);
}

void clear_marks(Scratch& scratch) {
    std::fill_n(scratch.island_marks.begin(), scratch.bodies.size(), std::uint8_t{0});
}

void mark(Scratch& scratch, std::uint32_t body) { scratch.island_marks[island_of(scratch, body)] = 1; }

bool is_marked(Scratch& scratch, std::uint32_t body) {
    return scratch.island_marks[island_of(scratch, body)] != 0;
}

bool is_moving_kinematic(const Scratch& scratch, std::uint32_t body) {
    return body < scratch.bodies.size() && !scratch.bodies[body].is_dynamic() && scratch.bodies[body].moves();
}

}  // namespace

std::uint32_t island_of(Scratch& scratch, std::uint32_t body) { return root_of(scratch.island_of, body); }

void find_islands(Scratch& scratch) {
    for (std::uint32_t i = 0; i < scratch.bodies.size(); ++i) scratch.island_of[i] = i;
    for (const ContactSim& contact : scratch.contacts) {
        const Proxy& a = scratch.proxies[contact.proxy_a];
        const Proxy& b = scratch.proxies[contact.proxy_b];
        if (a.dynamic && b.dynamic) join(scratch, a.body, b.body);
    }
    for (const JointSim& joint : scratch.joints)
        if (joint.dynamic_a && joint.dynamic_b) join(scratch, joint.a, joint.b);
}

void mark_kinematic_islands(Scratch& scratch) {
    clear_marks(scratch);
    for (const ContactSim& contact : scratch.contacts) {
        const Proxy& a = scratch.proxies[contact.proxy_a];
        const Proxy& b = scratch.proxies[contact.proxy_b];
        const auto moves = [&](const Proxy& proxy) {
            return !proxy.dynamic && scratch.bodies[proxy.body].moves();
        };
        if (a.dynamic && moves(b)) mark(scratch, a.body);
        if (b.dynamic && moves(a)) mark(scratch, b.body);
    }
    for (const JointSim& joint : scratch.joints) {
        if (joint.dynamic_a && is_moving_kinematic(scratch, joint.b)) mark(scratch, joint.a);
        if (joint.dynamic_b && is_moving_kinematic(scratch, joint.a)) mark(scratch, joint.b);
    }
}

void wake_islands(Scratch& scratch) {
    mark_kinematic_islands(scratch);
    for (std::uint32_t i = 0; i < scratch.bodies.size(); ++i)
        if (scratch.bodies[i].is_dynamic() && !scratch.bodies[i].asleep()) mark(scratch, i);
    for (std::uint32_t i = 0; i < scratch.bodies.size(); ++i)
        if (scratch.bodies[i].asleep() && is_marked(scratch, i)) scratch.bodies[i].wake();
}

void put_islands_to_sleep(const Setup& setup, Scratch& scratch) {
    const Config& config = setup.config;
    if (config.sleep_ticks == 0) return;
    mark_kinematic_islands(scratch);
    for (std::uint32_t i = 0; i < scratch.bodies.size(); ++i) {
        const BodyRef& ref = scratch.bodies[i];
        if (!ref.is_dynamic() || ref.asleep()) continue;
        if (!ref.stored) {
            mark(scratch, i);
            continue;
        }
        Body& body = *ref.stored;
        const bool may_rest = config.gravity == Vec2{} || scratch.is_constrained(i);
        const bool still = may_rest &&
                           math::length_squared(body.velocity) <= config.sleep_speed * config.sleep_speed &&
                           std::fabs(body.angular_velocity) <= config.sleep_turn;
        const int ticks = still ? std::min(body.still_ticks + 1, int{config.sleep_ticks}) : 0;
        body.still_ticks = static_cast<std::uint16_t>(ticks);
        if (body.still_ticks < config.sleep_ticks) mark(scratch, i);
    }
    for (std::uint32_t i = 0; i < scratch.bodies.size(); ++i) {
        if (!scratch.bodies[i].is_dynamic() || scratch.bodies[i].asleep() || is_marked(scratch, i)) continue;
        Body& body = *scratch.bodies[i].stored;
        body.asleep = true;
        body.velocity = {};
        body.angular_velocity = 0;
    }
}

}  // namespace instep::rigid
