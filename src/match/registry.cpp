// SPDX-License-Identifier: MIT
#include <instep/match/registry.h>

#include <algorithm>
#include <tuple>
#include <vector>

#include <instep/state/plain_name.h>

namespace instep::match {
namespace {

// Made at first use, since worlds register before main, in the order of the linker.
struct Registry {
    std::vector<WorldReference> worlds;
    std::vector<BuiltinLevel> levels;
    std::string error;
};

Registry& registry() {
    static Registry only;
    return only;
}

void keep_first(std::string error) {
    if (registry().error.empty()) registry().error = std::move(error);
}

auto key_of(const BuiltinLevel& level) { return std::tie(level.world, level.name); }

}  // namespace

std::span<const WorldReference> worlds() { return registry().worlds; }
std::span<const BuiltinLevel> builtin_levels() { return registry().levels; }
const std::string& registration_error() { return registry().error; }

state::Result<const WorldTable*> find_world(std::string_view name) {
    std::string known;
    for (const WorldTable& world : worlds()) {
        if (world.name == name) return &world;
        known += (known.empty() ? "" : ", ") + std::string(world.name);
    }
    return state::refuse("", "there is no world \"" + std::string(name) + "\"; there are: " + known);
}

state::Result<void> add_world(const WorldTable& table) {
    const auto is_after = [&](const WorldTable& other) { return other.name >= table.name; };
    const std::string name(table.name);
    if (name.empty() || !std::all_of(name.begin(), name.end(), state::is_name_character))
        return state::refuse("world \"" + name + "\"",
                             "expected a name of letters, digits, \"-\" and \"_\": it is part of addresses");
    std::vector<WorldReference>& all = registry().worlds;
    const auto at = std::find_if(all.begin(), all.end(), is_after);
    if (at != all.end() && at->get().name == table.name)
        return state::refuse("world \"" + name + "\"",
                             "is registered twice: one of the two needs another name");
    all.insert(at, table);
    return {};
}

void detail::register_world(const WorldTable& table) {
    if (const auto added = add_world(table); !added) keep_first(added.error().text());
}

void detail::register_levels(std::span<const BuiltinLevel> levels) {
    std::vector<BuiltinLevel>& all = registry().levels;
    for (const BuiltinLevel& level : levels) {
        const auto at = std::find_if(all.begin(), all.end(), [&](const BuiltinLevel& other) {
            return key_of(other) >= key_of(level);
        });
        if (at != all.end() && key_of(*at) == key_of(level))
            keep_first("level \"" + std::string(level.name) + "\" of world \"" + std::string(level.world) +
                       "\" is there twice: one of the two files needs another name");
        else
            all.insert(at, level);
    }
}

}  // namespace instep::match
