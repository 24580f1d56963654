// SPDX-License-Identifier: MIT
#include <creature/scene.h>

#include <algorithm>

namespace instep::worlds::creature {
namespace {

using state::Json;
using state::refuse;
using state::Result;

std::string indexed(const std::string& list, std::size_t i) { return list + "[" + std::to_string(i) + "]"; }

// Everything of the object that the list of keys has.
Json only_known(const Json& object, std::span<const std::string_view> known) {
    Json::Object kept;
    for (const auto& [key, value] : *object.object())
        if (std::find(known.begin(), known.end(), key) != known.end()) kept.emplace_back(key, value);
    return kept;
}

// Reads the described fields; `others` are keys that the caller reads itself.
template <class T>
Result<void> read_part(const Json& json, T& into, const std::string& where, UnknownFields unknown,
                       std::initializer_list<std::string_view> others = {}) {
    if (!json.object()) return refuse(where, "expected an object, got " + json.summary());
    std::vector<std::string_view> known;
    for (const state::Member& member : state::describe<T>().members)
        if (member.kind != state::FieldKind::reserved || member.structure) known.push_back(member.name);
    const std::size_t own = known.size();
    known.insert(known.end(), others);
    if (unknown == UnknownFields::are_errors)
        for (const auto& [key, value] : *json.object())
            if (std::find(known.begin(), known.end(), key) == known.end())
                return state::refuse_key(where, key, known);
    return state::read_struct(only_known(json, std::span(known).first(own)), into, where);
}

Result<const Json::Array*> array_at(const Json& json, std::string_view key, const std::string& where,
                                    std::size_t most) {
    static const Json::Array none;
    const Json* found = json.find(key);
    if (!found) return &none;
    const std::string path = where + "." + std::string(key);
    if (!found->array()) return refuse(path, "expected an array, got " + found->summary());
    if (found->array()->size() > most)
        return refuse(indexed(path, most), "is one too many: there may be " + std::to_string(most));
    return found->array();
}

Result<std::uint32_t> node_at(const Json& json, const std::string& where, std::size_t nodes) {
    std::uint64_t node = 0;
    if (!json.to_integer(node) || node >= nodes)
        return refuse(
            where, "expected the index of one of " + std::to_string(nodes) + " nodes, got " + json.summary());
    return static_cast<std::uint32_t>(node);
}

Result<void> read_nodes(const Json& json, const std::string& where, UnknownFields unknown, Scene& scene) {
    const auto list = array_at(json, "nodes", where, most_scene_nodes);
    if (!list) return std::unexpected(list.error());
    if ((*list)->empty()) return refuse(where + ".nodes", "expected at least one node");
    for (const Json& item : **list) {
        SceneNode& node = scene.nodes.emplace_back();
        const std::string path = indexed(where + ".nodes", scene.nodes.size() - 1);
        const Json* kind = item.find("node_type");
        if (kind && kind->string() && *kind->string() == "Limb") {  // whatever the file does not say
            node.angle_min = -math::pi;
            node.angle_max = math::pi;
        }
        if (auto read = read_part(item, node, path, unknown); !read) return read;
        if (!item.find("prev_position")) node.previous = node.position;
        if (!item.find("target_position")) node.target = node.position;
    }
    return {};
}

Result<void> read_edges(const Json& json, const std::string& where, UnknownFields unknown, Scene& scene) {
    const auto list = array_at(json, "constraints", where, most_scene_edges);
    if (!list) return std::unexpected(list.error());
    for (const Json& item : **list) {
        SceneEdge& edge = scene.edges.emplace_back();
        const std::string path = indexed(where + ".constraints", scene.edges.size() - 1);
        for (const std::string_view key : {"node_a", "node_b", "rest_length"})
            if (!item.find(key)) return refuse(path, "has no \"" + std::string(key) + "\"");
        if (auto read = read_part(item, edge, path, unknown); !read) return read;
    }
    return {};
}

Result<void> read_limb(const Json& json, std::uint32_t body, const std::string& where, UnknownFields unknown,
                       Scene& scene) {
    SceneLimb& limb = scene.limbs.emplace_back();
    limb.body = body;
    limb.where = where;
    if (auto read =
            read_part(json, limb.style, where, unknown, {"joints", "flip_bend", "lengths", "target_node"});
        !read)
        return read;
    const std::size_t nodes = scene.nodes.size();
    const auto joints = array_at(json, "joints", where, motion::most_joints);
    if (!joints) return std::unexpected(joints.error());
    if ((*joints)->empty()) return refuse(where + ".joints", "expected at least one joint");
    for (const Json& item : **joints) {
        const auto node = node_at(item, indexed(where + ".joints", limb.joints.size()), nodes);
        if (!node) return std::unexpected(node.error());
        limb.joints.push_back(*node);
    }
    const auto bends = array_at(json, "flip_bend", where, motion::most_joints);
    if (!bends) return std::unexpected(bends.error());
    for (const Json& item : **bends) {
        if (!item.boolean())
            return refuse(indexed(where + ".flip_bend", limb.bends.size()),
                          "expected true or false, got " + item.summary());
        limb.bends.push_back(*item.boolean());
    }
    const auto lengths = array_at(json, "lengths", where, motion::most_joints);
    if (!lengths) return std::unexpected(lengths.error());
    for (const Json& item : **lengths) {
        if (!(item.number() >= 10 && item.number() <= 200))
            return refuse(indexed(where + ".lengths", limb.lengths.size()),
                          "expected a number from 10 to 200, got " + item.summary());
        limb.lengths.push_back(item.number());
    }
    if (const Json* target = json.find("target_node"); target && !target->is_null()) {
        const auto node = node_at(*target, where + ".target_node", nodes);
        if (!node) return std::unexpected(node.error());
        limb.target_node = *node;
    }
    return {};
}

Result<void> read_limbs(const Json& json, const std::string& where, UnknownFields unknown, Scene& scene) {
    const auto sets = array_at(json, "limb_sets", where, most_scene_nodes);
    if (!sets) return std::unexpected(sets.error());
    for (std::size_t i = 0; i < (*sets)->size(); ++i) {
        const Json& set = (**sets)[i];
        const std::string path = indexed(where + ".limb_sets", i);
        const Json* body_json = set.find("body_node");
        if (!body_json) return refuse(path, "has no \"body_node\"");
        const auto body = node_at(*body_json, path + ".body_node", scene.nodes.size());
        if (!body) return std::unexpected(body.error());
        const auto limbs = array_at(set, "limbs", path, most_scene_nodes);
        if (!limbs) return std::unexpected(limbs.error());
        for (std::size_t k = 0; k < (*limbs)->size(); ++k) {
            const std::string limb = indexed(path + ".limbs", k);
            if (scene.limbs.size() == scene.nodes.size())
                return refuse(limb, "is one limb more than there are nodes; each needs a joint of its own");
            if (auto read = read_limb((**limbs)[k], *body, limb, unknown, scene); !read) return read;
        }
    }
    return {};
}

Result<void> check_edges(const Scene& scene, const std::string& where) {
    const std::size_t count = scene.nodes.size();
    for (std::size_t i = 0; i < scene.edges.size(); ++i) {
        const SceneEdge& edge = scene.edges[i];
        const std::string path = indexed(where + ".constraints", i);
        for (const std::uint32_t end : {edge.a, edge.b})
            if (end >= count)
                return refuse(path, "leads to nodes[" + std::to_string(end) + "], but there are only " +
                                        std::to_string(count) + " nodes");
        if (edge.a == edge.b) return refuse(path, "leads from " + call_node(scene, edge.a) + " to itself");
        for (std::size_t k = 0; k < i; ++k) {
            const SceneEdge& other = scene.edges[k];
            if (std::minmax(other.a, other.b) == std::minmax(edge.a, edge.b))
                return refuse(path, "joins " + call_node(scene, edge.a) + " and " + call_node(scene, edge.b) +
                                        " for the second time");
        }
    }
    return {};
}

Result<void> check_limbs(const Scene& scene) {
    std::vector<bool> taken(scene.nodes.size());
    for (const SceneLimb& limb : scene.limbs) {
        for (const std::uint32_t node : limb.joints) {
            const auto kind = static_cast<std::size_t>(scene.nodes[node].kind);
            if (scene.nodes[node].kind != NodeKind::limb)
                return refuse(limb.where, "goes through " + call_node(scene, node) +
                                              ", which is no Limb node but " +
                                              std::string(node_kind_names[kind]));
            if (node == limb.body || taken[node])
                return refuse(limb.where,
                              "goes through " + call_node(scene, node) + ", which is part of a limb already");
            taken[node] = true;
        }
    }
    return {};
}

}  // namespace

std::string call_node(const Scene& scene, std::uint32_t node) {
    const std::string_view name = scene.nodes[node].name.view();
    return "nodes[" + std::to_string(node) + "]" + (name.empty() ? "" : " \"" + std::string(name) + "\"");
}

Result<void> check_scene(const Scene& scene, const std::string& where) {
    if (auto checked = check_edges(scene, where); !checked) return checked;
    return check_limbs(scene);
}

Result<Scene> read_scene(const Json& json, const std::string& where, UnknownFields unknown) {
    static constexpr std::string_view known[] = {"name", "born", "nodes", "constraints", "limb_sets"};
    if (!json.object()) return refuse(where, "expected an object, got " + json.summary());
    if (unknown == UnknownFields::are_errors)
        for (const auto& [key, value] : *json.object())
            if (std::find(std::begin(known), std::end(known), key) == std::end(known))
                return state::refuse_key(where, key, known);
    Scene scene;
    if (const Json* name = json.find("name")) {
        if (!name->string() || name->string()->empty() || name->string()->size() > 24)
            return refuse(where + ".name", "expected a name of at most 24 bytes, got " + name->summary());
        scene.name = *name->string();
    }
    if (auto read = read_nodes(json, where, unknown, scene); !read) return std::unexpected(read.error());
    if (auto read = read_edges(json, where, unknown, scene); !read) return std::unexpected(read.error());
    if (auto read = read_limbs(json, where, unknown, scene); !read) return std::unexpected(read.error());
    if (const Json* born = json.find("born")) {
        std::uint64_t count = 0;
        if (!born->to_integer(count) || count < 1 || count > scene.nodes.size())
            return refuse(where + ".born", "expected how many of the " + std::to_string(scene.nodes.size()) +
                                               " nodes are there at birth, got " + born->summary());
        scene.born = static_cast<std::uint32_t>(count);
    }
    if (auto checked = check_scene(scene, where); !checked) return std::unexpected(checked.error());
    return scene;
}

}  // namespace instep::worlds::creature
