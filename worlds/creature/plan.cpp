// SPDX-License-Identifier: MIT
#include <creature/plan.h>

#include <algorithm>
#include <cmath>

#include <creature/graph.h>

namespace instep::worlds::creature {
namespace {

using state::refuse;
using state::Result;

// Makes the plan of one group. Nodes of the scene are called by their index there until they are `local`.
class PlanMaker {
public:
    PlanMaker(const Scene& scene, const std::string& where, const Neighbours& neighbours,
              const std::vector<std::uint32_t>& group_of, const std::vector<std::uint32_t>& local,
              const std::vector<std::uint32_t>& members)
        : scene_(scene),
          where_(where),
          neighbours_(neighbours),
          group_of_(group_of),
          local_(local),
          members_(members) {}

    Result<BodyPlan> make(std::span<const std::vector<std::uint32_t>> chains) {
        plan_.name = scene_.name;
        if (members_.size() > most_nodes)
            return refuse(where_, call_node(scene_, members_[most_nodes]) + " belongs to a creature of " +
                                      std::to_string(members_.size()) + " nodes: expected at most " +
                                      std::to_string(most_nodes));
        find_head();
        for (const std::uint32_t node : members_) add_node(node);
        for (const std::vector<std::uint32_t>& chain : chains)
            if (group_of_[chain[0]] == group_of_[members_[0]]) add_chain(chain);
        add_links();
        if (auto added = add_anchors(); !added) return std::unexpected(added.error());
        if (auto added = add_limbs(); !added) return std::unexpected(added.error());
        if (auto found = find_tail(); !found) return std::unexpected(found.error());
        for (std::uint32_t i = 0; i < plan_.born; ++i)
            plan_.extent =
                std::max(plan_.extent, length(plan_.nodes[i].at_birth.position) + plan_.nodes[i].radius);
        return std::move(plan_);
    }

private:
    const SceneNode& scene_node(std::uint32_t node) const { return scene_.nodes[node]; }
    Vec2 relative(Vec2 point) const { return point - plan_.origin; }

    const SceneEdge* edge_between(std::uint32_t a, std::uint32_t b) const {
        for (const SceneEdge& edge : scene_.edges)
            if ((edge.a == a && edge.b == b) || (edge.a == b && edge.b == a)) return &edge;
        return nullptr;
    }

    // The anchor marked as head, else the first anchor, else the first node.
    void find_head() {
        std::uint32_t head = no_node;
        for (const std::uint32_t node : members_) {
            if (scene_node(node).kind != NodeKind::anchor) continue;
            if (head == no_node || (scene_node(node).is_head && !scene_node(head).is_head)) head = node;
        }
        if (head == no_node) head = members_[0];
        plan_.head = local_[head];
        plan_.origin = scene_node(head).position;
    }

    void add_node(std::uint32_t node) {
        const SceneNode& from = scene_node(node);
        PlanNode to;
        to.at_birth = {relative(from.position), from.position - from.previous};
        to.heading = {-1, 0};
        if (!std::isnan(from.chain_angle))
            to.heading = motion::direction_at(from.chain_angle);
        else if (!neighbours_[node].empty())
            to.heading = motion::direction_of(scene_node(neighbours_[node][0]).position - from.position);
        to.first_acceleration = from.acceleration;
        to.constant_acceleration = from.constant_acceleration;
        to.radius = from.radius;
        to.collision_damping = from.collision_damping;
        to.kind = from.kind;
        to.scene_index = node;
        plan_.nodes.push_back(to);
    }

    void add_chain(const std::vector<std::uint32_t>& chain) {
        plan_.chains.push_back({local_[chain[0]], static_cast<std::uint32_t>(plan_.bones.size()),
                                static_cast<std::uint32_t>(chain.size() - 1)});
        for (std::size_t i = 1; i < chain.size(); ++i) {
            const SceneNode& node = scene_node(chain[i]);
            plan_.bones.push_back({motion::AngleLimit::between(node.angle_min, node.angle_max),
                                   edge_between(chain[i - 1], chain[i])->rest_length, local_[chain[i]],
                                   node.kind != NodeKind::normal});
            set_heading(local_[chain[i]], local_[chain[i - 1]], local_[chain[i]]);
        }
    }

