// SPDX-License-Identifier: MIT
// The catalog: what the mobs, people and objects of maps are. All of it is checked when it is read, so that
// its faults are reported as the catalog's and not as a level's.
#include <algorithm>

#include <foothold/import.h>

namespace instep::worlds::foothold {
namespace {

using state::Json;
using state::refuse;
using state::Result;

std::unexpected<state::Error> refuse_long_id(const std::string& path) {
    return refuse(path, "is no name of a kind, which has 32 bytes at most: give it a \"name\"");
}

Result<MobKind> read_mob(const Json& entry, const std::string& id, const std::string& path) {
    MobKind kind;
    kind.name = Name::of(id);
    if (auto read = state::read_struct(entry, kind, path); !read) return std::unexpected(read.error());
    if (!entry.find("name") && kind.name.view() != id) return refuse_long_id(path);
    return kind;
}

// The document's names of a trap's properties, which tools that read object files keep, and ours.
constexpr std::pair<std::string_view, std::string_view> original_names[] = {
    {"moveType", "move_type"}, {"moveW", "move_width"},  {"moveH", "move_height"},
    {"moveP", "move_period"},  {"moveR", "turn_period"}, {"dir", "push"}};

std::string_view our_name(std::string_view key) {
    for (const auto& [original, ours] : original_names)
        if (key == original) return ours;
    return key;
}

// A kind of trap as a level writes it, with a name; null for other objects.
Result<Json> read_object(const Json& entry, const std::string& id, const std::string& path) {
    if (entry.is_null()) return Json();
    if (!entry.object()) return refuse(path, "expected an object or null, got " + entry.summary());
    Json::Object named;
    if (!entry.find("name")) {
        if (Name::of(id).view() != id) return refuse_long_id(path);
        named.emplace_back("name", id);
    }
    for (const auto& [key, value] : *entry.object()) {
        if (our_name(key) != key && entry.find(our_name(key)))
            return refuse(path + "." + key,
                          "is \"" + std::string(our_name(key)) + "\" again: give one of them");
        named.emplace_back(our_name(key), value);
    }
    Json kind(std::move(named));
    TrapKind trap;
    TrapAnimation animation;
    if (auto read = read_trap_kind(kind, path, trap, animation); !read) return std::unexpected(read.error());
    return kind;
}

}  // namespace

Result<Catalog> Catalog::read(std::string_view text, const std::string& where) {
    const auto json = state::parse_json(text, where);
    if (!json) return std::unexpected(json.error());
    Catalog catalog;
    if (!json->object()) return refuse(where, "expected an object, got " + json->summary());
    static constexpr std::string_view known[] = {"mobs", "npcs", "objects"};
    for (const auto& [key, value] : *json->object()) {
        if (std::find(std::begin(known), std::end(known), key) == std::end(known))
            return state::refuse_key(where, key, known);
        if (!value.object()) return refuse(where + ": " + key, "expected an object, got " + value.summary());
        for (const auto& [id, entry] : *value.object()) {
            const std::string path = where + ": " + key + "[\"" + id + "\"]";
            if (key == "mobs") {
                const auto kind = read_mob(entry, id, path);
                if (!kind) return std::unexpected(kind.error());
                catalog.mobs_.emplace(id, *kind);
            } else if (key == "npcs") {
                if (!entry.string()) return refuse(path, "expected a name, got " + entry.summary());
                catalog.npcs_.emplace(id, *entry.string());
            } else {
                auto kind = read_object(entry, id, path);
                if (!kind) return std::unexpected(kind.error());
                catalog.objects_.emplace(id, std::move(*kind));
            }
        }
    }
    return catalog;
}

const MobKind* Catalog::mob(std::string_view id) const {
    const auto found = mobs_.find(id);
    return found == mobs_.end() ? nullptr : &found->second;
}

std::string Catalog::npc(std::string_view id) const {
    const auto found = npcs_.find(id);
    return found == npcs_.end() ? std::string(id) : found->second;
}

bool Catalog::knows_object(std::string_view path) const { return objects_.contains(path); }

const Json* Catalog::trap(std::string_view path) const {
    const auto found = objects_.find(path);
    return found == objects_.end() || found->second.is_null() ? nullptr : &found->second;
}

}  // namespace instep::worlds::foothold
