// SPDX-License-Identifier: MIT
// The memory of a step, allocated once for a setup, so that a step allocates nothing. A step reads nothing
// here that it has not written itself: a new scratch in every step gives the same bits.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <instep/rigid/broad_phase.h>
#include <instep/rigid/constraint_graph.h>
#include <instep/rigid/joint_tree.h>
#include <instep/rigid/manifold.h>
#include <instep/rigid/space.h>

namespace instep::rigid {

// A contact that began, ended or hit hard in a step.
struct ContactEvent {
    enum class Kind : std::uint8_t { begin, end, hit };
    Kind kind = Kind::begin;
    Handle a;  // of an `end` event: possibly of a body that was removed
    Handle b;
    Vec2 point{};      // of begin and hit
    Vec2 normal{};     // of begin and hit, from a to b
    double speed = 0;  // of approach
};

// A shape that entered or left a sensor in a step.
struct SensorEvent {
    enum class Kind : std::uint8_t { begin, end };
    Kind kind = Kind::begin;
    Handle sensor;  // of an `end` event: possibly of a body that was removed
    Handle visitor;
    std::uint8_t sensor_shape = 0;  // index in its body's definition
    std::uint8_t visitor_shape = 0;
};

struct StepReport {
    std::uint32_t pairs = 0;     // of the broad phase
    std::uint32_t contacts = 0;  // in the state after the step
    std::uint32_t dropped = 0;   // pairs and contacts beyond the capacity
};

// One shape of one body in this step. Proxies are in the order of body ids, then of shapes.
struct Proxy {
    std::uint32_t body = 0;  // its index in Scratch::bodies
    std::uint32_t id = 0;
    Filter filter{};
    std::uint16_t group = 0;
    std::uint8_t shape = 0;
    bool active = false;
    bool dynamic = false;
    bool fast = false;              // needs continuous collision (is_fast)
    bool missed_obstacles = false;  // the obstacle list was full: query the broad phase
    bool one_way = false;
    bool sensor = false;
};

struct ProxyPair {
    std::uint32_t low = 0;
    std::uint32_t high = 0;
};

// A shape that a fast shape may hit; the obstacles of one fast shape form a list.
struct Obstacle {
    std::uint32_t proxy = 0;
    std::uint32_t next = 0;  // index in Scratch::obstacles, or no_obstacle
};

// A contact during a step (b2ContactSim in Box2D v3).
struct ContactSim {
    Contact contact;
    Manifold manifold;
    std::uint32_t proxy_a = 0;
    std::uint32_t proxy_b = 0;
    ConstraintLane solver_lane{};
    bool resting = false;  // neither body is active: kept as it is, not solved
};

// The energy of bodies as a function of the fraction s of the change of velocity dv that the contacts made:
// twice the energy is before + 2 s linear + s² quadratic.
struct EnergyChange {
    double before = 0;     // v · m v
    double linear = 0;     // v · m dv
    double quadratic = 0;  // dv · m dv
};

// An entry of the list of bodies that a body does not collide with, because of a joint.
struct JointLink {
    std::uint32_t other = 0;  // body index
    std::uint32_t next = 0;
};

struct Scratch {
    explicit Scratch(const Setup& setup);

    std::vector<ContactEvent> events;  // of the last step
    std::vector<JointEvent> joint_events;
    std::vector<SensorEvent> sensor_events;
    StepReport report;

    std::vector<BodyRef> bodies;  // of this step; an index of a body is one in this list
    std::vector<std::uint32_t> index_of_id;
    std::vector<std::uint32_t> first_proxy;  // by body index
    std::vector<Proxy> proxies;
    std::vector<Hull> hulls;  // of the proxies, in world coordinates
    std::vector<Aabb> boxes;  // around them, expanded by half of the contact margin
    std::vector<Aabb> swept;  // and around their displacement in this step
    bool any_asleep = false;
    bool any_conveyor = false;  // a contact of this step has a tangent speed
    BroadPhase broad_phase;
    std::vector<ProxyPair> pairs;
    std::vector<ProxyPair> sorted_pairs;  // by their higher proxies: the first of two sorts
    std::vector<std::uint32_t> pair_starts;
    std::vector<std::uint32_t> first_obstacle;  // by proxy
    std::vector<Obstacle> obstacles;
    std::vector<ContactSim> contacts;
    std::vector<std::uint8_t> is_deep;      // by body index: deep inside a body that is not dynamic
    std::vector<SolverBody> solver_bodies;  // by body index, and one more for unused lanes
    ConstraintGraph constraint_graph;
    std::vector<JointSim> joints;
    std::vector<JointLink> joint_links;
    std::vector<std::uint32_t> first_joint_link;  // by body index
    std::vector<std::uint8_t> has_joint;          // by body index, if there are any joints
    std::vector<double> joint_stiffness;          // by body index: of its angle, times dt²
    JointTree joint_tree;
    bool has_sensors = false;        // a body definition of the setup has a sensor
    std::vector<Aabb> sensor_boxes;  // around the final displacements of all proxies
    BroadPhase sensor_phase;
    std::vector<ProxyPair> sensor_pairs;
    std::vector<Contact> sensor_contacts;        // overlaps when the step ends, in the order of contact_key()
    std::vector<std::uint32_t> touching_bodies;  // indices of the dynamic bodies that have a contact
    std::vector<std::uint32_t> island_of;
    std::vector<std::uint8_t> island_marks;
    std::vector<EnergyChange> island_energy;

    // Whether a body's velocity is solved for: it has a contact or a joint.
    bool is_constrained(std::uint32_t body) const {
        return constraint_graph.has_contact(body) || (!joints.empty() && has_joint[body]);
    }
};

}  // namespace instep::rigid