    void set_heading(std::uint32_t node, std::uint32_t from, std::uint32_t to) {
        plan_.nodes[node].heading_from = from;
        plan_.nodes[node].heading_to = to;
    }

    void add_links() {
        for (const SceneEdge& edge : scene_.edges) {
            if (group_of_[edge.a] != group_of_[members_[0]]) continue;
            const NodeKind a = scene_node(edge.a).kind;
            const NodeKind b = scene_node(edge.b).kind;
            const bool both_held = a == NodeKind::anchor && b == NodeKind::anchor;
            if (a == NodeKind::limb || b == NodeKind::limb || both_held) continue;
            const double share_a = a == NodeKind::anchor ? 0 : b == NodeKind::anchor ? 1 : 0.5;
            plan_.links.push_back({edge.rest_length, share_a, 1 - share_a, local_[edge.a], local_[edge.b]});
        }
    }

    Result<void> add_anchors() {
        for (const std::uint32_t node : members_) {
            const SceneNode& from = scene_node(node);
            if (from.kind != NodeKind::anchor) continue;
            if (plan_.anchors.size() == most_anchors)
                return refuse(where_, call_node(scene_, node) +
                                          " is one anchor too many: a creature has at most " +
                                          std::to_string(most_anchors));
            plan_.anchors.push_back(
                {.node = local_[node],
                 .first_neighbour = neighbours_[node].empty() ? no_node : local_[neighbours_[node][0]],
                 .movement = from.movement,
                 .path = from.path,
                 .speed = from.movement_speed,
                 .limit = motion::AngleLimit::between(from.angle_min, from.angle_max),
                 .amplitude = from.path_amplitude,
                 .center = relative(from.path_center),
                 .phase = from.path_phase,
                 .wander_direction = from.wander_direction,
                 .target = relative(from.target)});
        }
        std::stable_partition(plan_.anchors.begin(), plan_.anchors.end(),
                              [this](const PlanAnchor& anchor) { return anchor.node == plan_.head; });
        return {};
    }

    // From the edge if there is one, else from the limb's own list.
    Result<double> bone_length(const SceneLimb& limb, std::size_t joint) const {
        const std::uint32_t before = joint == 0 ? limb.body : limb.joints[joint - 1];
        if (const SceneEdge* edge = edge_between(before, limb.joints[joint])) return edge->rest_length;
        if (joint < limb.lengths.size()) return limb.lengths[joint];
        return refuse(limb.where, "has no edge from " + call_node(scene_, before) + " to " +
                                      call_node(scene_, limb.joints[joint]));
    }

    Foot foot_of(const LimbStyle& style) const {
        if (style.is_stepping)
            return {relative(style.step_start), relative(style.step_dest), style.step_progress,
                    FootPhase::stepping};
        if (style.target == Vec2{}) return {};
        return {.from = relative(style.target), .phase = FootPhase::planted};
    }

    Result<void> add_limb(const SceneLimb& from) {
        const LimbStyle& style = from.style;
        PlanLimb to;
        to.body = local_[from.body];
        to.joint_count = static_cast<std::uint32_t>(from.joints.size());
        for (std::size_t i = 0; i < from.joints.size(); ++i) {
            const std::uint32_t node = from.joints[i];
            if (group_of_[node] != group_of_[from.body])
                return refuse(from.where, "goes through " + call_node(scene_, node) +
                                              ", which does not hang together with its body, " +
                                              call_node(scene_, from.body));
            const auto length = bone_length(from, i);
            if (!length) return std::unexpected(length.error());
            to.joints[i] = local_[node];
            to.bones[i] = {
                motion::AngleLimit::between(scene_node(node).angle_min, scene_node(node).angle_max), *length,
                i < from.bends.size() && from.bends[i]};
            const bool is_last = i + 1 == from.joints.size();
            const std::uint32_t before = i == 0 ? from.body : from.joints[i - 1];
            set_heading(local_[node], local_[is_last ? before : node],
                        local_[is_last ? node : from.joints[i + 1]]);
        }
        to.target_turn = motion::direction_at(style.target_direction_offset);
        to.max_reach = style.max_reach;
        to.gait = {style.step_threshold, style.step_speed, style.step_height};
        to.tolerance = style.tolerance;
        to.iterations = style.iterations;
        if (from.target_node != no_node) {
            to.target_plan = group_of_[from.target_node];
            to.target_node = local_[from.target_node];
        }
        to.foot = foot_of(style);
        plan_.limbs.push_back(to);
        return {};
    }

