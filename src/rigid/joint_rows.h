// SPDX-License-Identifier: MIT
// A joint as rows of a linear system. Each row constrains one velocity of b relative to a,
//
//     axis · (v_b - v_a) + lever_b w_b - lever_a w_a  =  -bias - softness * impulse,
//
// with the impulse between `low` and `high`. What tells joints apart is only which rows they have. The first
// `hard` rows are equations without bounds, which the tree solver solves exactly (joint_tree.h); the others
// (springs, motors, limits) are solved one after the other, with the contacts.
#pragma once

#include <array>
#include <cstdint>

#include <instep/rigid/joint.h>

namespace instep::rigid {

struct JointRow {
    Vec2 axis{};  // zero: an angular row
    double lever_a = 0;
    double lever_b = 0;
    double error = 0;  // of the position: units or rad
    double bias = 0;
    double softness = 0;
    double mass = 0;  // effective
    double low = 0;
    double high = 0;
    double impulse = 0;
    // Of a row that is not hard: how much of its joint's hard rows an impulse of 1 takes along, so that it
    // does not violate them. Without, a motor that lifts a long arm would take hundreds of iterations.
    std::array<double, 3> share{};
    std::uint8_t slot = 0;  // in Joint::impulse
    bool is_limit = false;
};

struct JointSim {
    std::uint32_t joint = 0;  // index in its pool
    std::uint32_t a = 0;      // indices of the bodies; the world is the unused one after the last
    std::uint32_t b = 0;
    bool dynamic_a = false;
    bool dynamic_b = false;
    bool is_active = false;  // false: it rests with its bodies
    std::uint32_t hard = 0;
    std::uint32_t rows = 0;
    double inverse_mass_a = 0;
    double inverse_mass_b = 0;
    double inverse_inertia_a = 0;
    double inverse_inertia_b = 0;
    std::array<JointRow, 5> row{};
    Reaction reaction{};
};

// Where the two bodies are, and how they move.
struct JointPoses {
    Vec2 position_a{};
    Vec2 position_b{};
    double angle_a = 0;
    double angle_b = 0;
    Vec2 velocity_a{};
    Vec2 velocity_b{};
    double spin_a = 0;
    double spin_b = 0;
};

// Computes the rows of a joint. `dt` 0: only what corrects positions, the hard rows and violated limits.
void make_rows(const Joint& joint, const JointDef& def, const JointPoses& poses, double dt, JointSim& sim);

// From the impulses of its rows.
[[nodiscard]] Reaction reaction_of(const JointSim& sim, double dt);

}  // namespace instep::rigid
