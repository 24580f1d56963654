// SPDX-License-Identifier: MIT
#include <foothold/import_draft.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include <foothold/mob.h>

namespace instep::worlds::foothold {

using state::Json;

namespace {

constexpr double steep = 10;  // of a slope: worth a line in the report

// The members that differ from those of a default part: read_struct can do without the others.
template <class Part>
Json part_to_json(const Part& part) {
    const Json whole = state::struct_to_json(part);
    const Json plain = state::struct_to_json(Part{});
    Json::Object object;
    for (std::size_t i = 0; i < whole.object()->size(); ++i) {
        const auto& [key, value] = (*whole.object())[i];
        if (state::write_json(value) != state::write_json((*plain.object())[i].second))
            object.emplace_back(key, value);
    }
    return object;
}

template <class Part>
void add_list(Json::Object& level, std::string_view key, const std::vector<Part>& parts) {
    if (parts.empty()) return;
    Json::Array list;
    for (const Part& part : parts) list.push_back(part_to_json(part));
    level.emplace_back(key, std::move(list));
}

std::string link_text(std::int32_t from, std::int32_t to) {
    return std::to_string(from) + " -> " + std::to_string(to);
}

bool is_inside(double value) { return std::abs(value) <= widest; }

template <class List>
bool has_room(const List& list, std::size_t most, ImportReport& report, std::string_view what,
              std::string_view origin) {
    if (list.size() < most) return true;
    report.add(std::string(what) + " beyond the " + std::to_string(most) + " that a level may have, left out",
               origin);
    return false;
}

}  // namespace

bool LevelDraft::add_foothold(const FootholdPart& part, std::string_view origin) {
    if (!has_room(footholds, most_footholds, report, "footholds", origin)) return false;
    const std::int32_t most = most_foothold_coordinate;
    for (const std::int32_t value : {part.x1, part.y1, part.x2, part.y2})
        if (value < -most || value > most) {
            report.add("footholds outside of any map, left out", origin);
            return false;
        }
    footholds.push_back(part);
    return true;
}

bool LevelDraft::add_ladder(Ladder ladder, std::string_view origin) {
    if (!has_room(ladders, most_ladders, report, "ladders", origin)) return false;
    if (!is_inside(ladder.x) || !is_inside(ladder.top) || !is_inside(ladder.bottom)) {
        report.add("ladders outside of any map, left out", origin);
        return false;
    }
    if (ladder.top > ladder.bottom) {
        report.add("ladders upside down (y1 below y2), turned round", origin);
        std::swap(ladder.top, ladder.bottom);
    }
    ladders.push_back(ladder);
    return true;
}

bool LevelDraft::add_mob(std::string_view id, MobSpawn spawn, std::string_view origin) {
    const MobKind* kind = catalog.mob(id);
    if (!kind) {
        report.add("mobs \"" + std::string(id.substr(0, 40)) + "\" that the catalog does not have, left out",
                   origin);
        return false;
    }
    if (!has_room(mobs, most_mobs, report, "mobs", origin)) return false;
    if (!is_inside(spawn.position.x) || !is_inside(spawn.position.y)) {
        report.add("mobs outside of any map, left out", origin);
        return false;
    }
    if (spawn.left > spawn.right) {
        report.add("mobs whose patrol ends before it begins (rx0 > rx1), turned round", origin);
        std::swap(spawn.left, spawn.right);
    }
    if (spawn.foothold == 0 && !can_fly(*kind))
        report.add("mobs with no foothold (fh 0): the nearest ground will do", origin);
    const auto is_same = [&](const MobKind& known) { return known.name == kind->name; };
    const auto same = std::find_if(mob_kinds.begin(), mob_kinds.end(), is_same);
    if (same == mob_kinds.end()) {
        if (!has_room(mob_kinds, most_kinds, report, "kinds of mobs", origin)) return false;
        mob_kinds.push_back(*kind);
    } else if (state::write_json(state::struct_to_json(*same)) !=
               state::write_json(state::struct_to_json(*kind))) {
        report.add(
            "kinds of mobs of one name that differ, all taken as the first (the catalog should name them "
            "apart)",
            std::string(id.substr(0, 40)));
    }
    spawn.kind = kind->name;
    mobs.push_back(spawn);
    return true;
}

bool LevelDraft::add_npc(std::string_view id, Npc npc, std::string_view origin) {
    if (!has_room(npcs, most_npcs, report, "npcs", origin)) return false;
    if (!is_inside(npc.position.x) || !is_inside(npc.position.y)) {
        report.add("npcs outside of any map, left out", origin);
        return false;
    }
    const std::string npc_name = catalog.npc(id);
    npc.name = Name::of(npc_name);
    if (npc.name.view() != npc_name) report.add("names of npcs that do not fit, cut", origin);
    npcs.push_back(npc);
    return true;
}

bool LevelDraft::add_object(std::string_view path, TrapPart part, std::string_view origin) {
    if (!catalog.knows_object(path)) {
        report.add(
            "objects \"" + std::string(path.substr(0, 80)) + "\" that the catalog does not have, left out",
            origin);
        return false;
    }
    const Json* kind = catalog.trap(path);
    if (!kind) return false;  // known, and only to look at
    if (!has_room(traps, most_traps, report, "traps", origin)) return false;
    if (!is_inside(part.position.x) || !is_inside(part.position.y)) {
        report.add("traps outside of any map, left out", origin);
        return false;
    }
    part.kind = Name::of(*kind->find("name")->string());
    const auto [known, is_new] =
        trap_kind_texts.emplace(std::string(part.kind.view()), state::write_json(*kind));
    if (is_new)
        trap_kinds.push_back(*kind);
    else if (known->second != state::write_json(*kind))
        report.add(
            "kinds of traps of one name that differ, all taken as the first (the catalog should name them "
            "apart)",
            std::string(path.substr(0, 80)));
    traps.push_back(part);
    return true;
}

bool LevelDraft::add_portal(const PortalDraft& portal, std::string_view origin) {
    if (!has_room(portals, most_portals, report, "portals", origin)) return false;
    if (!is_inside(portal.position.x) || !is_inside(portal.position.y)) {
        report.add("portals outside of any map, left out", origin);
        return false;
    }
    portals.push_back(portal);
    return true;
}

void LevelDraft::add_spawn(Vec2 position, std::string_view origin) {
    if (!has_room(spawns, most_spawns, report, "places to begin", origin)) return;
    if (!is_inside(position.x) || !is_inside(position.y))
        return report.add("places to begin outside of any map, left out", origin);
    spawns.push_back(position);
}

void LevelDraft::look_over() {
    look_over_footholds();
    look_over_npcs();
    look_over_portals();
    find_a_beginning();
}

void LevelDraft::look_over_footholds() {
    std::map<std::int32_t, std::size_t> by_id;
    std::vector<FootholdPart> kept;
    for (const FootholdPart& part : footholds) {
        if (by_id.emplace(part.id, kept.size()).second)
            kept.push_back(part);
        else
            report.add("footholds with an id that another has, left out", std::to_string(part.id));
    }
    footholds = std::move(kept);

    std::map<std::tuple<std::int32_t, std::int32_t, std::int32_t, std::int32_t>, std::int32_t> by_ends;
    for (const FootholdPart& part : footholds) {
        const std::string id = std::to_string(part.id);
        const auto low = std::min(std::pair(part.x1, part.y1), std::pair(part.x2, part.y2));
        const auto high = std::max(std::pair(part.x1, part.y1), std::pair(part.x2, part.y2));
        if (!by_ends.emplace(std::tuple(low.first, low.second, high.first, high.second), part.id).second)
            report.add("footholds that coincide with another", id);
        if (low == high) report.add("footholds of no length", id);
        if (part.x1 > part.x2) report.add("footholds drawn from right to left (x1 > x2)", id);
        if (part.x1 != part.x2 && std::abs(part.y2 - part.y1) > steep * std::abs(part.x2 - part.x1))
            report.add("footholds steeper than 10", id);
        const auto look_at = [&](std::int32_t link, bool forward) {
            if (link == 0) return;
            const auto found = by_id.find(link);
            if (found == by_id.end())
                return report.add("links to footholds that are not there", link_text(part.id, link));
            const FootholdPart& other = footholds[found->second];
            if ((forward ? other.prev : other.next) != part.id)
                report.add("links that are not returned", link_text(part.id, link));
            if (other.group != part.group || other.layer != part.layer)
                report.add("links to another group or layer", link_text(part.id, link));
            const bool meet = forward ? part.x2 == other.x1 && part.y2 == other.y1
                                      : part.x1 == other.x2 && part.y1 == other.y2;
            if (!meet) report.add("linked ends that do not meet", link_text(part.id, link));
        };
        look_at(part.prev, false);
        look_at(part.next, true);
    }
    const auto has_foothold = [&](std::int32_t id) { return id == 0 || by_id.contains(id); };
    for (const MobSpawn& mob : mobs)
        if (!has_foothold(mob.foothold))
            report.add("mobs on footholds that are not there: the nearest ground will do",
                       std::to_string(mob.foothold));
    for (const Npc& npc : npcs)
        if (!has_foothold(npc.foothold))
            report.add("npcs on footholds that are not there: the nearest ground will do",
                       std::to_string(npc.foothold));
    if (footholds.empty()) report.add("no footholds at all: there is nothing to stand on");
}

void LevelDraft::look_over_npcs() {
    if (npcs.empty()) return;
    const FootholdSet ground(segments());
    std::erase_if(npcs, [&](const Npc& npc) {
        Npc placed = npc;
        const bool stands = find_npc_footing(ground, placed);
        if (!stands)
            report.add("npcs without ground below them, left out", npc.name.view());
        else if (std::abs(placed.position.y - npc.position.y) > nearest_ground)
            report.add("npcs high above the ground: they stand on it", npc.name.view());
        return !stands;
    });
}

std::vector<FootholdSegment> LevelDraft::segments() const {
    std::vector<FootholdSegment> made;
    made.reserve(footholds.size());
    for (const FootholdPart& f : footholds)
        made.push_back({f.id, f.layer, f.group, f.x1, f.y1, f.x2, f.y2, f.prev, f.next, f.no_drop});
    return made;
}

void LevelDraft::look_over_portals() {
    std::set<std::string_view> names;
    for (const PortalDraft& portal : portals) {
        if (!names.insert(portal.name).second && !portal.name.empty())
            report.add("portals with the name of another: they lead to the first of that name",
                       portal.name.substr(0, 40));
        if (Name::of(portal.name).view() != portal.name)
            report.add("names of portals that do not fit, shortened", portal.name.substr(0, 40));
    }
    for (PortalDraft& portal : portals) {
        if (portal.to.empty() || names.contains(portal.to)) continue;
        report.add("portals to a portal that this map does not have: they lead nowhere",
                   portal.name.substr(0, 40) + " -> " + portal.to.substr(0, 40));
        portal.to.clear();
    }
}

// A name that is too long is cut and numbered, so that it stays one of a kind.
std::vector<Portal> LevelDraft::portals_with_names_that_fit() const {
    std::map<std::string_view, Name> shortened;
    std::set<std::string, std::less<>> taken;
    for (const PortalDraft& portal : portals)
        if (Name::of(portal.name).view() == portal.name) taken.insert(portal.name);
    const auto fit = [&](std::string_view whole) {
        if (Name::of(whole).view() == whole) return Name::of(whole);
        const auto [entry, is_new] = shortened.emplace(whole, Name{});
        for (std::size_t n = shortened.size(); is_new && entry->second.view().empty(); ++n) {
            const Name tried = Name::of("~" + std::to_string(n) + " " + std::string(whole));
            if (taken.insert(std::string(tried.view())).second) entry->second = tried;
        }
        return entry->second;
    };
    std::vector<Portal> made;
    made.reserve(portals.size());
    for (const PortalDraft& portal : portals)
        made.push_back({.name = fit(portal.name),
                        .to = fit(portal.to),
                        .position = portal.position,
                        .on_touch = portal.on_touch});
    return made;
}

// Without a spawn point, players begin above the middle of the highest ground.
void LevelDraft::find_a_beginning() {
    if (!spawns.empty()) return;
    report.add("no spawn point: players begin above the highest ground");
    Vec2 origin;
    for (const FootholdPart& part : footholds) {
        if (part.x1 == part.x2) continue;
        origin = {(part.x1 + part.x2) / 2.0, std::min(part.y1, part.y2) - 30.0};
        break;
    }
    spawns.push_back(origin);
}

Json LevelDraft::to_json() const {
    Json::Object level{{"world", "foothold"}, {"name", name}};
    if (!source.empty()) level.emplace_back("source", source);
    level.emplace_back("rules", rules);
    if (Json made = part_to_json(map); !made.object()->empty()) level.emplace_back("map", std::move(made));
    add_list(level, "footholds", footholds);
    add_list(level, "ladders", ladders);
    add_list(level, "water", water);
    Json::Array places;
    for (const Vec2 spawn : spawns)
        places.emplace_back(Json::Object{{"position", Json::Array{spawn.x, spawn.y}}});
    level.emplace_back("spawns", std::move(places));
    add_list(level, "portals", portals_with_names_that_fit());
    add_list(level, "mob_kinds", mob_kinds);
    add_list(level, "mobs", mobs);
    add_list(level, "npcs", npcs);
    if (!trap_kinds.empty()) level.emplace_back("trap_kinds", Json::Array(trap_kinds));
    add_list(level, "traps", traps);
    return level;
}

std::string level_text(const Json& level) {
    std::string text = "{";
    for (const auto& [key, value] : *level.object()) {
        text += (text.size() == 1 ? "\n  " : ",\n  ") + state::write_json(Json(key)) + ": ";
        const Json::Array* list = value.array();
        if (!list || list->empty()) {
            text += state::write_json(value);
            continue;
        }
        for (std::size_t i = 0; i < list->size(); ++i)
            text += (i == 0 ? "[\n    " : ",\n    ") + state::write_json((*list)[i]);
        text += "\n  ]";
    }
    return text + "\n}\n";
}

}  // namespace instep::worlds::foothold
