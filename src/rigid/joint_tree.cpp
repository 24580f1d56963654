// SPDX-License-Identifier: MIT
// Elimination from the leaves to the roots and substitution back.
#include <instep/rigid/joint_tree.h>

#include <algorithm>
#include <utility>

namespace instep::rigid {
namespace {

// Of a body that must not turn, in units² times its mass: so large that the rest does not notice.
constexpr double unturnable = 1e9;

double dot(const Triple& a, const Triple& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
void add_scaled(Triple& sum, double factor, const Triple& v) {
    for (std::size_t i = 0; i < 3; ++i) sum[i] += factor * v[i];
}

Sym3 mass_of(double inverse_mass, double inverse_inertia) {
    const double mass = 1 / inverse_mass;
    return {.xx = mass, .yy = mass, .zz = inverse_inertia > 0 ? 1 / inverse_inertia : unturnable * mass};
}

}  // namespace

JointTree::JointTree(std::uint32_t max_bodies, std::uint32_t max_joints)
    : in_tree_(max_joints),
      set_of_(max_bodies),
      is_grounded_(max_bodies),
      first_link_(max_bodies),
      is_placed_(max_bodies),
      mass_(max_bodies),
      force_(max_bodies),
      change_(max_bodies) {
    links_.reserve(2 * std::size_t{max_joints});
    nodes_.reserve(max_bodies);
}

std::uint32_t JointTree::root_of(std::uint32_t body) {
    while (set_of_[body] != body) {
        set_of_[body] = set_of_[set_of_[body]];
        body = set_of_[body];
    }
    return body;
}

void JointTree::build(std::span<const JointSim> sims, std::uint32_t bodies) {
    links_.clear();
    nodes_.clear();
    for (std::uint32_t i = 0; i < bodies; ++i) {
        set_of_[i] = i;
        is_grounded_[i] = 0;
        first_link_[i] = none;
        is_placed_[i] = 0;
    }
    const auto link = [this](std::uint32_t body, std::uint32_t sim) {
        links_.push_back({sim, first_link_[body]});
        first_link_[body] = static_cast<std::uint32_t>(links_.size() - 1);
    };
    for (std::uint32_t i = 0; i < sims.size(); ++i) {
        const JointSim& sim = sims[i];
        in_tree_[i] = 0;
        if (sim.hard == 0) continue;
        if (sim.dynamic_a && sim.dynamic_b) {
            const std::uint32_t a = root_of(sim.a);
            const std::uint32_t b = root_of(sim.b);
            if (a == b || (is_grounded_[a] && is_grounded_[b])) continue;
            is_grounded_[std::min(a, b)] = is_grounded_[a] | is_grounded_[b];
            set_of_[std::max(a, b)] = std::min(a, b);
            link(sim.a, i);
            link(sim.b, i);
        } else {
            const std::uint32_t root = root_of(sim.dynamic_a ? sim.a : sim.b);
            if (is_grounded_[root]) continue;
            is_grounded_[root] = 1;
        }
        in_tree_[i] = 1;
    }
    for (std::uint32_t i = 0; i < sims.size(); ++i)
        if (in_tree_[i] && !(sims[i].dynamic_a && sims[i].dynamic_b)) {
            Node root = node_of(sims[i], sims[i].dynamic_b);
            root.sim = i;
            add_subtree(root, sims);
        }
    for (std::uint32_t i = 0; i < sims.size(); ++i)
        if (in_tree_[i] && !is_placed_[sims[i].b]) add_subtree(node_of(sims[i], true), sims);
}

// A node for one of the two bodies of a joint.
JointTree::Node JointTree::node_of(const JointSim& sim, bool is_b) {
    Node node;
    node.body = is_b ? sim.b : sim.a;
    node.child_is_b = is_b;
    node.own_inverse_mass = is_b ? sim.inverse_mass_b : sim.inverse_mass_a;
    node.own_inverse_inertia = is_b ? sim.inverse_inertia_b : sim.inverse_inertia_a;
    return node;
}

// Breadth first: nodes_ itself is the queue.
void JointTree::add_subtree(Node root, std::span<const JointSim> sims) {
    std::size_t next = nodes_.size();
    nodes_.push_back(root);
    is_placed_[root.body] = 1;
    for (; next < nodes_.size(); ++next) {
        const std::uint32_t body = nodes_[next].body;
        for (std::uint32_t k = first_link_[body]; k != none; k = links_[k].next) {
            const JointSim& sim = sims[links_[k].sim];
            Node child = node_of(sim, sim.a == body);
            if (is_placed_[child.body]) continue;
            child.parent = body;
            child.sim = links_[k].sim;
            is_placed_[child.body] = 1;
            nodes_.push_back(child);
        }
    }
}

// What a row says of one body: the coefficients of its velocity.
Triple JointTree::side_of(const JointRow& row, bool is_b) {
    return is_b ? Triple{row.axis.x, row.axis.y, row.lever_b}
                : Triple{-row.axis.x, -row.axis.y, -row.lever_a};
}

void JointTree::factorise(std::span<const JointSim> sims) {
    for (const Node& node : nodes_)
        mass_[node.body] = mass_of(node.own_inverse_mass, node.own_inverse_inertia);
    for (std::size_t i = nodes_.size(); i-- > 0;) {
        Node& node = nodes_[i];
        node.inverse_mass = inverse(mass_[node.body]);
        if (node.sim == none) continue;
        const JointSim& sim = sims[node.sim];
        Sym3 joint{.xx = 1, .yy = 1, .zz = 1};
        for (std::size_t r = 0; r < sim.hard; ++r) {
            const Triple moved = times(node.inverse_mass, side_of(sim.row[r], node.child_is_b));
            for (std::size_t c = r; c < sim.hard; ++c)
                element(joint, r, c) = dot(moved, side_of(sim.row[c], node.child_is_b));
        }
        node.inverse_joint = inverse(joint);
        if (node.parent == none) continue;
        Sym3& mass = mass_[node.parent];
        for (std::size_t r = 0; r < sim.hard; ++r)
            for (std::size_t c = 0; c < sim.hard; ++c) {
                const double weight = element(node.inverse_joint, r, c);
                const Triple left = side_of(sim.row[r], !node.child_is_b);
                const Triple right = side_of(sim.row[c], !node.child_is_b);
                mass.xx += weight * left[0] * right[0];
                mass.xy += weight * left[0] * right[1];
                mass.yy += weight * left[1] * right[1];
                mass.xz += weight * left[0] * right[2];
                mass.yz += weight * left[1] * right[2];
                mass.zz += weight * left[2] * right[2];
            }
    }
}

void JointTree::solve(std::span<JointSim> sims, SolverBody* bodies, JointTarget target) {
    const auto motion_of = [&](std::uint32_t body) {
        const SolverBody& b = bodies[body];
        return target == JointTarget::velocity ? Triple{b.velocity.x, b.velocity.y, b.angular_velocity}
                                               : Triple{b.displacement.x, b.displacement.y, b.delta_angle};
    };
    for (const Node& node : nodes_) force_[node.body] = {};
    // What each joint's rows still lack, after what hangs below has been eliminated: kept in change_.
    for (std::size_t i = nodes_.size(); i-- > 0;) {
        const Node& node = nodes_[i];
        if (node.sim == none) continue;
        const JointSim& sim = sims[node.sim];
        const Triple own = times(node.inverse_mass, force_[node.body]);
        Triple wanted{};
        for (std::size_t r = 0; r < sim.hard; ++r) {
            const JointRow& row = sim.row[r];
            // Positions are corrected by the error itself: it already contains the displacements.
            const double has = target == JointTarget::velocity
                                   ? dot(side_of(row, false), motion_of(sim.a)) +
                                         dot(side_of(row, true), motion_of(sim.b)) + row.bias
                                   : row.error;
            wanted[r] = -has - dot(side_of(row, node.child_is_b), own);
        }
        change_[node.body] = times(node.inverse_joint, wanted);
        if (node.parent == none) continue;
        for (std::size_t r = 0; r < sim.hard; ++r)
            add_scaled(force_[node.parent], change_[node.body][r], side_of(sim.row[r], !node.child_is_b));
    }
    for (const Node& node : nodes_) {
        Triple force = force_[node.body];
        if (node.sim != none) {
            JointSim& sim = sims[node.sim];
            Triple impulse = change_[node.body];
            if (node.parent != none) {
                Triple moved{};
                for (std::size_t r = 0; r < sim.hard; ++r)
                    moved[r] = dot(side_of(sim.row[r], !node.child_is_b), change_[node.parent]);
                const Triple less = times(node.inverse_joint, moved);
                for (std::size_t r = 0; r < 3; ++r) impulse[r] -= less[r];
            }
            for (std::size_t r = 0; r < sim.hard; ++r) {
                add_scaled(force, impulse[r], side_of(sim.row[r], node.child_is_b));
                if (target == JointTarget::velocity) sim.row[r].impulse += impulse[r];
            }
        }
        change_[node.body] = times(node.inverse_mass, force);
    }
    for (const Node& node : nodes_) {
        SolverBody& body = bodies[node.body];
        const Triple& change = change_[node.body];
        if (target == JointTarget::velocity) {
            body.velocity += Vec2{change[0], change[1]};
            if (node.own_inverse_inertia > 0) body.angular_velocity += change[2];
        } else {
            body.displacement += Vec2{change[0], change[1]};
            if (node.own_inverse_inertia > 0) body.delta_angle += change[2];
        }
    }
}

}  // namespace instep::rigid
