// SPDX-License-Identifier: MIT
// Contacts in groups of four, by graph colouring (as the constraint graph of Box2D v3). Two contacts with a
// common body must be solved one after the other, which leaves a processor waiting. So every contact gets a
// colour such that no two of one colour share a dynamic body; those of one colour are solved four at a time,
// one per SIMD lane.
//
//     boxes in a row   [1]--[2]--[3]--[4]--[5]      colour 0: 1-2 and 3-4      colour 1: 2-3 and 4-5
//
// Contacts are coloured greedily in the order of their ids, so the groups are the same on every platform. A
// contact that finds no free colour goes to the overflow colour, whose contacts use one lane each.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <instep/math/vec2.h>
#include <instep/rigid/simd_types.h>

namespace instep::rigid {

// A body in the solver (b2BodyState in Box2D v3): two rows of four doubles.
struct alignas(2 * sizeof(DoubleW)) SolverBody {
    math::Vec2 velocity{};
    double angular_velocity = 0;
    double unused = 0;
    math::Vec2 displacement{};  // change of position in this step
    double delta_angle = 0;     // change of angle in this step
    double also_unused = 0;
};

// One point of each of four contacts.
struct ContactPointW {
    Vec2W anchor_a;  // from the centre of mass of a to the point
    Vec2W anchor_b;
    DoubleW separation;
    DoubleW normal_mass;
    DoubleW tangent_mass;
    DoubleW target;  // the least normal velocity allowed; negative while the shapes are still apart
    DoubleW normal_impulse;
    DoubleW tangent_impulse;
};

// The 2x2 matrix K of a contact with two points, for the block solver (Catto, Box2D 2): an impulse of 1 at
// one point changes its own normal velocity by k11 or k22 and that of the other point by k12.
struct BlockW {
    DoubleW k11;
    DoubleW k12;
    DoubleW inverse_k11;
    DoubleW inverse_k12;
    DoubleW inverse_k22;
    MaskW invertible;
};

// The impact of four contacts: read before and after the iterations, so kept apart from what they read.
struct ImpactW {
    DoubleW restitution;
    DoubleW approach;  // speed of approach before the step
    MaskW bounces;
};

// What the surfaces of four contacts do beside friction.
struct SurfaceW {
    DoubleW tangent_speed;    // of both surfaces together
    DoubleW rolling_radius;   // rolling resistance * radius
    DoubleW rolling_mass;     // effective mass of the relative rotation
    DoubleW rolling_impulse;  // not kept from step to step
};

// Four contacts, all of one point or all of two.
struct ContactConstraintW {
    std::array<std::uint32_t, simd_width> a;  // indices of the bodies in their pool
    std::array<std::uint32_t, simd_width> b;
    std::uint32_t first_point;
    std::uint32_t points;
    std::uint32_t has_surface;  // whether surface_of() is set
    Vec2W normal;
    DoubleW friction;
    DoubleW inverse_mass_a;
    DoubleW inverse_mass_b;
    DoubleW inverse_inertia_a;
    DoubleW inverse_inertia_b;
};

struct ConstraintLane {
    std::uint32_t constraint = 0;
    std::uint32_t lane = 0;
};

class ConstraintGraph {
public:
    ConstraintGraph(std::uint32_t max_bodies, std::uint32_t max_contacts);

    // Starts a step with so many bodies.
    void clear(std::uint32_t bodies);
    // Colours a contact of one or two points. A body that is not dynamic may be in any number of lanes.
    void add(std::uint32_t a, bool a_is_dynamic, std::uint32_t b, bool b_is_dynamic, std::uint32_t points);
    // Makes the constraints once all contacts are added; unused lanes refer to `idle_body`.
    void allocate(std::uint32_t idle_body);
    // The lanes of the contacts, in the order in which they were added.
    ConstraintLane next_lane();

    // Whether a dynamic body has a contact.
    bool has_contact(std::uint32_t body) const { return colours_of_[body] != 0; }

    std::span<ContactConstraintW> all() { return {constraints_.get(), constraint_count_}; }
    ContactConstraintW& operator[](std::uint32_t constraint) { return constraints_[constraint]; }
    ContactPointW* points_of(const ContactConstraintW& constraint) {
        return points_.get() + constraint.first_point;
    }
    ImpactW& impact_of(const ContactConstraintW& constraint) { return impacts_[index_of(constraint)]; }
    // Only for constraints with has_surface.
    SurfaceW& surface_of(const ContactConstraintW& constraint) { return surfaces_[index_of(constraint)]; }
    // Only for constraints of two points.
    BlockW& block_of(const ContactConstraintW& constraint) { return blocks_[index_of(constraint)]; }

private:
    static constexpr std::uint32_t colour_count = 64;
    static constexpr std::uint32_t overflow_colour = colour_count - 1;
    static constexpr std::uint32_t group_count = 2 * colour_count;

    static constexpr std::uint32_t lanes_used_in(std::uint32_t group) {
        return group / 2 == overflow_colour ? 1 : simd_width;
    }

    std::size_t index_of(const ContactConstraintW& constraint) const {
        return static_cast<std::size_t>(&constraint - constraints_.get());
    }

    struct Group {  // the contacts of one colour and number of points
        std::uint32_t contacts = 0;
        std::uint32_t first_constraint = 0;
    };

    std::vector<std::uint64_t> colours_of_;  // of each body, one bit per colour
    std::vector<std::uint8_t> group_of_;     // of each contact added
    std::array<Group, group_count> groups_{};
    // Enough for every contact to be alone in its constraint. Pages that are never written take no memory.
    std::unique_ptr<ContactConstraintW[]> constraints_;
    std::unique_ptr<ContactPointW[]> points_;
    std::unique_ptr<ImpactW[]> impacts_;
    std::unique_ptr<BlockW[]> blocks_;
    std::unique_ptr<SurfaceW[]> surfaces_;
    std::uint32_t constraint_count_ = 0;
    std::size_t added_ = 0;
    std::size_t next_ = 0;
};

}  // namespace instep::rigid
