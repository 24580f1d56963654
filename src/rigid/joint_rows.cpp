// SPDX-License-Identifier: MIT
// Which rows each type of joint has.
#include <instep/rigid/joint_rows.h>

#include <algorithm>
#include <cmath>

#include <instep/rigid/hull.h>
#include <instep/rigid/sym3.h>

namespace instep::rigid {
namespace {

constexpr double no_bound = 1e300;
// Slots of Joint::impulse. The hard rows, and the soft ones of weld and motor, use 0 to 2.
constexpr std::uint8_t spring_slot = 2;
constexpr std::uint8_t motor_slot = 3;
constexpr std::uint8_t limit_slot = 4;

class RowMaker {
public:
    RowMaker(const Joint& joint, const JointDef& def, const JointPoses& poses, double dt, JointSim& sim)
        : joint_(joint),
          def_(def),
          dt_(dt),
          sim_(sim),
          rotation_a_(math::Rotation::from_angle(poses.angle_a)) {
        anchor_a_ = math::rotate(rotation_a_, joint.anchor_a);
        anchor_b_ = math::rotate(math::Rotation::from_angle(poses.angle_b), joint.anchor_b);
        // To the second order: along an arc, not its tangent. So the anchors meet where the step ends, and
        // swinging keeps its energy, as in SHAKE (Ryckaert, Ciccotti and Berendsen 1977).
        bend_ =
            0.5 * dt * (poses.spin_a * poses.spin_a * anchor_a_ - poses.spin_b * poses.spin_b * anchor_b_);
        velocity_ = poses.velocity_b + poses.spin_b * math::perpendicular(anchor_b_) - poses.velocity_a -
                    poses.spin_a * math::perpendicular(anchor_a_);
        between_ = poses.position_b + anchor_b_ - poses.position_a - anchor_a_;
        angle_ = math::wrap_angle(poses.angle_b - poses.angle_a - static_cast<double>(joint.angle));
        sim_.rows = sim_.hard = 0;
    }

    void make() {
        switch (def_.type) {
            case JointType::distance: distance(); break;
            case JointType::revolute: revolute(); break;
            case JointType::prismatic: prismatic(); break;
            case JointType::weld: weld(); break;
            case JointType::wheel: wheel(); break;
            case JointType::motor: motor(); break;
            case JointType::filter: break;
        }
    }

private:
    void distance() {
        const double length = math::length(between_);
        const JointRow row = linear(length > 0 ? between_ / length : Vec2{0, 1}, anchor_a_);
        if (def_.spring.frequency == 0 && !def_.has_limit) {
            const double across = math::cross(row.axis, velocity_);
            const double turn = 0.5 * dt_ * across * across / std::max(length, linear_slop);
            add_hard(row, length - def_.length, 0, math::dot(row.axis, bend_) + turn);
            return;
        }
        add_spring(row, def_.spring, length - def_.length, no_bound, spring_slot);
        add_motor(row, def_.max_force);
        add_limit(row, length);
    }

    void revolute() {
        add_hard(linear({1, 0}, anchor_a_), between_.x, 0, bend_.x);
        add_hard(linear({0, 1}, anchor_a_), between_.y, 1, bend_.y);
        add_spring(angular(), def_.spring, angle_, no_bound, spring_slot);
        add_motor(angular(), def_.max_torque);
        add_limit(angular(), angle_);
    }

    void prismatic() {
        const Vec2 axis = math::rotate(rotation_a_, def_.axis);
        const Vec2 across = math::perpendicular(axis);
        add_hard(linear(across, between_ + anchor_a_), math::dot(across, between_), 0);
        add_hard(angular(), angle_, 1);
        const JointRow along = linear(axis, between_ + anchor_a_);
        const double slide = math::dot(axis, between_);
        add_spring(along, def_.spring, slide, no_bound, spring_slot);
        add_motor(along, def_.max_force);
        add_limit(along, slide);
    }

    void weld() {
        const JointRow x = linear({1, 0}, between_ + anchor_a_);
        const JointRow y = linear({0, 1}, between_ + anchor_a_);
        const bool soft_point = def_.spring.frequency > 0;
        const bool soft_angle = def_.angular.frequency > 0;
        if (!soft_point) add_hard(x, between_.x, 0, bend_.x);
        if (!soft_point) add_hard(y, between_.y, 1, bend_.y);
        if (!soft_angle) add_hard(angular(), angle_, 2);
        if (soft_point) add_spring(x, def_.spring, between_.x, no_bound, 0);
        if (soft_point) add_spring(y, def_.spring, between_.y, no_bound, 1);
        if (soft_angle) add_spring(angular(), def_.angular, angle_, no_bound, 2);
    }

    void wheel() {
        const Vec2 axis = math::rotate(rotation_a_, def_.axis);
        const Vec2 across = math::perpendicular(axis);
        add_hard(linear(across, between_ + anchor_a_), math::dot(across, between_), 0);
        const JointRow along = linear(axis, between_ + anchor_a_);
        const double slide = math::dot(axis, between_);
        add_spring(along, def_.spring, slide, no_bound, spring_slot);
        add_motor(angular(), def_.max_torque);
        add_limit(along, slide);
    }

    void motor() {
        add_spring(linear({1, 0}, between_ + anchor_a_), def_.spring, between_.x, def_.max_force, 0);
        add_spring(linear({0, 1}, between_ + anchor_a_), def_.spring, between_.y, def_.max_force, 1);
        add_spring(angular(), def_.angular, angle_, def_.max_torque, 2);
    }

