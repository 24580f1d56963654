// SPDX-License-Identifier: MIT
#include <creature/scene.h>

#include <creature/plan.h>

#include <creature/tests/room.h>

#include <doctest/doctest.h>

using namespace instep;
using namespace instep::test;

namespace {

// A small scene in the original's words: an anchor, a spine of two, a leg of two joints, and an
// unknown field.
constexpr std::string_view original = R"({
  "nodes": [
    {"position": [10.0, 20.0], "acceleration": [0.0, 0.0], "radius": 12.0, "node_type": "Anchor", "is_head": true,
     "prev_position": [10.0, 20.0], "chain_angle": 3.1415927, "movement_mode": "FollowTarget", "movement_speed": 4.0,
     "angle_min": -0.7853982, "angle_max": 0.7853982, "path_type": "Wander", "path_amplitude": [100.0, 90.0],
     "path_phase": 0.5, "path_center": [1.0, 2.0], "wander_direction": 0.25, "target_position": [5.0, 6.0],
     "collision_damping": 0.4, "constant_acceleration": [0.0, -1.0], "selected": false},
    {"position": [-30.0, 20.0], "prev_position": [-31.0, 20.0], "radius": 10.0, "node_type": "Normal",
     "angle_min": -0.5, "angle_max": 0.5},
    {"position": [-30.0, 60.0], "radius": 5.0, "node_type": "Limb", "angle_min": -3.1415927, "angle_max": 3.1415927},
    {"position": [-30.0, 90.0], "radius": 5.0, "node_type": "Limb"}
  ],
  "constraints": [{"node_a": 0, "node_b": 1, "rest_length": 40.0}, {"node_a": 1, "node_b": 2, "rest_length": 40.0},
                  {"node_a": 2, "node_b": 3, "rest_length": 30.0, "color": "red"}],
  "limb_sets": [{"body_node": 1, "limbs": [{"joints": [2, 3], "target": [0.0, 0.0], "lengths": [40.0, 30.0],
     "iterations": 10, "tolerance": 0.1, "flip_bend": [true, false], "target_node": null, "max_reach": 60.0,
     "target_direction_offset": 2.18, "step_threshold": 20.0, "step_speed": 3.0, "step_height": 10.0,
     "is_stepping": true, "step_start": [1.0, 2.0], "step_dest": [3.0, 4.0], "step_progress": 0.5}]}],
  "version": 3
})";

Scene read(std::string_view text, UnknownFields unknown = UnknownFields::are_ignored) {
    const auto scene = read_scene(json_of(text), "file.json: scene", unknown);
    REQUIRE_MESSAGE(scene, scene.error().text());
    return *scene;
}

std::string error_of(std::string_view text, UnknownFields unknown = UnknownFields::are_ignored) {
    const auto scene = read_scene(json_of(text), "file.json: scene", unknown);
    if (!scene) return scene.error().text();
    const auto plans = make_plans(*scene, "file.json: scene", true);
    return plans ? "" : plans.error().text();
}

bool mentions(const std::string& text, std::string_view part) {
    CAPTURE(text);
    return text.find(part) != std::string::npos;
}

std::string with_limb(std::string_view nodes, std::string_view limb) {
    return R"({"nodes": [)" + std::string(nodes) +
           R"(], "constraints": [{"node_a": 0, "node_b": 1, "rest_length": 20},
        {"node_a": 1, "node_b": 2, "rest_length": 20}], "limb_sets": [{"body_node": 0, "limbs": [)" +
           std::string(limb) + "]}]}";
}

}  // namespace

TEST_CASE("creature scene: a scene of the original program is read field by field") {
    const Scene scene = read(original);
    REQUIRE(scene.nodes.size() == 4);
    const SceneNode& head = scene.nodes[0];
    CHECK(head.position == Vec2{10, 20});
    CHECK(head.radius == 12);
    CHECK(head.kind == NodeKind::anchor);
    CHECK(head.is_head);
    CHECK(head.movement == Movement::follow_target);
    CHECK(head.movement_speed == 4);
    CHECK(head.path == Path::wander);
    CHECK(head.path_amplitude == Vec2{100, 90});
    CHECK(head.path_phase == 0.5);
    CHECK(head.wander_direction == 0.25);
    CHECK(head.target == Vec2{5, 6});
    CHECK(head.collision_damping == 0.4);
    CHECK(head.constant_acceleration == Vec2{0, -1});
    CHECK(scene.nodes[1].previous == Vec2{-31, 20});
    REQUIRE(scene.edges.size() == 3);
    CHECK(scene.edges[2].rest_length == 30);
    REQUIRE(scene.limbs.size() == 1);
    const SceneLimb& leg = scene.limbs[0];
    CHECK(leg.body == 1);
    CHECK(leg.joints == std::vector<std::uint32_t>{2, 3});
    CHECK(leg.bends == std::vector<bool>{true, false});
    CHECK(leg.target_node == no_node);
    CHECK(leg.style.max_reach == 60);
    CHECK(leg.style.is_stepping);
    CHECK(leg.style.step_dest == Vec2{3, 4});
}

TEST_CASE("creature scene: what a node does not say has a meaning of its own") {
    const Scene scene = read(original);
    CHECK(scene.nodes[2].previous == scene.nodes[2].position);  // at rest
    CHECK(scene.nodes[3].angle_max == math::pi);                // a limb bends freely
    CHECK(scene.nodes[1].collision_damping == 0.5);
    CHECK(std::isnan(scene.nodes[1].chain_angle));
}

