// SPDX-License-Identifier: MIT
// From a level's JSON to a setup: each list is read part by part, then names and ids are looked up.
#include <foothold/setup.h>

#include <algorithm>
#include <limits>

#include <foothold/units.h>
#include <instep/contract/level.h>

namespace instep::worlds::foothold {
namespace {

using state::Json;
using state::refuse;
using state::Result;

// Reads the array `key` of a level, if there is one, into `parts`.
template <class Part>
Result<void> read_list(const Json& level, std::string_view key, std::size_t most, const std::string& where,
                       std::vector<Part>& parts) {
    const Json* list = level.find(key);
    if (!list) return {};
    const std::string path = where + ": " + std::string(key);
    if (!list->array()) return refuse(path, "expected an array, got " + list->summary());
    if (list->array()->size() > most)
        return refuse(path, "has " + std::to_string(list->array()->size()) + " entries: at most " +
                                std::to_string(most) + " are allowed");
    parts.resize(list->array()->size());
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::string item = path + "[" + std::to_string(i) + "]";
        if (auto read = state::read_struct((*list->array())[i], parts[i], item); !read)
            return std::unexpected(read.error());
    }
    return {};
}

// The index of the part of this name.
template <class Part>
Result<std::uint32_t> find_named(const std::vector<Part>& parts, const Name& name, const std::string& where,
                                 std::string_view what) {
    for (std::size_t i = 0; i < parts.size(); ++i)
        if (parts[i].name == name) return static_cast<std::uint32_t>(i);
    return refuse(where,
                  "there is no " + std::string(what) + " \"" + std::string(name.view()) + "\" in this level");
}

Result<void> read_ground(const Json& level, const std::string& where, Setup& setup) {
    std::vector<FootholdPart> parts;
    if (auto read = read_list(level, "footholds", most_footholds, where, parts); !read) return read;
    std::vector<FootholdSegment> segments;
    std::vector<std::int32_t> ids;
    for (const FootholdPart& p : parts) {
        segments.push_back({p.id, p.layer, p.group, p.x1, p.y1, p.x2, p.y2, p.prev, p.next, p.no_drop});
        ids.push_back(p.id);
    }
    std::sort(ids.begin(), ids.end());  // total order: equal ids are the same number
    if (const auto twice = std::adjacent_find(ids.begin(), ids.end()); twice != ids.end())
        return refuse(where + ": footholds", "two have the id " + std::to_string(*twice));
    if (!ids.empty() && ids.front() < 1)
        return refuse(where + ": footholds", "one has no id: expected 1 or more");
    setup.ground = FootholdSet(segments);
    return {};
}

Result<void> check_ladders(const Setup& setup, const std::string& where) {
    for (std::size_t i = 0; i < setup.ladders.size(); ++i)
        if (setup.ladders[i].top > setup.ladders[i].bottom)
            return refuse(where + ": ladders[" + std::to_string(i) + "]",
                          "its top is below its bottom: y points down, so top is the smaller one");
    return {};
}

Result<void> read_portals(const Json& level, const std::string& where, Setup& setup) {
    if (auto read = read_list(level, "portals", most_portals, where, setup.portals); !read) return read;
    for (std::size_t i = 0; i < setup.portals.size(); ++i) {
        std::uint32_t end = static_cast<std::uint32_t>(i);
        if (!setup.portals[i].to.view().empty()) {
            const auto found = find_named(setup.portals, setup.portals[i].to,
                                          where + ": portals[" + std::to_string(i) + "].to", "portal");
            if (!found) return std::unexpected(found.error());
            end = *found;
        }
        setup.portal_ends.push_back(end);
    }
    return {};
}

Result<void> read_mobs(const Json& level, const std::string& where, Setup& setup) {
    if (auto read = read_list(level, "mob_kinds", most_kinds, where, setup.mob_kinds); !read) return read;
    std::vector<MobSpawn> spawns;
    if (auto read = read_list(level, "mobs", most_mobs, where, spawns); !read) return read;
    for (std::size_t i = 0; i < spawns.size(); ++i) {
        const std::string path = where + ": mobs[" + std::to_string(i) + "].kind";
        const auto kind = find_named(setup.mob_kinds, spawns[i].kind, path, "mob kind");
        if (!kind) return std::unexpected(kind.error());
        MobHome home{.spawn = spawns[i], .kind = *kind, .position = spawns[i].position};
        const MobMotion motion = setup.mob_kinds[*kind].motion;
        if (motion == MobMotion::walks || motion == MobMotion::stands)
            find_footing(setup.ground, spawns[i].foothold, home.position, home.foothold, home.on_ground);
        setup.mobs.push_back(home);
    }
    if (auto read = read_list(level, "npcs", most_npcs, where, setup.npcs); !read) return read;
    for (std::size_t i = 0; i < setup.npcs.size(); ++i)
        if (!find_npc_footing(setup.ground, setup.npcs[i]))
            return refuse(where + ": npcs[" + std::to_string(i) + "].position",
                          "has no ground below it: an NPC stands on ground");
    return {};
}

Result<void> read_trap_kinds(const Json& level, const std::string& where, Setup& setup) {
    const Json* list = level.find("trap_kinds");
    if (!list) return {};
    if (!list->array() || list->array()->size() > most_kinds)
        return refuse(where + ": trap_kinds", "expected an array of at most " + std::to_string(most_kinds));
    for (std::size_t i = 0; i < list->array()->size(); ++i) {
        const std::string path = where + ": trap_kinds[" + std::to_string(i) + "]";
        if (auto read = read_trap_kind((*list->array())[i], path, setup.trap_kinds.emplace_back(),
                                       setup.trap_animations.emplace_back());
            !read)
            return read;
    }
    return {};
}

Result<void> read_traps(const Json& level, const std::string& where, Setup& setup) {
    if (auto read = read_trap_kinds(level, where, setup); !read) return read;
    std::vector<TrapPart> parts;
    if (auto read = read_list(level, "traps", most_traps, where, parts); !read) return read;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::string path = where + ": traps[" + std::to_string(i) + "].kind";
        const auto kind = find_named(setup.trap_kinds, parts[i].kind, path, "trap kind");
        if (!kind) return std::unexpected(kind.error());
        setup.traps.push_back({parts[i].position, *kind, parts[i].flip});
    }
    return {};
}

