// SPDX-License-Identifier: MIT
// A level in the making, whatever file it comes from: parts are collected, looked over for oddities, and
// written as JSON with nothing in it that is a default anyway.
#pragma once

#include <set>

#include <instep/worlds/foothold/import.h>

namespace instep::worlds::foothold {

struct LevelDraft {
    explicit LevelDraft(const Catalog& known) : catalog(known) {}

    const Catalog& catalog;
    ImportReport report;
    std::string name;
    std::string source;
    state::Json rules = "game";
    Map map;
    std::vector<FootholdPart> footholds;
    std::vector<Ladder> ladders;
    std::vector<Box> water;
    std::vector<Vec2> spawns;
    std::vector<Portal> portals;
    std::vector<MobSpawn> mobs;
    std::vector<Npc> npcs;
    std::vector<TrapPart> traps;
    std::vector<MobKind> mob_kinds;
    std::vector<state::Json> trap_kinds;
    std::set<std::string, std::less<>> trap_kind_names;

    // These report and leave out what cannot be kept; false if so.
    bool add_foothold(const FootholdPart& part, std::string_view place);
    bool add_ladder(Ladder ladder, std::string_view place);
    bool add_mob(std::string_view id, MobSpawn spawn, std::string_view place);
    bool add_npc(std::string_view id, Npc npc, std::string_view place);
    bool add_object(std::string_view path, TrapPart part, std::string_view place);
    bool add_portal(const Portal& portal, std::string_view place);

    // Looks at the whole: links, ends, duplicates, portals that lead nowhere, a place to begin.
    void look_over();
    state::Json to_json() const;

private:
    void look_over_footholds();
    void look_over_portals();
    void find_a_beginning();
};

}  // namespace instep::worlds::foothold
