// SPDX-License-Identifier: MIT
// A body plan as it is written down: nodes, edges between them, and limbs. The form is that of the original
// program's scene files, which load as they are; ours add names, and how much of the body is there at birth.
// Nothing is worked out here; plan.h does that.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <instep/math/units.h>
#include <instep/math/vec2.h>
#include <instep/motion/fabrik.h>
#include <instep/state/field.h>
#include <instep/state/json.h>

namespace instep::worlds::creature {

using math::Vec2;

inline constexpr std::uint32_t most_scene_nodes = 2048;  // 32 creatures of 64
inline constexpr std::uint32_t most_scene_edges = 2 * most_scene_nodes;

enum class NodeKind : std::uint8_t { normal, anchor, limb };
inline constexpr std::string_view node_kind_names[] = {"Normal", "Anchor", "Limb"};

enum class Movement : std::uint8_t { none, follow_target, procedural };
inline constexpr std::string_view movement_names[] = {"None", "FollowTarget", "Procedural"};

enum class Path : std::uint8_t { circle, wave, wander };
inline constexpr std::string_view path_names[] = {"Circle", "Wave", "Wander"};

using PartName = state::FixedText<24>;

inline constexpr double unsaid = std::numeric_limits<double>::quiet_NaN();  // no file can say that

struct SceneNode {
    Vec2 position;
    Vec2 previous;      // prev_position
    Vec2 acceleration;  // for the next tick only
    Vec2 constant_acceleration;
    Vec2 path_amplitude{100, 100};
    Vec2 path_center;
    Vec2 target;  // target_position
    double radius = 10;
    double chain_angle =
        unsaid;  // of the bone that leads to it, or, for an anchor, of the direction it came from
    double movement_speed = 12;  // u/tick
    double angle_min = -math::pi / 4;
    double angle_max = math::pi / 4;
    double path_phase = 0;
    double wander_direction = 0;
    double collision_damping = 0.5;  // part of its velocity that is lost at a wall
    PartName name;
    NodeKind kind = NodeKind::normal;
    Movement movement = Movement::none;
    Path path = Path::circle;
    bool is_head = false;
    state::Reserved<4> unused;
};

constexpr auto fields_of(state::Type<SceneNode>) {
    using state::field;
    constexpr state::Rules coordinate{.low = -1e5, .high = 1e5, .unit = "u"};
    constexpr state::Rules push{.low = -1e5, .high = 1e5, .unit = "u/s²"};
    constexpr state::Rules turn{.low = -100, .high = 100, .unit = "rad"};
    constexpr state::Rules limit{
        .low = -3.1416, .high = 3.1416, .unit = "rad"};  // half a turn, as floats round it
    // clang-format off
    return state::fields("Node",
        field("position", &SceneNode::position, coordinate),
        field("prev_position", &SceneNode::previous, coordinate),
        field("acceleration", &SceneNode::acceleration, push),
        field("constant_acceleration", &SceneNode::constant_acceleration, push),
        field("path_amplitude", &SceneNode::path_amplitude, {.low = 0, .high = 1e5, .unit = "u"}),
        field("path_center", &SceneNode::path_center, coordinate),
        field("target_position", &SceneNode::target, coordinate),
        field("radius", &SceneNode::radius, {.low = 0.1, .high = 500, .unit = "u"}),
        field("chain_angle", &SceneNode::chain_angle, turn),
        field("movement_speed", &SceneNode::movement_speed, {.low = 0, .high = 10'000, .unit = "u/tick"}),
        field("angle_min", &SceneNode::angle_min, limit),
        field("angle_max", &SceneNode::angle_max, limit),
        field("path_phase", &SceneNode::path_phase, {.low = -1e6, .high = 1e6, .unit = "s"}),
        field("wander_direction", &SceneNode::wander_direction, turn),
        field("collision_damping", &SceneNode::collision_damping, {.low = 0, .high = 1}),
        field("name", &SceneNode::name),
        field("node_type", &SceneNode::kind, {.labels = node_kind_names}),
        field("movement_mode", &SceneNode::movement, {.labels = movement_names}),
        field("path_type", &SceneNode::path, {.labels = path_names}),
        field("is_head", &SceneNode::is_head),
        field("unused", &SceneNode::unused));
    // clang-format on
}

struct SceneEdge {
    double rest_length = 0;
    std::uint32_t a = 0;
    std::uint32_t b = 0;
};

constexpr auto fields_of(state::Type<SceneEdge>) {
    using state::field;
    return state::fields("Constraint",
                         field("rest_length", &SceneEdge::rest_length, {.low = 10, .high = 200, .unit = "u"}),
                         field("node_a", &SceneEdge::a), field("node_b", &SceneEdge::b));
}

inline constexpr std::uint32_t no_node = 0xFFFFFFFF;

// The plain values of a limb; its lists are separate.
struct LimbStyle {
    Vec2 target;  // where the foot is; (0, 0) in a file: not placed yet
    Vec2 step_start;
    Vec2 step_dest;
    double max_reach = 100;              // from the body to the foot's goal, u
    double target_direction_offset = 0;  // the direction of that point against the body's heading, rad
    double step_threshold = 20;          // u
    double step_speed = 3;               // steps a second
    double step_height = 10;             // u
    double step_progress = 0;
    double tolerance = 0.1;  // u
    std::uint32_t iterations = 10;
    bool is_stepping = false;
    state::Reserved<3> unused;
};

constexpr auto fields_of(state::Type<LimbStyle>) {
    using state::field;
    constexpr state::Rules coordinate{.low = -1e5, .high = 1e5, .unit = "u"};
    // clang-format off
    return state::fields("Limb",
        field("target", &LimbStyle::target, coordinate),
        field("step_start", &LimbStyle::step_start, coordinate),
        field("step_dest", &LimbStyle::step_dest, coordinate),
        field("max_reach", &LimbStyle::max_reach, {.low = 0, .high = 2000, .unit = "u"}),
        field("target_direction_offset", &LimbStyle::target_direction_offset, {.low = -100, .high = 100, .unit = "rad"}),
        field("step_threshold", &LimbStyle::step_threshold, {.low = 0, .high = 2000, .unit = "u"}),
        field("step_speed", &LimbStyle::step_speed, {.low = 0.01, .high = 10'000, .unit = "1/s"}),
        field("step_height", &LimbStyle::step_height, {.low = -1000, .high = 1000, .unit = "u"}),
        field("step_progress", &LimbStyle::step_progress, {.low = 0, .high = 1}),
        field("tolerance", &LimbStyle::tolerance, {.low = 0, .high = 100, .unit = "u"}),
        field("iterations", &LimbStyle::iterations, {.low = 0, .high = 100}),
        field("is_stepping", &LimbStyle::is_stepping),
        field("unused", &LimbStyle::unused));
    // clang-format on
}

struct SceneLimb {
    LimbStyle style;
    std::uint32_t body = 0;
    std::vector<std::uint32_t> joints;  // from the body out
    std::vector<bool> bends;            // flip_bend: one a joint, if given
    std::vector<double> lengths;        // of the bones, if given; an edge between the nodes goes before
    std::uint32_t target_node = no_node;
    std::string where;  // in the file, for errors
};

struct Scene {
    std::string name;
    std::vector<SceneNode> nodes;
    std::vector<SceneEdge> edges;
    std::vector<SceneLimb> limbs;
    std::uint32_t born =
        no_node;  // how many nodes are there at birth; the others grow, in the order of the file
};

// How errors call a node: `nodes[3] "left knee"`.
std::string call_node(const Scene& scene, std::uint32_t node);

// A scene may hold unknown fields, as the original's files do; in a level's plan they are an error.
enum class UnknownFields : std::uint8_t { are_ignored, are_errors };

state::Result<Scene> read_scene(const state::Json& json, const std::string& where, UnknownFields unknown);

// Checks for any scene, whichever program wrote it: indices that exist, edges between two nodes, limbs of
// limb nodes.
state::Result<void> check_scene(const Scene& scene, const std::string& where);

}  // namespace instep::worlds::creature
