// SPDX-License-Identifier: MIT
// In the order of the joints' pool, which is part of the state.
#include <instep/rigid/joint_solver.h>

#include <algorithm>
#include <cmath>

#include <instep/rigid/pairs.h>

namespace instep::rigid {
namespace {

constexpr std::uint32_t no_link = 0xFFFFFFFF;

void report(JointEvent::Kind kind, const Space& space, std::uint32_t index, const Reaction& reaction,
            Scratch& scratch) {
    const Joint& joint = space.joints[index];
    scratch.joint_events.push_back({kind, space.joints.handle_at(index), joint.a, joint.b,
                                    math::length(reaction.force), std::fabs(reaction.torque)});
}

void link(std::uint32_t body, std::uint32_t other, Scratch& scratch) {
    scratch.joint_links.push_back({other, scratch.first_joint_link[body]});
    scratch.first_joint_link[body] = static_cast<std::uint32_t>(scratch.joint_links.size() - 1);
}

// The bodies' poses with their displacements in this step.
JointPoses poses_of(const JointSim& sim, const Scratch& scratch) {
    JointPoses poses;
    const auto place = [&](std::uint32_t index, Vec2& position, double& angle) {
        if (index == scratch.bodies.size()) return;  // the world
        position = scratch.bodies[index].position + scratch.solver_bodies[index].displacement;
        angle = scratch.bodies[index].angle + scratch.solver_bodies[index].delta_angle;
    };
    place(sim.a, poses.position_a, poses.angle_a);
    place(sim.b, poses.position_b, poses.angle_b);
    return poses;
}

JointPoses poses_at_start(const JointSim& sim, const Scratch& scratch) {
    JointPoses poses;
    if (sim.a != scratch.bodies.size()) {
        poses.position_a = scratch.bodies[sim.a].position;
        poses.angle_a = scratch.bodies[sim.a].angle;
        poses.velocity_a = scratch.bodies[sim.a].velocity;
        poses.spin_a = scratch.bodies[sim.a].angular_velocity;
    }
    poses.position_b = scratch.bodies[sim.b].position;
    poses.angle_b = scratch.bodies[sim.b].angle;
    poses.velocity_b = scratch.bodies[sim.b].velocity;
    poses.spin_b = scratch.bodies[sim.b].angular_velocity;
    return poses;
}

void apply(const JointSim& sim, const JointRow& row, double impulse, Vec2& linear_a, double& angular_a,
           Vec2& linear_b, double& angular_b) {
    linear_a -= sim.inverse_mass_a * impulse * row.axis;
    angular_a -= sim.inverse_inertia_a * impulse * row.lever_a;
    linear_b += sim.inverse_mass_b * impulse * row.axis;
    angular_b += sim.inverse_inertia_b * impulse * row.lever_b;
}

void apply_velocity(const JointSim& sim, const JointRow& row, double impulse, Scratch& scratch) {
    SolverBody& a = scratch.solver_bodies[sim.a];
    SolverBody& b = scratch.solver_bodies[sim.b];
    apply(sim, row, impulse, a.velocity, a.angular_velocity, b.velocity, b.angular_velocity);
}

// With what it takes along of the hard rows.
void apply_shared(JointSim& sim, const JointRow& row, double impulse, Scratch& scratch) {
    apply_velocity(sim, row, impulse, scratch);
    for (std::uint32_t r = 0; r < sim.hard; ++r) {
        sim.row[r].impulse -= row.share[r] * impulse;
        apply_velocity(sim, sim.row[r], -row.share[r] * impulse, scratch);
    }
}

void solve_row(JointSim& sim, JointRow& row, Scratch& scratch) {
    const SolverBody& a = scratch.solver_bodies[sim.a];
    const SolverBody& b = scratch.solver_bodies[sim.b];
    const double velocity = math::dot(row.axis, b.velocity - a.velocity) + row.lever_b * b.angular_velocity -
                            row.lever_a * a.angular_velocity;
    const double wanted = row.impulse - row.mass * (velocity + row.bias + row.softness * row.impulse);
    const double sum = std::clamp(wanted, row.low, row.high);
    const double added = sum - row.impulse;
    row.impulse = sum;
    apply_shared(sim, row, added, scratch);
}

void solve_row_position(const JointSim& sim, const JointRow& row, Scratch& scratch) {
    SolverBody& a = scratch.solver_bodies[sim.a];
    SolverBody& b = scratch.solver_bodies[sim.b];
    const double impulse = std::clamp(-row.mass * row.error, row.low, row.high);
    apply(sim, row, impulse, a.displacement, a.delta_angle, b.displacement, b.delta_angle);
    for (std::uint32_t r = 0; r < sim.hard; ++r)
        apply(sim, sim.row[r], -row.share[r] * impulse, a.displacement, a.delta_angle, b.displacement,
              b.delta_angle);
}

// Hard rows of joints that close loops, and all rows that are not hard.
std::uint32_t first_scalar_row(std::uint32_t index, const Scratch& scratch) {
    return scratch.joint_tree.holds(index) ? scratch.joints[index].hard : 0;
}

// A link under tension wants back in line like a stiff spring: its torque changes by -(anchor · force) per
// radian. A step cannot follow a spring that swings faster than it, and a taut chain of light links would
// explode. So a body turns as if it had at least the inertia that its step can follow (after Andrews,
// Teichmann and Kry, "Geometric Stiffness for Real-time Constrained Multibody Dynamics", 2017). Only light
// bodies between heavy ones are affected.
constexpr double stable_share = 0.5;  // of stiffness times dt²; below 1/4 the links swing up

void add_stiffness(const Joint& joint, JointType type, const JointSim& sim, double dt, Scratch& scratch) {
    const JointPoses poses = poses_at_start(sim, scratch);
    const Vec2 anchor_a = math::rotate(math::Rotation::from_angle(poses.angle_a), joint.anchor_a);
    const Vec2 anchor_b = math::rotate(math::Rotation::from_angle(poses.angle_b), joint.anchor_b);
    Vec2 impulse{static_cast<double>(joint.impulse[0]), static_cast<double>(joint.impulse[1])};
    if (type == JointType::distance)
        impulse =
            impulse.x * math::normalized_or_zero(poses.position_b + anchor_b - poses.position_a - anchor_a);
    else if (type != JointType::revolute && type != JointType::weld)
        return;
    if (sim.dynamic_a) scratch.joint_stiffness[sim.a] += dt * std::max(0.0, -math::dot(anchor_a, impulse));
    if (sim.dynamic_b) scratch.joint_stiffness[sim.b] += dt * std::max(0.0, math::dot(anchor_b, impulse));
}

// Such links are not led along arcs either (RowMaker): what that keeps of their energy is what they swing up
// by.
bool is_stiff(const JointSim& sim, const Scratch& scratch) {
    return (sim.dynamic_a && scratch.joint_stiffness[sim.a] * sim.inverse_inertia_a > 1) ||
           (sim.dynamic_b && scratch.joint_stiffness[sim.b] * sim.inverse_inertia_b > 1);
}

void limit_turning(JointSim& sim, const Scratch& scratch) {
    const auto limit = [&](std::uint32_t body, double& inverse_inertia) {
        const double least = stable_share * scratch.joint_stiffness[body];
        if (inverse_inertia * least > 1) inverse_inertia = 1 / least;
    };
    if (sim.dynamic_a) limit(sim.a, sim.inverse_inertia_a);
    if (sim.dynamic_b) limit(sim.b, sim.inverse_inertia_b);
}

bool is_broken(const JointDef& def, const Reaction& reaction) {
    return (def.break_force > 0 && math::length(reaction.force) > def.break_force) ||
           (def.break_torque > 0 && std::fabs(reaction.torque) > def.break_torque);
}

}  // namespace

void list_joints(Space& space, const Setup& setup, Scratch& scratch) {
    scratch.joint_events.clear();
    scratch.joints.clear();
    scratch.joint_links.clear();
    if (space.joints.empty()) return;
    const auto world = static_cast<std::uint32_t>(scratch.bodies.size());
    std::fill_n(scratch.first_joint_link.begin(), world, no_link);
    std::fill_n(scratch.has_joint.begin(), world, std::uint8_t{0});
    for (std::uint32_t i = 0; i < space.joints.size();) {
        const Joint& joint = space.joints[i];
        JointSim sim;
        sim.joint = i;
        sim.a = joint.a ? index_of(joint.a, scratch) : world;
        sim.b = index_of(joint.b, scratch);
        if (sim.a == no_body || sim.b == no_body) {
            report(JointEvent::Kind::orphaned, space, i, {}, scratch);
            space.joints.remove_at(i);
            continue;
        }
        ++i;
        if (joint.a && !setup.joint_defs[joint.def].collide_connected) {
            link(sim.a, sim.b, scratch);
            link(sim.b, sim.a, scratch);
        }
        if (sim.a != world) {
            const BodyDef& def = scratch.bodies[sim.a].def;
            sim.dynamic_a = def.type == BodyType::dynamic;
            sim.inverse_mass_a = def.inverse_mass;
            sim.inverse_inertia_a = def.inverse_inertia;
            scratch.has_joint[sim.a] = 1;
        }
        const BodyDef& def = scratch.bodies[sim.b].def;
        sim.dynamic_b = def.type == BodyType::dynamic;
        sim.inverse_mass_b = def.inverse_mass;
        sim.inverse_inertia_b = def.inverse_inertia;
        scratch.has_joint[sim.b] = 1;
        scratch.joints.push_back(sim);
    }
}

bool is_joined(std::uint32_t body_a, std::uint32_t body_b, const Scratch& scratch) {
    if (scratch.joint_links.empty()) return false;
    for (std::uint32_t k = scratch.first_joint_link[body_a]; k != no_link; k = scratch.joint_links[k].next)
        if (scratch.joint_links[k].other == body_b) return true;
    return false;
}

void prepare_joints(const Space& space, const Setup& setup, double dt, Scratch& scratch) {
    if (scratch.joints.empty()) return;
    std::fill_n(scratch.joint_stiffness.begin(), scratch.bodies.size(), 0.0);
    for (JointSim& sim : scratch.joints) {
        const Joint& joint = space.joints[sim.joint];
        sim.is_active = (sim.dynamic_a && scratch.bodies[sim.a].is_active()) ||
                        (sim.dynamic_b && scratch.bodies[sim.b].is_active());
        if (sim.is_active) add_stiffness(joint, setup.joint_defs[joint.def].type, sim, dt, scratch);
    }
    for (JointSim& sim : scratch.joints) {
        if (!sim.is_active) continue;
        const Joint& joint = space.joints[sim.joint];
        JointPoses poses = poses_at_start(sim, scratch);
        if (is_stiff(sim, scratch)) poses.spin_a = poses.spin_b = 0;
        limit_turning(sim, scratch);
        make_rows(joint, setup.joint_defs[joint.def], poses, dt, sim);
    }
    scratch.joint_tree.build(scratch.joints, static_cast<std::uint32_t>(scratch.bodies.size()));
    scratch.joint_tree.factorise(scratch.joints);
    for (const JointSim& sim : scratch.joints)
        for (std::uint32_t r = 0; r < sim.rows; ++r)
            apply_velocity(sim, sim.row[r], sim.row[r].impulse, scratch);
}

void solve_joint_velocities(Scratch& scratch) {
    for (std::uint32_t i = 0; i < scratch.joints.size(); ++i) {
        JointSim& sim = scratch.joints[i];
        for (std::uint32_t r = sim.rows; r-- > first_scalar_row(i, scratch);)
            solve_row(sim, sim.row[r], scratch);
    }
    scratch.joint_tree.solve(scratch.joints, scratch.solver_bodies.data(), JointTarget::velocity);
}

void solve_joint_positions(const Space& space, const Setup& setup, Scratch& scratch) {
    if (scratch.joints.empty()) return;
    const auto remake = [&](JointSim& sim) {
        if (!sim.is_active) return;
        const Joint& joint = space.joints[sim.joint];
        make_rows(joint, setup.joint_defs[joint.def], poses_of(sim, scratch), 0, sim);
    };
    for (std::uint32_t i = 0; i < scratch.joints.size(); ++i) {
        JointSim& sim = scratch.joints[i];
        remake(sim);
        for (std::uint32_t r = first_scalar_row(i, scratch); r < sim.rows; ++r)
            solve_row_position(sim, sim.row[r], scratch);
    }
    // The scalar rows have moved bodies: the tree needs the errors that are left.
    for (JointSim& sim : scratch.joints) remake(sim);
    scratch.joint_tree.factorise(scratch.joints);
    scratch.joint_tree.solve(scratch.joints, scratch.solver_bodies.data(), JointTarget::position);
}

void store_joint_impulses(Space& space, double dt, Scratch& scratch) {
    for (JointSim& sim : scratch.joints) {
        if (!sim.is_active) continue;
        Joint& joint = space.joints[sim.joint];
        joint.impulse = {};
        for (std::uint32_t r = 0; r < sim.rows; ++r)
            joint.impulse[sim.row[r].slot] =
                static_cast<float>(std::clamp(sim.row[r].impulse, -max_joint_impulse, max_joint_impulse));
        sim.reaction = reaction_of(sim, dt);
    }
}

// From the last to the first: what moves into a gap has been looked at.
void break_joints(Space& space, const Setup& setup, Scratch& scratch) {
    for (std::size_t i = scratch.joints.size(); i-- > 0;) {
        const JointSim& sim = scratch.joints[i];
        if (!sim.is_active || !is_broken(setup.joint_defs[space.joints[sim.joint].def], sim.reaction))
            continue;
        report(JointEvent::Kind::broke, space, sim.joint, sim.reaction, scratch);
        space.joints.remove_at(sim.joint);
    }
}

}  // namespace instep::rigid
