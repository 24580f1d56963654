// SPDX-License-Identifier: MIT
// Contacts in fours. Solving contacts one after the other leaves a processor waiting for each before it can
// begin with the next, as the next may have a body in common. So contacts are given colours such that no two
// of one colour share a body that can be pushed; those of one colour are solved four at a time, in lanes.
//
//     boxes in a row   [1]--[2]--[3]--[4]--[5]      colour 0: 1-2 and 3-4      colour 1: 2-3 and 4-5
//
// A contact takes the first colour that both of its bodies have left, in the order of contacts, which is the
// order of ids: so the batches are the same everywhere. A body with more contacts than there are colours puts
// the rest into batches of their own, of which one lane is used.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <instep/math/vec2.h>
#include <instep/rigid/lanes.h>

namespace instep::rigid {

// A body as the solver sees it: two rows of four doubles.
struct alignas(2 * sizeof(Lanes)) Mover {
    math::Vec2 velocity{};
    double angular_velocity = 0;
    double unused = 0;
    math::Vec2 shift{};  // what its position will change by in this step
    double turn = 0;
    double also_unused = 0;
};

// Points of four contacts.
struct PointLanes {
    LaneVec2 arm_a;  // from the centre of mass to the point
    LaneVec2 arm_b;
    Lanes separation;
    Lanes normal_mass;
    Lanes tangent_mass;
    Lanes target;  // the least speed at which the two may part; negative: how fast they may still come nearer
    Lanes normal_impulse;
    Lanes tangent_impulse;
};

// How the two points of a contact disturb each other: an impulse of 1 at one changes the speed of parting at
// the other by `across`, and at itself by 1 / normal_mass. The inverse of that matrix solves both at once.
struct CouplingLanes {
    Lanes at_first;  // 1 / normal_mass of the first point
    Lanes across;
    Lanes inverse_first;
    Lanes inverse_across;
    Lanes inverse_second;
    LaneMask solvable;
};

// How four contacts came together: asked before and after solving, and kept out of the way meanwhile.
struct ImpactLanes {
    Lanes restitution;
    Lanes approach;  // speed at which they came nearer
    LaneMask bounces;
};

// Four contacts of one or of two points each.
struct Batch {
    std::array<std::uint32_t, lane_count> a;  // places of the bodies
    std::array<std::uint32_t, lane_count> b;
    std::uint32_t first_point;
    std::uint32_t points;
    LaneVec2 normal;
    Lanes friction;
    Lanes inverse_mass_a;
    Lanes inverse_mass_b;
    Lanes inverse_inertia_a;
    Lanes inverse_inertia_b;
};

struct LanePlace {
    std::uint32_t batch = 0;
    std::uint32_t lane = 0;
};

class Batches {
public:
    Batches(std::uint32_t max_bodies, std::uint32_t max_contacts);

    // Begins to count contacts of a step over so many bodies.
    void clear(std::uint32_t bodies);
    // A contact of one or two points. A body that nothing can push, and which is so in any number of lanes,
    // is told of by `is_pushed`.
    void count(std::uint32_t a, bool a_is_pushed, std::uint32_t b, bool b_is_pushed, std::uint32_t points);
    // Makes the batches, empty.
    void open(std::uint32_t idle_mover);
    // Where the contacts go, in the order in which they were counted.
    LanePlace next();

    // Whether a body that can be pushed has a contact.
    bool has(std::uint32_t body) const { return colours_of_[body] != 0; }

    std::span<Batch> all() { return {batches_.get(), batch_count_}; }
    Batch& operator[](std::uint32_t batch) { return batches_[batch]; }
    PointLanes* points_of(const Batch& batch) { return points_.get() + batch.first_point; }
    ImpactLanes& impact_of(const Batch& batch) { return impacts_[number_of(batch)]; }
    // Of a batch of two points.
    CouplingLanes& coupling_of(const Batch& batch) { return couplings_[number_of(batch)]; }

private:
    static constexpr std::uint32_t colour_count = 64;
    static constexpr std::uint32_t no_colour = colour_count - 1;  // of those that found none
    static constexpr std::uint32_t group_count = 2 * colour_count;

    static constexpr std::uint32_t lanes_in(std::uint32_t group) {
        return group / 2 == no_colour ? 1 : lane_count;
    }

    std::size_t number_of(const Batch& batch) const {
        return static_cast<std::size_t>(&batch - batches_.get());
    }

    struct Group {  // of one colour and number of points
        std::uint32_t contacts = 0;
        std::uint32_t first_batch = 0;
    };

    std::vector<std::uint64_t> colours_of_;  // of a body: a bit each
    std::vector<std::uint8_t> groups_of_;    // of the contacts counted
    std::array<Group, group_count> groups_{};
    // Room for every contact in a batch of its own. Memory that is never written to is never taken.
    std::unique_ptr<Batch[]> batches_;
    std::unique_ptr<PointLanes[]> points_;
    std::unique_ptr<ImpactLanes[]> impacts_;
    std::unique_ptr<CouplingLanes[]> couplings_;
    std::uint32_t batch_count_ = 0;
    std::size_t counted_ = 0;
    std::size_t next_ = 0;
};

}  // namespace instep::rigid
