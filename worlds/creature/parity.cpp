// SPDX-License-Identifier: MIT
// Replays a recording of the original program. Its first state is a scene in other words; it becomes a
// faithful setup, the recorded pointer becomes the only player's input, and the state after each tick becomes
// a row of the same columns. Two recordings are of single functions, and are replayed on those.
#include <array>
#include <cmath>
#include <optional>

#include <creature/body.h>
#include <creature/creature.h>
#include <instep/contract/recording.h>
#include <instep/motion/constraint.h>

namespace instep::worlds::creature {

using contract::Recording;
using contract::RecordingReader;
using state::Json;
using state::refuse;
using state::Result;

namespace {

// --- From the recording's words to a scene's ---------------------------------------------------------------

struct Word {
    std::string_view recorded;
    std::string_view in_scene;
};

constexpr Word node_words[] = {{"type", "node_type"},
                               {"radius", "radius"},
                               {"chain_angle", "chain_angle"},
                               {"mode", "movement_mode"},
                               {"speed", "movement_speed"},
                               {"angle_min", "angle_min"},
                               {"angle_max", "angle_max"},
                               {"path", "path_type"},
                               {"amp", "path_amplitude"},
                               {"phase", "path_phase"},
                               {"center", "path_center"},
                               {"wander_dir", "wander_direction"},
                               {"target", "target_position"},
                               {"damping", "collision_damping"},
                               {"const_acc", "constant_acceleration"}};

constexpr Word limb_words[] = {{"joints", "joints"},          {"flip_bend", "flip_bend"},
                               {"max_reach", "max_reach"},    {"offset", "target_direction_offset"},
                               {"speed", "step_speed"},       {"threshold", "step_threshold"},
                               {"height", "step_height"},     {"target", "target"},
                               {"stepping", "is_stepping"},   {"target_node", "target_node"},
                               {"start", "step_start"},       {"dest", "step_dest"},
                               {"progress", "step_progress"}, {"iterations", "iterations"},
                               {"tolerance", "tolerance"}};

template <std::size_t N>
Json::Object translated(const Json& from, const Word (&words)[N]) {
    Json::Object to;
    for (const Word& word : words)
        if (const Json* value = from.find(word.recorded)) to.emplace_back(std::string(word.in_scene), *value);
    return to;
}

Json pair_of(const Json& from, std::string_view x, std::string_view y) {
    const Json* first = from.find(x);
    const Json* second = from.find(y);
    return Json(Json::Array{first ? *first : Json(), second ? *second : Json()});
}

// Null if there is no list of that name.
const Json::Array& list_of(const Json& from, std::string_view name) {
    static const Json::Array none;
    const Json* list = from.find(name);
    return list && list->array() ? *list->array() : none;
}

Json scene_json(const Json& first_state) {
    Json::Array nodes;
    for (const Json& recorded : list_of(first_state, "nodes")) {
        Json::Object node = translated(recorded, node_words);
        node.emplace_back("position", pair_of(recorded, "x", "y"));
        node.emplace_back("prev_position", pair_of(recorded, "prev_x", "prev_y"));
        nodes.emplace_back(std::move(node));
    }
    Json::Array edges;
    for (const Json& recorded : list_of(first_state, "constraints_a_b_rest")) {
        Json::Object edge;
        constexpr std::string_view names[] = {"node_a", "node_b", "rest_length"};
        for (std::size_t i = 0; recorded.array() && i < recorded.array()->size() && i < 3; ++i)
            edge.emplace_back(std::string(names[i]), (*recorded.array())[i]);
        edges.emplace_back(std::move(edge));
    }
    Json::Array limb_sets;
    for (const Json& recorded : list_of(first_state, "limbs")) {
        Json::Object set;
        if (const Json* body = recorded.find("body")) set.emplace_back("body_node", *body);
        set.emplace_back("limbs", Json(Json::Array{Json(translated(recorded, limb_words))}));
        limb_sets.emplace_back(std::move(set));
    }
    Json::Object scene;
    scene.emplace_back("nodes", std::move(nodes));
    scene.emplace_back("constraints", std::move(edges));
    scene.emplace_back("limb_sets", std::move(limb_sets));
    return Json(std::move(scene));
}

Result<Setup> setup_of(const RecordingReader& file, const std::string& where) {
    const std::string path = where + ": header.initial_state";
    const Json* first_state = file.header().find("initial_state");
    if (!first_state || !first_state->object()) return refuse(path, "expected an object");
    const auto scene = read_scene(scene_json(*first_state), path, UnknownFields::are_errors);
    if (!scene) return std::unexpected(scene.error());
    Setup setup{.rules = faithful};
    const Json::Array& half_size = list_of(file.header(), "playground_half_size");
    if (half_size.size() != 2 || !(half_size[0].number() >= 50) || !(half_size[1].number() >= 50))
        return refuse(where + ": header.playground_half_size", "expected two numbers of at least 50");
    setup.playground.half_width = half_size[0].number();
    setup.playground.half_height = half_size[1].number();
    setup.playground.most_players = 1;
    if (auto added = add_scene(setup, *scene, path); !added) return std::unexpected(added.error());
    setup.playground.most_creatures = setup.scene_creatures;
    return setup;
}

// --- From the state to the recording's columns -------------------------------------------------------------

// Removes the number that `text` begins with and returns it; empty if it begins with something else.
std::uint32_t take_number(std::string_view& text) {
    std::uint32_t number = 0;
    if (text.empty() || text[0] < '0' || text[0] > '9') return no_node;
    while (!text.empty() && text[0] >= '0' && text[0] <= '9' && number < most_scene_nodes) {
        number = number * 10 + static_cast<std::uint32_t>(text[0] - '0');
        text.remove_prefix(1);
    }
    return number;
}

// The creature of this node, and the node's index in it.
const Body* owner_of_node(std::uint32_t scene_index, const State& state, const Setup& setup,
                          std::uint32_t& node) {
    for (const Body& creature : state.creatures) {
        const std::vector<PlanNode>& nodes = setup.plans[creature.plan].nodes;
        for (node = 0; node < nodes.size(); ++node)
            if (nodes[node].scene_index == scene_index) return &creature;
    }
    return nullptr;
}

// Of the bone that leads to the node, as it was when the chain was walked. A ring is closed last, and that
// moves its root once more, so its first bone is measured from where the root had glided to: a velocity on
// from `before`.
Vec2 recorded_heading(const Body& creature, const Body& before, const BodyPlan& plan, std::uint32_t node) {
    for (const PlanChain& chain : plan.chains) {
        const std::span<const motion::Bone> bones = plan.bones_of(chain);
        if (bones.back().node != chain.root || bones.front().node != node) continue;
        const Vec2 root = before.nodes[chain.root].position + creature.nodes[chain.root].velocity;
        return motion::direction_of(creature.nodes[node].position - root);
    }
    return heading_of(creature, plan, node);
}

// "_px" is the x of where the node was before.
Result<double> node_value(std::string_view what, const Body& creature, const Body& moved, const Body& last,
                          const BodyPlan& plan, std::uint32_t node, const state::Error& unknown) {
    const Particle& particle = creature.nodes[node];
    const Vec2 before = particle.position - particle.velocity;
    if (what == "_x") return particle.position.x;
    if (what == "_y") return particle.position.y;
    if (what == "_px") return before.x;
    if (what == "_py") return before.y;
    if (what == "_angle") return motion::angle_of(recorded_heading(moved, last, plan, node));
    return std::unexpected(unknown);
}

Result<double> foot_value(std::string_view what, const Foot& foot, const PlanLimb& limb,
                          const state::Error& unknown) {
    const Vec2 position = position_of(foot, limb.gait);
    if (what == "_target_x") return position.x;
    if (what == "_target_y") return position.y;
    if (what == "_stepping") return foot.phase == FootPhase::stepping ? 1.0 : 0.0;
    if (what == "_progress") return foot.progress;
    return std::unexpected(unknown);
}

// The creatures at three moments of a replay.
struct Moments {
    std::vector<Body> last;   // a tick before
    std::vector<Body> moved;  // before walls and circles: the original's angles are from there
};

// "n12_px" or "b19l0_progress": of node 12, or of the first limb on node 19.
Result<double> value_named(std::string_view column, const State& state, const Moments& moments,
                           const Setup& setup, const state::Error& unknown) {
    std::string_view rest = column.substr(std::min<std::size_t>(1, column.size()));
    const std::uint32_t scene_index = take_number(rest);
    std::uint32_t node = 0;
    const Body* creature = owner_of_node(scene_index, state, setup, node);
    if (!creature) return std::unexpected(unknown);
    const BodyPlan& plan = setup.plans[creature->plan];
    const auto index = static_cast<std::size_t>(creature - state.creatures.begin());
    if (column.starts_with("n"))
        return node_value(rest, *creature, moments.moved[index], moments.last[index], plan, node, unknown);
    if (!column.starts_with("b") || !rest.starts_with("l")) return std::unexpected(unknown);
    rest.remove_prefix(1);
    std::uint32_t skip = take_number(rest);
    for (std::size_t i = 0; i < plan.limbs.size(); ++i)
        if (plan.limbs[i].body == node && skip-- == 0)
            return foot_value(rest, creature->feet[i], plan.limbs[i], unknown);
    return std::unexpected(unknown);
}

// Feet decide at thresholds, and a body that moves by whole steps brings them exactly there: then the
// rounding of the original's floats decides. Setups whose thresholds differ by such a rounding, the true one
// first.
std::vector<Setup> nearly_the_same(const Setup& setup) {
    std::vector<Setup> setups;
    for (const double further : {0.0, -1e-3, 1e-3})  // u
        for (const double faster : {1.0, 1 - 1e-6, 1 + 1e-6}) {
            Setup& copy = setups.emplace_back(setup);
            for (BodyPlan& plan : copy.plans)
                for (PlanLimb& limb : plan.limbs) {
                    limb.gait.threshold += further;
                    limb.gait.speed *= faster;
                }
        }
    return setups;
}

class Replay {
public:
    Replay(const RecordingReader& file, const Setup& setup)
        : file_(file), setups_(nearly_the_same(setup)), layout_(state::make_layout<State>(setup)) {
        *state_.head = {};
        start(state_, setup);
        if (const auto x = file.column("mouse_x"), y = file.column("mouse_y"); x && y) pointer_ = {{*x, *y}};
        for (std::size_t i = 0; i < file.file().columns.size(); ++i) {
            const std::string& name = file.file().columns[i];
            if (name.starts_with("b") && contract::is_output_column(name)) foot_columns_.push_back(i);
        }
    }

