// SPDX-License-Identifier: MIT
// A level in the making, whatever file it comes from: parts are collected, looked over for oddities, and
// written as JSON with nothing in it that is a default anyway.
#pragma once

#include <map>

#include <foothold/import.h>

namespace instep::worlds::foothold {

struct LevelDraft {
    explicit LevelDraft(const Catalog& known) : catalog(known) {}

    // A portal with its full names: they are shortened when all are known, so that two do not become one.
    struct PortalDraft {
        std::string name;
        std::string to;
        Vec2 position;
        bool on_touch = false;
    };

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
    std::vector<PortalDraft> portals;
    std::vector<MobSpawn> mobs;
    std::vector<Npc> npcs;
    std::vector<TrapPart> traps;
    std::vector<MobKind> mob_kinds;
    std::vector<state::Json> trap_kinds;
    std::map<std::string, std::string, std::less<>> trap_kind_texts;  // by name

    // These report and leave out parts that a level cannot have; false if so.
    bool add_foothold(const FootholdPart& part, std::string_view origin);
    bool add_ladder(Ladder ladder, std::string_view origin);
    bool add_mob(std::string_view id, MobSpawn spawn, std::string_view origin);
    bool add_npc(std::string_view id, Npc npc, std::string_view origin);
    bool add_object(std::string_view path, TrapPart part, std::string_view origin);
    bool add_portal(const PortalDraft& portal, std::string_view origin);
    void add_spawn(Vec2 position, std::string_view origin);

    std::vector<FootholdSegment> segments() const;
    // Looks at the whole: links, ends, duplicates, portals without a target, a spawn point.
    void look_over();
    state::Json to_json() const;

private:
    void look_over_footholds();
    void look_over_npcs();
    void look_over_portals();
    void find_a_beginning();
    std::vector<Portal> portals_with_names_that_fit() const;
};

}  // namespace instep::worlds::foothold