TEST_CASE("creature scene: an unknown field is ignored in a scene and refused in a level's plan") {
    CHECK(error_of(original) == "");
    CHECK(mentions(error_of(original, UnknownFields::are_errors), "version"));
    CHECK(mentions(error_of(R"({"nodes": [{"positon": [1, 2]}]})", UnknownFields::are_errors), "nodes[0]"));
    CHECK(
        mentions(error_of(R"({"nodes": [{"positon": [1, 2]}]})", UnknownFields::are_errors), "\"position\""));
}

TEST_CASE("creature scene: an error names the node") {
    constexpr std::string_view three =
        R"({"name": "hip"}, {"node_type": "Limb"}, {"name": "foot", "node_type": "Limb"})";
    CHECK(mentions(error_of(R"({"nodes": [{}, {"radius": null}]})"), "nodes[1].radius"));
    CHECK(mentions(error_of(R"({"nodes": [{}, {"position": [1, null]}]})"), "nodes[1].position"));
    CHECK(mentions(error_of(R"({"nodes": [{}, {"position": [1, 1e300]}]})"), "nodes[1].position"));
    CHECK(mentions(error_of(R"({"nodes": [{"node_type": "Bone"}]})"), "nodes[0].node_type"));
    CHECK(mentions(error_of(R"({"nodes": [{"radius": -1}]})"), "nodes[0].radius"));
    CHECK(mentions(error_of(R"({"nodes": []})"), "at least one node"));
    CHECK(mentions(
        error_of(R"({"nodes": [{}, {}], "constraints": [{"node_a": 0, "node_b": 2, "rest_length": 20}]})"),
        "constraints[0]: leads to nodes[2]"));
    CHECK(mentions(
        error_of(
            R"({"nodes": [{"name": "x"}], "constraints": [{"node_a": 0, "node_b": 0, "rest_length": 20}]})"),
        "nodes[0] \"x\" to itself"));
    CHECK(mentions(
        error_of(R"({"nodes": [{}, {}], "constraints": [{"node_a": 0, "node_b": 1, "rest_length": 20},
                   {"node_a": 1, "node_b": 0, "rest_length": 20}]})"),
        "constraints[1]: joins nodes[1] and nodes[0] for the second time"));
    CHECK(mentions(
        error_of(R"({"nodes": [{}, {}], "constraints": [{"node_a": 0, "node_b": 1, "rest_length": 9}]})"),
        "constraints[0].rest_length"));
    CHECK(mentions(error_of(R"({"nodes": [{}, {}], "constraints": [{"node_a": 0, "node_b": 1}]})"),
                   "rest_length"));
    CHECK(mentions(error_of(with_limb(three, R"({"joints": [1, 7]})")), "joints[1]"));
    CHECK(mentions(error_of(with_limb(three, R"({"joints": [1, 1]})")), "nodes[1]"));
    CHECK(mentions(error_of(with_limb(three, R"({"joints": [2]})")),
                   "no edge from nodes[0] \"hip\" to nodes[2] \"foot\""));
    CHECK(mentions(error_of(with_limb(three, R"({"joints": []})")), "limb_sets[0].limbs[0].joints"));
    CHECK(mentions(
        error_of(with_limb(three, R"({"joints": [1]}, {"joints": [2]}, {"joints": [1]}, {"joints": [2]})")),
        "limb_sets[0].limbs[3]: is one limb more than there are nodes"));
    CHECK(mentions(error_of(with_limb(R"({}, {"node_type": "Limb"}, {"name": "neck", "node_type": "Anchor"})",
                                      R"({"joints": [1, 2]})")),
                   "goes through nodes[2] \"neck\", which is no Limb node but Anchor"));
    CHECK(mentions(error_of(with_limb(three, R"({"joints": [1, 2]}, {"joints": [1]})")),
                   "limbs[1]: goes through nodes[1], which is part of a limb already"));
    CHECK(mentions(error_of(with_limb(three, R"({"joints": [1, 2], "target_node": 3})")), "target_node"));
    CHECK(mentions(error_of(with_limb(three, R"({"joints": [1, 2], "flip_bend": [1]})")), "flip_bend[0]"));
}

TEST_CASE("creature scene: a scene of ten thousand nodes is refused by its first node too many") {
    std::string text = R"({"nodes": [{})";
    for (int i = 1; i < 10'000; ++i) text += ",{}";
    CHECK(mentions(error_of(text + "]}"), "nodes[2048]"));
}

TEST_CASE("creature scene: a creature of more than 64 nodes is refused by its first node too many") {
    const Scene scene = chain_scene(65, 20, 1);
    const auto plans = make_plans(scene, "file.json: scene", true);
    REQUIRE(!plans);
    CHECK(mentions(plans.error().text(), "nodes[64] belongs to a creature of 65 nodes"));
    CHECK(make_plans(chain_scene(64, 20, 1), "file.json: scene", true));
}

TEST_CASE(
    "creature scene: whatever is cut from a scene, it is read or refused with its position in the file, and "
    "never worse") {
    for (std::size_t cut = 0; cut < original.size(); cut += 7) {
        const std::string text(original.substr(0, cut));
        const auto json = state::parse_json(text, "cut.json: scene");
        if (!json) continue;
        const auto scene = read_scene(*json, "cut.json", UnknownFields::are_ignored);
        if (!scene) CHECK(!scene.error().text().empty());
    }
}
