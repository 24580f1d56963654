// SPDX-License-Identifier: MIT
#include <creature/graph.h>

#include <tests/support/property.h>

#include <doctest/doctest.h>

#include <algorithm>

using namespace instep;
using namespace instep::worlds::creature;

namespace {

using Nodes = std::vector<std::uint32_t>;

Scene scene_of(std::string_view kinds, std::initializer_list<std::pair<std::uint32_t, std::uint32_t>> edges) {
    Scene scene;
    for (const char kind : kinds) {
        scene.nodes.emplace_back().kind = kind == 'A'   ? NodeKind::anchor
                                          : kind == 'L' ? NodeKind::limb
                                                        : NodeKind::normal;
    }
    for (const auto& [a, b] : edges) scene.edges.push_back({20, a, b});
    return scene;
}

std::vector<Nodes> chains(const Scene& scene, bool loose_branches = true) {
    return chains_of(scene, neighbours_of(scene), loose_branches);
}

}  // namespace

TEST_CASE("creature graph: groups are connected components, in the order of their first nodes") {
    const Scene scene = scene_of("NNNNNN", {{4, 1}, {1, 3}, {5, 0}});
    CHECK(groups_of(neighbours_of(scene)) == std::vector<Nodes>{{0, 5}, {1, 3, 4}, {2}});
}

TEST_CASE("creature graph: a chain begins at its anchor, however the nodes are numbered") {
    CHECK(chains(scene_of("NNAN", {{0, 1}, {3, 2}, {1, 3}})) == std::vector<Nodes>{{2, 3, 1, 0}});
}

TEST_CASE("creature graph: a chain without an anchor begins at its end of the lower index") {
    CHECK(chains(scene_of("NNN", {{2, 0}, {0, 1}})) == std::vector<Nodes>{{1, 0, 2}});
}

TEST_CASE("creature graph: limbs are in no chain and do not end one") {
    CHECK(chains(scene_of("ANNNLL", {{0, 1}, {1, 2}, {2, 3}, {1, 4}, {4, 5}})) ==
          std::vector<Nodes>{{0, 1, 2, 3}});
}

TEST_CASE("creature graph: an anchor in the middle is the root of a chain to each side") {
    CHECK(chains(scene_of("NANN", {{0, 1}, {1, 2}, {2, 3}})) == std::vector<Nodes>{{1, 0}, {1, 2, 3}});
}

TEST_CASE("creature graph: a second anchor is walked through by the chain of the first") {
    CHECK(chains(scene_of("ANAN", {{0, 1}, {1, 2}, {2, 3}})) == std::vector<Nodes>{{0, 1, 2, 3}});
}

TEST_CASE("creature graph: a ring is walked from its lowest node and closed") {
    CHECK(chains(scene_of("NNNN", {{0, 1}, {1, 2}, {2, 3}, {3, 0}})) == std::vector<Nodes>{{0, 1, 2, 3, 0}});
}

TEST_CASE("creature graph: a single node has no chain") { CHECK(chains(scene_of("N", {})).empty()); }

TEST_CASE("creature graph: what hangs on a fork is loose in the original, and tied to it otherwise") {
    const Scene fork = scene_of("ANNNNN", {{0, 1}, {1, 2}, {2, 3}, {1, 4}, {4, 5}});
    CHECK(chains(fork, true) == std::vector<Nodes>{{0, 1}, {3, 2}, {5, 4}});
    CHECK(chains(fork, false) == std::vector<Nodes>{{0, 1}, {1, 2, 3}, {1, 4, 5}});
}

TEST_CASE(
    "creature graph: every body node of a random graph is in some chain if it has a neighbour, and tied "
    "trees lose no edge") {
    test::for_each_seed(300, [](math::Random& random) {
        Scene tree;
        const std::uint32_t count = 2 + random.below(30);
        for (std::uint32_t i = 0; i < count; ++i) {
            tree.nodes.emplace_back();
            if (i > 0) tree.edges.push_back({20, random.below(i), i});
        }
        tree.nodes[random.below(count)].kind = NodeKind::anchor;
        for (const bool loose : {true, false}) {
            std::vector<bool> seen(count);
            std::size_t bones = 0;
            for (const Nodes& chain : chains(tree, loose)) {
                REQUIRE(chain.size() >= 2);
                bones += chain.size() - 1;
                for (const std::uint32_t node : chain) seen[node] = true;
            }
            if (!loose) {
                CHECK(bones == count - 1);
                CHECK(std::find(seen.begin(), seen.end(), false) == seen.end());
            } else {
                CHECK(bones <= count - 1);
            }
        }
    });
}