    Result<void> add_limbs() {
        for (const SceneLimb& limb : scene_.limbs) {
            if (group_of_[limb.body] != group_of_[members_[0]]) continue;
            if (plan_.limbs.size() == most_limbs)
                return refuse(limb.where, "on " + call_node(scene_, limb.body) +
                                              " is one limb too many: a creature has at most " +
                                              std::to_string(most_limbs));
            if (auto added = add_limb(limb); !added) return added;
        }
        return {};
    }

    // Growing nodes must be the end of a chain, in the order of the file, so that the body is complete at
    // every length.
    Result<void> find_tail() {
        const auto count = static_cast<std::uint32_t>(plan_.nodes.size());
        plan_.born = std::min(scene_.born, count);
        plan_.tail_root = plan_.head;
        for (const PlanChain& chain : plan_.chains)
            if (chain.root == plan_.head) plan_.tail_root = plan_.bones_of(chain).back().node;
        if (plan_.born == count) return {};
        for (const PlanChain& chain : plan_.chains) {
            const std::uint32_t grown = count - plan_.born;
            if (chain.bone_count < grown) continue;
            const std::span<const motion::Bone> bones = plan_.bones_of(chain);
            const std::span<const motion::Bone> tail = bones.last(grown);
            bool in_order = true;
            for (std::uint32_t i = 0; i < grown; ++i)
                in_order = in_order && tail[i].node == plan_.born + i && !tail[i].held;
            if (!in_order) continue;
            for (const PlanLimb& limb : plan_.limbs)
                if (limb.body >= plan_.born)
                    return refuse(where_, call_node(scene_, members_[limb.body]) +
                                              " grows later, so it cannot carry a limb");
            plan_.tail_chain = static_cast<std::uint32_t>(&chain - plan_.chains.data());
            plan_.tail_root =
                grown == chain.bone_count ? chain.root : bones[chain.bone_count - grown - 1].node;
            return {};
        }
        return refuse(where_,
                      call_node(scene_, members_[plan_.born]) +
                          " is the first that grows: expected it and all after it to be Normal nodes that "
                          "continue the end of one chain, one after the other");
    }

    const Scene& scene_;
    const std::string& where_;
    const Neighbours& neighbours_;
    const std::vector<std::uint32_t>& group_of_;
    const std::vector<std::uint32_t>& local_;
    const std::vector<std::uint32_t>& members_;
    BodyPlan plan_;
};

}  // namespace

Result<std::vector<BodyPlan>> make_plans(const Scene& scene, const std::string& where, bool loose_branches) {
    const Neighbours neighbours = neighbours_of(scene);
    const std::vector<std::vector<std::uint32_t>> groups = groups_of(neighbours);
    const std::vector<std::vector<std::uint32_t>> chains = chains_of(scene, neighbours, loose_branches);
    std::vector<std::uint32_t> group_of(scene.nodes.size());
    std::vector<std::uint32_t> local(scene.nodes.size());  // index of a node within its group
    for (std::uint32_t group = 0; group < groups.size(); ++group)
        for (std::uint32_t i = 0; i < groups[group].size(); ++i) {
            group_of[groups[group][i]] = group;
            local[groups[group][i]] = i;
        }
    if (scene.born != no_node && groups.size() > 1)
        return refuse(where, call_node(scene, groups[1][0]) +
                                 " hangs together with none of the others, but what grows is one body");
    std::vector<BodyPlan> plans;
    for (const std::vector<std::uint32_t>& group : groups) {
        auto plan = PlanMaker(scene, where, neighbours, group_of, local, group).make(chains);
        if (!plan) return std::unexpected(plan.error());
        plans.push_back(std::move(*plan));
    }
    return plans;
}

}  // namespace instep::worlds::creature
