// SPDX-License-Identifier: MIT
// The memory that a step works in, sized once by the setup, so that a step allocates nothing. A step reads
// nothing here that it has not written itself: a new scratch in every step gives the same bits.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <instep/rigid/grid.h>
#include <instep/rigid/manifold.h>
#include <instep/rigid/space.h>

namespace instep::rigid {

// What a watcher would want to know of a step.
struct Event {
    enum class Kind : std::uint8_t { begin, end, hit };
    Kind kind = Kind::begin;
    Handle a;  // a body that has been taken out since is named as well, by `end`
    Handle b;
    Vec2 at{};         // of begin and hit
    Vec2 normal{};     // from a to b
    double speed = 0;  // at which they came nearer; of hit
};

struct StepReport {
    std::uint32_t pairs = 0;     // of shapes near each other
    std::uint32_t contacts = 0;  // of which there are in the state
    std::uint32_t dropped = 0;   // pairs or contacts for which the setup's max_contacts left no room
};

// One shape of one body, where it is in this step. Proxies stand in the order of body ids and shapes.
struct Proxy {
    std::uint32_t body = 0;  // its place in the pool
    std::uint32_t id = 0;
    std::uint8_t shape = 0;
    bool active = false;
    bool dynamic = false;
};

struct ProxyPair {
    std::uint32_t low = 0;
    std::uint32_t high = 0;
};

// A body as the solver sees it.
struct Mover {
    Vec2 velocity{};
    double angular_velocity = 0;
    double inverse_mass = 0;  // both 0 for what does not give way
    double inverse_inertia = 0;
    Vec2 shift{};  // what its position will change by in this step
    double turn = 0;
};

// A contact of this step, on its way into the state.
struct LiveContact {
    Contact contact;
    Manifold manifold;
    std::uint32_t proxy_a = 0;
    std::uint32_t proxy_b = 0;
    bool resting = false;  // between bodies that are not active: kept as it is, not solved
};

struct ConstraintPoint {
    Vec2 arm_a{};  // from the centre of mass to the point
    Vec2 arm_b{};
    double separation = 0;
    double normal_mass = 0;
    double tangent_mass = 0;
    double target =
        0;  // the least speed at which the two may part; negative: how fast they may still come nearer
    double normal_impulse = 0;
    double tangent_impulse = 0;
};

struct Constraint {
    std::uint32_t a = 0;  // places of the bodies
    std::uint32_t b = 0;
    std::uint32_t contact = 0;  // place among the live contacts
    std::uint32_t count = 0;
    Vec2 normal{};
    double friction = 0;
    double approach = 0;  // speed at which they came nearer
    std::array<ConstraintPoint, 2> points{};
};

struct Scratch {
    explicit Scratch(const Setup& setup);

    std::vector<Event> events;  // of the last step
    StepReport report;

    std::vector<std::uint32_t> place_of_id;
    std::vector<std::uint32_t> first_proxy;  // of a body, by its place
    std::vector<Proxy> proxies;
    std::vector<Hull> hulls;  // of the proxies, in world coordinates
    std::vector<Box> boxes;   // around them, grown by half of the contact margin
    std::vector<Box> swept;   // and around their way in this step, if nothing stops them
    Grid grid;
    std::vector<ProxyPair> pairs;
    std::vector<ProxyPair> sorted_pairs;
    std::vector<std::uint32_t> pair_starts;
    std::vector<LiveContact> contacts;
    std::vector<Mover> movers;  // by the place of the body
    std::vector<Constraint> constraints;
    std::vector<std::uint32_t> island_of;
    std::vector<std::uint8_t> island_marks;
};

}  // namespace instep::rigid