struct SpawnPart {
    Vec2 position;
};

constexpr auto fields_of(state::Type<SpawnPart>) {
    return state::fields("Spawn", state::field("position", &SpawnPart::position,
                                               {.low = -widest, .high = widest, .unit = "px"}));
}

Result<void> read_spawns(const Json& level, const std::string& where, Setup& setup) {
    std::vector<SpawnPart> parts;
    if (auto read = read_list(level, "spawns", most_spawns, where, parts); !read) return read;
    for (const SpawnPart& part : parts) setup.spawns.push_back(part.position);
    if (setup.spawns.empty())
        return refuse(where + ": spawns", "expected at least one point where players begin");
    return {};
}

Result<void> read_parts(const Json& level, const std::string& where, Setup& setup) {
    if (const Json* map = level.find("map"))
        if (auto read = state::read_struct(*map, setup.map, where + ": map"); !read) return read;
    if (auto read = read_ground(level, where, setup); !read) return read;
    if (auto read = read_list(level, "ladders", most_ladders, where, setup.ladders); !read) return read;
    if (auto checked = check_ladders(setup, where); !checked) return checked;
    if (auto read = read_list(level, "water", most_waters, where, setup.water); !read) return read;
    if (auto read = read_spawns(level, where, setup); !read) return read;
    if (auto read = read_portals(level, where, setup); !read) return read;
    if (auto read = read_mobs(level, where, setup); !read) return read;
    return read_traps(level, where, setup);
}

}  // namespace

// A kind of trap holds its frames in a list of its own, which no described struct can.
Result<void> read_trap_kind(const Json& json, const std::string& path, TrapKind& kind,
                            TrapAnimation& animation) {
    if (!json.object()) return refuse(path, "expected an object, got " + json.summary());
    Json::Object rest;
    for (const auto& [key, value] : *json.object())
        if (key != "frames") rest.emplace_back(key, value);
    if (auto read = state::read_struct(Json(rest), kind, path); !read) return read;
    if (auto read = read_list(json, "frames", most_frames, path, animation.frames); !read) return read;
    if (animation.frames.empty()) return refuse(path + ".frames", "a trap has at least one frame");
    for (const TrapFrame& frame : animation.frames) animation.length += frame.delay;
    return {};
}

