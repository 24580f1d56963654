// SPDX-License-Identifier: MIT
// The memory that a step works in, sized once by the setup, so that a step allocates nothing. A step reads
// nothing here that it has not written itself: a new scratch in every step gives the same bits.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <instep/rigid/batches.h>
#include <instep/rigid/manifold.h>
#include <instep/rigid/space.h>
#include <instep/rigid/strips.h>

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
    Filter filter{};
    std::uint16_t group = 0;
    std::uint8_t shape = 0;
    bool active = false;
    bool dynamic = false;
    bool fast = false;              // so fast that its way will be swept, if nothing stops it
    bool missed_obstacles = false;  // there was no room for all in its way: it has to ask again
};

struct ProxyPair {
    std::uint32_t low = 0;
    std::uint32_t high = 0;
};

// A shape that a fast one may run into.
struct Obstacle {
    std::uint32_t proxy = 0;
    std::uint32_t next = 0;  // of the same fast shape
};

// A contact of this step, on its way into the state.
struct LiveContact {
    Contact contact;
    Manifold manifold;
    std::uint32_t proxy_a = 0;
    std::uint32_t proxy_b = 0;
    LanePlace solved{};    // in which batch
    bool resting = false;  // between bodies that are not active: kept as it is, not solved
};

// What contacts have done to the velocities of bodies, weighed with their masses: twice the energy after the
// part s of it is before + 2 s along + s² across.
struct Changes {
    double before = 0;  // the velocities times themselves
    double along = 0;   // times their changes
    double across = 0;  // the changes times themselves
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
    bool any_asleep = false;
    Strips strips;
    std::vector<ProxyPair> pairs;
    std::vector<ProxyPair> sorted_pairs;  // by their higher proxies, on the way to their order
    std::vector<std::uint32_t> pair_starts;
    std::vector<std::uint32_t> first_obstacle;  // of a fast proxy
    std::vector<Obstacle> obstacles;
    std::vector<LiveContact> contacts;
    std::vector<std::uint8_t> pressed;  // by the place of the body: deep in something that does not give way
    std::vector<Mover> movers;          // by the place of the body, and one more for lanes without a contact
    Batches batches;
    std::vector<std::uint32_t> pushed;  // places of the bodies that have a contact
    std::vector<std::uint32_t> island_of;
    std::vector<std::uint8_t> island_marks;
    std::vector<Changes> island_changes;
};

}  // namespace instep::rigid