    // One tick. Where the feet do not do as recorded, the setup decides by which they do, if there is one.
    void step(std::size_t row) {
        image_.resize(state::image_size(layout_, block_.data()));
        state::save(layout_, block_.data(), image_);
        for (std::size_t i = 0; i < (foot_columns_.empty() ? 1 : setups_.size()); ++i) {
            if (i > 0) state::restore(layout_, image_, block_.data());
            step_with(setups_[i], row);
            if (feet_are_as_recorded(row)) return;
        }
        if (foot_columns_.empty()) return;
        state::restore(layout_, image_, block_.data());
        step_with(setups_.front(), row);
    }
    Result<double> read(const std::string& column) const {
        return value_named(column, state_, moments_, setups_.front(), file_.unknown_column(column));
    }

private:
    void step_with(const Setup& setup, std::size_t row) {
        Input input;
        if (pointer_) input.pointer = {file_.at(row, (*pointer_)[0]), file_.at(row, (*pointer_)[1])};
        const contract::Join join{.slot = 0};
        const bool joins = pointer_ && state_.players.empty();
        std::array<Event, 8> event_room;
        contract::Events<Event> events(event_room);
        moments_.last.assign(state_.creatures.begin(), state_.creatures.end());
        move_creatures(state_, setup, {{}, {&join, joins ? 1u : 0u}, {&input, 1}}, events);
        moments_.moved.assign(state_.creatures.begin(), state_.creatures.end());
        settle_creatures(state_, setup, events);
        ++state_.head->tick;
    }
    bool feet_are_as_recorded(std::size_t row) const {
        constexpr double near = 0.01;
        for (const std::size_t column : foot_columns_) {
            const auto value = read(file_.file().columns[column]);
            if (!value || !(std::abs(*value - file_.at(row, column)) < near)) return false;
        }
        return true;
    }