    static JointRow angular() {
        JointRow row;
        row.lever_a = row.lever_b = 1;
        return row;
    }
    // Where the axis turns with a, or the anchors may be apart, a's lever reaches to b's anchor: the two
    // forces must be on one line, or they would turn the pair.
    JointRow linear(Vec2 axis, Vec2 reach_a) const {
        JointRow row;
        row.axis = axis;
        row.lever_a = math::cross(reach_a, axis);
        row.lever_b = math::cross(anchor_b_, axis);
        return row;
    }

    // The change of one row's velocity by an impulse of 1 along another.
    double response(const JointRow& row, const JointRow& other) const {
        return (sim_.inverse_mass_a + sim_.inverse_mass_b) * math::dot(row.axis, other.axis) +
               sim_.inverse_inertia_a * row.lever_a * other.lever_a +
               sim_.inverse_inertia_b * row.lever_b * other.lever_b;
    }
    double response(const JointRow& row) const { return response(row, row); }

    // Finds what a row shares with the hard rows; returns by how much that stiffens it.
    double share_with_hard_rows(JointRow& row) const {
        Sym3 hard{.xx = 1, .yy = 1, .zz = 1};
        std::array<double, 3> across{};
        for (std::size_t r = 0; r < sim_.hard; ++r) {
            across[r] = response(row, sim_.row[r]);
            for (std::size_t c = r; c < sim_.hard; ++c)
                element(hard, r, c) = response(sim_.row[r], sim_.row[c]);
        }
        row.share = times(inverse(hard), across);
        return row.share[0] * across[0] + row.share[1] * across[1] + row.share[2] * across[2];
    }

    void add(JointRow row, double low, double high, std::uint8_t slot, bool is_hard = false) {
        const double own = response(row);
        const double left = is_hard ? own : own - share_with_hard_rows(row);
        if (!(left > 1e-9 * own)) return;  // the hard rows leave it no freedom
        row.mass = 1 / (left + row.softness);
        row.low = low;
        row.high = high;
        row.slot = slot;
        row.impulse = std::clamp(static_cast<double>(joint_.impulse[slot]), low, high);
        sim_.row[sim_.rows++] = row;
    }

    void add_hard(JointRow row, double error, std::uint8_t slot, double bias = 0) {
        row.error = error;
        row.bias = bias;
        add(row, -no_bound, no_bound, slot, true);
        sim_.hard = sim_.rows;
    }

    // A spring as an implicit Euler step takes it: stable at any frequency (Catto, "Soft Constraints", 2011).
    void add_spring(JointRow row, const Spring& spring, double error, double max_force, std::uint8_t slot) {
        const double inverse_mass = response(row);
        if (spring.frequency == 0 || dt_ == 0 || !(inverse_mass > 0) || !(max_force > 0)) return;
        const double omega = math::two_pi * spring.frequency;
        const double stiffness = omega * omega / inverse_mass;
        const double damping = 2 * spring.damping_ratio * omega / inverse_mass;
        row.softness = 1 / (dt_ * (damping + dt_ * stiffness));
        row.bias = error * dt_ * stiffness * row.softness;
        add(row, -max_force * dt_, max_force * dt_, slot);
    }

    void add_motor(JointRow row, double most) {
        if (most == 0 || dt_ == 0) return;
        row.bias = -static_cast<double>(joint_.motor_speed);
        add(row, -most * dt_, most * dt_, motor_slot);
    }

    // Only the nearer limit: as with a separated contact, it may be approached by what is left.
    void add_limit(JointRow row, double value) {
        if (!def_.has_limit) return;
        const bool is_upper = value - def_.lower > def_.upper - value;
        const double error = value - (is_upper ? def_.upper : def_.lower);
        const bool is_fixed = def_.upper - def_.lower < linear_slop;
        const double room = is_upper ? -error : error;  // until the limit
        if (dt_ == 0 && room >= 0 && !is_fixed) return;
        row.error = error;
        row.is_limit = true;
        if (dt_ > 0 && room > 0 && !is_fixed) row.bias = error / dt_;
        add(row, is_upper || is_fixed ? -no_bound : 0, !is_upper || is_fixed ? no_bound : 0, limit_slot);
    }

    const Joint& joint_;
    const JointDef& def_;
    double dt_;
    JointSim& sim_;
    math::Rotation rotation_a_;
    Vec2 anchor_a_{};
    Vec2 anchor_b_{};
    Vec2 between_{};   // from a's anchor to b's
    Vec2 velocity_{};  // at which that changes
    Vec2 bend_{};      // and by how much more in this step, per second
    double angle_ = 0;
};

}  // namespace

void make_rows(const Joint& joint, const JointDef& def, const JointPoses& poses, double dt, JointSim& sim) {
    RowMaker(joint, def, poses, dt, sim).make();
}

Reaction reaction_of(const JointSim& sim, double dt) {
    Reaction reaction;
    for (std::uint32_t r = 0; r < sim.rows; ++r) {
        const JointRow& row = sim.row[r];
        reaction.force += row.impulse / dt * row.axis;
        if (row.axis == Vec2{}) reaction.torque += row.impulse / dt;
    }
    return reaction;
}

}  // namespace instep::rigid
