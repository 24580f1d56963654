// SPDX-License-Identifier: MIT
#include <creature/plan.h>

#include <creature/tests/room.h>

#include <doctest/doctest.h>

using namespace instep;
using namespace instep::test;

namespace {

BodyPlan plan_of(const Scene& scene) {
    const auto plans = make_plans(scene, "plan", false);
    REQUIRE_MESSAGE(plans, plans.error().text());
    REQUIRE(plans->size() == 1);
    return plans->front();
}

std::string error_of(const Scene& scene) {
    const auto plans = make_plans(scene, "plan", false);
    REQUIRE(!plans);
    return plans.error().text();
}

}  // namespace

TEST_CASE("creature plan: a plan has its positions relative to its head") {
    Scene scene = chain_scene(4, 20, 1);
    for (SceneNode& node : scene.nodes) node.position += Vec2{100, 50};
    const BodyPlan plan = plan_of(scene);
    CHECK(plan.origin == Vec2{100, 50});
    CHECK(plan.nodes[0].at_birth.position == Vec2{0, 0});
    CHECK(plan.nodes[3].at_birth.position == Vec2{-60, 0});
    CHECK(plan.extent == 65);
}

TEST_CASE("creature plan: the head is the anchor that says so, else the first anchor, else the first node") {
    Scene scene = chain_scene(5, 20, 1);
    scene.nodes[4].kind = NodeKind::anchor;
    CHECK(plan_of(scene).head == 0);
    scene.nodes[4].is_head = true;
    CHECK(plan_of(scene).head == 4);
    CHECK(plan_of(scene).anchors[0].node == 4);
    scene.nodes[0].kind = scene.nodes[4].kind = NodeKind::normal;
    CHECK(plan_of(scene).head == 0);
    CHECK(plan_of(scene).anchors.empty());
}

TEST_CASE(
    "creature plan: beside an anchor the other end of a link takes the whole correction, and between two "
    "there is none") {
    Scene scene = chain_scene(4, 20, 1);
    const BodyPlan one = plan_of(scene);
    REQUIRE(one.links.size() == 3);
    CHECK(one.links[0].share_a == 0);
    CHECK(one.links[0].share_b == 1);
    CHECK(one.links[1].share_a == 0.5);
    scene.nodes[1].kind = NodeKind::anchor;
    CHECK(plan_of(scene).links.size() == 2);
}

TEST_CASE(
    "creature plan: a tail grows from the end of the chain, and before that the end of the body is its "
    "root") {
    Scene scene = chain_scene(10, 20, 1);
    scene.born = 6;
    const BodyPlan plan = plan_of(scene);
    CHECK(plan.born == 6);
    CHECK(plan.tail_root == 5);
    CHECK(plan.tip(6) == 5);
    CHECK(plan.tip(9) == 8);
    CHECK(plan.extent == 105);  // what is not born does not count
}

TEST_CASE("creature plan: a tail that is not the end of a chain is refused by its first node") {
    Scene scene = chain_scene(6, 20, 1);
    scene.born = 3;
    std::swap(scene.edges[4], scene.edges[3]);
    CHECK(make_plans(scene, "plan", false));  // the order of edges does not matter
    scene.edges[4] = {20, 2, 5};              // a second branch instead of a tail
    CHECK(error_of(scene).find("nodes[3]") != std::string::npos);
    Scene held = chain_scene(6, 20, 1);
    held.born = 3;
    held.nodes[5].kind = NodeKind::anchor;
    CHECK(error_of(held).find("nodes[3]") != std::string::npos);
}

TEST_CASE("creature plan: what grows is one body") {
    Scene scene = chain_scene(4, 20, 1);
    scene.born = 4;
    scene.nodes.emplace_back();
    CHECK(error_of(scene).find("nodes[4]") != std::string::npos);
}

TEST_CASE("creature plan: too many anchors and too many limbs are refused by name") {
    Scene scene = chain_scene(6, 20, 1);
    for (SceneNode& node : scene.nodes) node.kind = NodeKind::anchor;
    CHECK(error_of(scene).find("nodes[4] is one anchor too many") != std::string::npos);

    Scene bristly = chain_scene(3, 20, 1);
    for (std::uint32_t i = 0; i < 17; ++i) {
        const auto joint = static_cast<std::uint32_t>(bristly.nodes.size());
        bristly.nodes.emplace_back().kind = NodeKind::limb;
        bristly.edges.push_back({20, 1, joint});
        bristly.limbs.push_back({.body = 1, .joints = {joint}, .where = "limb " + std::to_string(i)});
    }
    CHECK(error_of(bristly).find("limb 16: on nodes[1] is one limb too many") != std::string::npos);
}

TEST_CASE("creature plan: a scene of several creatures makes several plans, each with its own numbers") {
    Scene scene = chain_scene(3, 20, 1);
    const Scene second = chain_scene(2, 30, 1);
    for (const SceneNode& node : second.nodes) scene.nodes.push_back(node);
    scene.edges.push_back({30, 3, 4});
    const auto plans = make_plans(scene, "plan", true);
    REQUIRE(plans);
    REQUIRE(plans->size() == 2);
    CHECK((*plans)[1].nodes[0].scene_index == 3);
    CHECK((*plans)[1].bones[0].node == 1);
    CHECK((*plans)[1].bones[0].length == 30);
}