    const RecordingReader& file_;
    std::vector<Setup> setups_;
    state::Layout layout_;
    state::Block block_{layout_};
    State state_ = state::bind<State>(layout_, block_.data());
    std::optional<std::array<std::size_t, 2>> pointer_;  // columns
    std::vector<std::size_t> foot_columns_;
    std::vector<std::byte> image_;
    Moments moments_;
};

Result<Recording> replay(const Json& json, const std::string& where) {
    const auto file = RecordingReader::open(json, where);
    if (!file) return std::unexpected(file.error());
    const auto setup = setup_of(*file, where);
    if (!setup) return std::unexpected(setup.error());
    Replay replay(*file, *setup);
    return file->replay([&](std::size_t row) { replay.step(row); },
                        [&](const std::string& column) { return replay.read(column); });
}

// --- Recordings of single functions ------------------------------------------------------------------------

// Angle, reference and two limits to a row. In floats, because some rows lie so near to half a turn that the
// rounding decides to which side they are clamped.
Result<Recording> replay_angles(const Json& json, const std::string& where) {
    Recording ours{{"a", "r", "lo", "hi", "norm_a", "pos_a", "constrain"}, {}};
    for (const Json& row : list_of(json, "rows")) {
        if (!row.array() || row.array()->size() != ours.columns.size())
            return refuse(where + ": rows[" + std::to_string(ours.rows.size()) + "]",
                          "expected seven numbers");
        const auto given = [&](std::size_t i) { return static_cast<float>((*row.array())[i].number()); };
        std::vector<double>& values = ours.rows.emplace_back();
        for (std::size_t i = 0; i < 4; ++i) values.push_back((*row.array())[i].number());
        values.push_back(static_cast<double>(motion::wrapped(given(0))));
        values.push_back(static_cast<double>(motion::wrapped_positive(given(0))));
        values.push_back(static_cast<double>(motion::limited_angle(given(0), given(1), given(2), given(3))));
    }
    return ours;
}

// The recording has its nodes and links in words: node 0 is an anchor.
Result<Recording> replay_distances(const Json& json) {
    std::array<Particle, 4> nodes{{{{0, 0}, {}}, {{35, 5}, {}}, {{60, -20}, {}}, {{10, 40}, {}}}};
    constexpr motion::DistanceLink links[] = {
        {20, 0, 1, 0, 1}, {30, 0.5, 0.5, 1, 2}, {40, 0.5, 0.5, 2, 3}, {25, 0.5, 0.5, 3, 1}};
    std::array<Vec2, 4> positions;
    Recording ours{{"call", "n0_x", "n0_y", "n1_x", "n1_y", "n2_x", "n2_y", "n3_x", "n3_y"}, {}};
    for (std::size_t call = 1; call <= list_of(json, "rows").size(); ++call) {
        motion::solve_iterated(
            nodes, positions, faithful.constraint_iterations,
            [&] {
                for (const motion::DistanceLink& link : links) motion::pull_together(nodes, link);
            },
            [] {});
        std::vector<double>& values = ours.rows.emplace_back(1, static_cast<double>(call));
        for (const Particle& node : nodes) values.insert(values.end(), {node.position.x, node.position.y});
    }
    return ours;
}

}  // namespace

Result<Recording> parity(state::Type<Setup>, const Json& file, const std::string& where) {
    const Json* header = file.find("header");
    const Json* title = header ? header->find("case") : nullptr;
    if (title && title->string() && *title->string() == "angle_functions") return replay_angles(file, where);
    if (title && title->string() && *title->string() == "distance_solver") return replay_distances(file);
    return replay(file, where);
}

}  // namespace instep::worlds::creature
