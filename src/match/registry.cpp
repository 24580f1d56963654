// SPDX-License-Identifier: MIT
#include <instep/match/registry.h>

#include <arena/arena.h>
#include <bounce/bounce.h>
#include <creature/creature.h>
#include <flail/flail.h>
#include <foothold/foothold.h>
#include <orbit/orbit.h>

namespace instep::match {

std::span<const WorldTable> worlds() {
    static const WorldTable all[] = {
        make_table<instep::worlds::arena::World>(),    make_table<instep::worlds::bounce::World>(),
        make_table<instep::worlds::creature::World>(), make_table<instep::worlds::flail::World>(),
        make_table<instep::worlds::foothold::World>(), make_table<instep::worlds::orbit::World>(),
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

}  // namespace instep::match