void find_footing(const FootholdSet& ground, std::int32_t foothold_id, Vec2& position,
                  FootholdIndex& foothold, bool& on_ground) {
    foothold = foothold_id > 0 ? ground.find(foothold_id) : FootholdIndex{0};
    if (foothold == 0 || !web::reaches(ground[foothold], position.x))
        foothold = web::find_near(ground, position.x, position.y, nearest_ground).foothold;
    on_ground = foothold != 0;
    if (on_ground) position.y = ground[foothold].ground_at(position.x);
}

bool find_npc_footing(const FootholdSet& ground, Npc& npc) {
    FootholdIndex foothold = 0;
    bool on_ground = false;
    find_footing(ground, npc.foothold, npc.position, foothold, on_ground);
    if (on_ground) return true;
    const web::Ground below = web::find_below(ground, npc.position.x, npc.position.y);
    if (below.foothold != 0) npc.position.y = below.y;
    return below.foothold != 0;
}

void complete(Setup& setup) {
    const Rules& rules = setup.rules;
    setup.quirks = {.walls = rules.one_sided_walls ? WallTest::as_stored : WallTest::tall_columns,
                    .void_teleport = rules.void_teleport,
                    .air_drops_forces = rules.air_drops_forces,
                    .ice_stands_still = rules.ice_stands_still,
                    .drops_anywhere = rules.drops_anywhere,
                    .loose_joints = rules.loose_joints,
                    .ice_friction = setup.map.friction};
    if (rules.fall_speed_cap > 0)
        setup.quirks.fastest_fall = px_per_tick_from_px_per_second(rules.fall_speed_cap);
    if (setup.is_web()) {
        setup.forces = {walk_force(rules.speed_stat), jump_force(rules.jump_stat),
                        climb_force(rules.speed_stat)};
    } else {
        const auto speed = static_cast<float>(rules.speed_stat);
        const auto jump = static_cast<float>(rules.jump_stat);
        setup.forces = {double{walk_force(speed)}, double{jump_force(jump)}, double{climb_force(speed)}};
    }
    setup.bounds = web::bounds_of(setup.ground);
    setup.dt = 1.0 / rules.tick_rate;
}

Result<Setup> load(state::Type<Setup>, const Json& level, const std::string& where) {
    static constexpr std::string_view known[] = {"world",   "name",       "rules",  "map",       "footholds",
                                                 "ladders", "water",      "spawns", "portals",   "mobs",
                                                 "npcs",    "trap_kinds", "traps",  "mob_kinds", "source"};
    if (auto checked = contract::refuse_unknown_keys(level, where, known); !checked)
        return std::unexpected(checked.error());
    static constexpr contract::RuleSet<Rules> sets[] = {
        {"faithful", faithful}, {"web", faithful_web}, {"game", game}};
    const auto rules = contract::read_rules(level, where, sets);
    if (!rules) return std::unexpected(rules.error());

    Setup setup;
    setup.rules = *rules;
    if (rules->least_attack > rules->most_attack)
        return refuse(where + ": rules.least_attack", "is more than rules.most_attack");
    if (rules->stand_least > rules->stand_most || rules->move_least > rules->move_most)
        return refuse(where + ": rules", "a least time is longer than the longest");
    if (auto read = read_parts(level, where, setup); !read) return std::unexpected(read.error());
    complete(setup);
    return setup;
}

std::vector<std::string> bodies(state::Type<Setup>, const Json& level) {
    return contract::names_in(level, "mob_kinds");
}

// It walks as far as its ground goes.
Result<Json> with_body(state::Type<Setup>, const Json& level, std::string_view body, math::Vec2 position) {
    return contract::with_entry(
        level, "mobs",
        Json::Object{{"kind", Json(body)}, {"position", contract::position_to_json(position)}});
}

}  // namespace instep::worlds::foothold
