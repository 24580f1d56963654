// SPDX-License-Identifier: MIT
#include <instep/match/registry.h>

#include <instep/match/builtin_levels.h>
#include <instep/worlds/bounce/bounce.h>
#include <instep/worlds/flail/flail.h>
#include <instep/worlds/orbit/orbit.h>

namespace instep::match {

std::span<const WorldTable> worlds() {
    static const WorldTable all[] = {
        make_table<instep::worlds::Bounce>(),
        make_table<instep::worlds::Flail>(),
        make_table<instep::worlds::Orbit>(),
    };
    return all;
}

state::Result<const WorldTable*> find_world(std::string_view name) {
    std::string known;
    for (const WorldTable& world : worlds()) {
        if (world.name == name) return &world;
        known += (known.empty() ? "" : ", ") + std::string(world.name);
    }
    return state::refuse("", "there is no world \"" + std::string(name) + "\"; there are: " + known);
}

const BuiltinLevel* find_builtin_level(std::string_view world, std::string_view name) {
    for (const BuiltinLevel& level : builtin_levels())
        if (level.world == world && level.name == name) return &level;
    return nullptr;
}

}  // namespace instep::match
