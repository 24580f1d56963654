// SPDX-License-Identifier: MIT
#include <creature/graph.h>

#include <algorithm>

namespace instep::worlds::creature {
namespace {

using Chain = std::vector<std::uint32_t>;

class ChainFinder {
public:
    ChainFinder(const Scene& scene, const Neighbours& neighbours, bool loose_branches)
        : scene_(scene), all_(neighbours), visited_(neighbours.size()), loose_branches_(loose_branches) {
        for (const std::vector<std::uint32_t>& list : neighbours) {
            std::vector<std::uint32_t>& kept = body_.emplace_back();
            for (const std::uint32_t node : list)
                if (!is_limb(node)) kept.push_back(node);
        }
    }

    std::vector<Chain> find() {
        const auto count = static_cast<std::uint32_t>(all_.size());
        for (std::uint32_t node = 0; node < count; ++node)
            if (scene_.nodes[node].kind == NodeKind::anchor) walk_from(node);
        for (std::uint32_t node = 0; node < count; ++node)
            if (all_[node].size() == 1 && !is_limb(node)) walk_from(node);
        for (std::uint32_t node = 0; node < count; ++node)
            if (!visited_[node] && !is_limb(node)) walk_round(node);
        return std::move(chains_);
    }

private:
    bool is_limb(std::uint32_t node) const { return scene_.nodes[node].kind == NodeKind::limb; }

    // The first neighbour that no chain has reached yet, if any.
    std::uint32_t next_of(std::uint32_t node) const {
        for (const std::uint32_t next : body_[node])
            if (!visited_[next]) return next;
        return no_node;
    }

    void walk_from(std::uint32_t root) {
        if (visited_[root]) return;
        visited_[root] = true;
        branch_from(root);
    }

    // A chain along every neighbour of the root that is still free, and then, unless branches stay loose,
    // along those of the forks where these ended.
    void branch_from(std::uint32_t root) {
        std::vector<std::uint32_t> forks;
        for (const std::uint32_t first : body_[root]) {
            if (visited_[first]) continue;
            Chain& chain = chains_.emplace_back(Chain{root});
            std::uint32_t node = first;
            for (;;) {
                visited_[node] = true;
                chain.push_back(node);
                if (body_[node].size() != 2) break;
                const std::uint32_t next = next_of(node);
                if (next == no_node) break;
                node = next;
            }
            if (body_[node].size() > 2) forks.push_back(node);
        }
        if (loose_branches_) return;
        for (const std::uint32_t fork : forks) branch_from(fork);
    }

    void walk_round(std::uint32_t start) {
        Chain chain;
        for (std::uint32_t node = start; node != no_node; node = next_of(node)) {
            visited_[node] = true;
            chain.push_back(node);
        }
        const std::vector<std::uint32_t>& ends = body_[start];
        if (chain.size() > 2 && std::find(ends.begin(), ends.end(), chain.back()) != ends.end())
            chain.push_back(start);
        if (chain.size() > 1) chains_.push_back(std::move(chain));
    }

    const Scene& scene_;
    const Neighbours& all_;
    Neighbours body_;  // without limbs
    std::vector<bool> visited_;
    bool loose_branches_;
    std::vector<Chain> chains_;
};

}  // namespace

Neighbours neighbours_of(const Scene& scene) {
    Neighbours neighbours(scene.nodes.size());
    for (const SceneEdge& edge : scene.edges) {
        neighbours[edge.a].push_back(edge.b);
        neighbours[edge.b].push_back(edge.a);
    }
    return neighbours;
}

std::vector<std::vector<std::uint32_t>> groups_of(const Neighbours& neighbours) {
    std::vector<std::vector<std::uint32_t>> groups;
    std::vector<bool> seen(neighbours.size());
    for (std::uint32_t first = 0; first < neighbours.size(); ++first) {
        if (seen[first]) continue;
        seen[first] = true;
        std::vector<std::uint32_t>& group = groups.emplace_back(1, first);
        for (std::size_t i = 0; i < group.size(); ++i)
            for (const std::uint32_t next : neighbours[group[i]]) {
                if (seen[next]) continue;
                seen[next] = true;
                group.push_back(next);
            }
        std::stable_sort(group.begin(), group.end());
    }
    return groups;
}

std::vector<std::vector<std::uint32_t>> chains_of(const Scene& scene, const Neighbours& neighbours,
                                                  bool loose_branches) {
    return ChainFinder(scene, neighbours, loose_branches).find();
}

}  // namespace instep::worlds::creature
