// SPDX-License-Identifier: MIT
// From other people's maps to our levels: the XML that editors of this family of games export, and Tiled's
// JSON. Each is one pure function from text to a level and a report of its oddities. Nothing is repaired in
// silence, and nothing is allocated because a file says so: sizes, depths and counts are limited while it is
// read.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include <foothold/import_report.h>
#include <foothold/setup.h>
#include <instep/state/json.h>

namespace instep::worlds::foothold {

// The kinds of mobs and objects, which map files do not contain:
//     {"mobs": {"0100100": {"name": "snail", "health": 8, ...}},          the fields of a mob kind
//      "npcs": {"0000042": "the smith"},
//      "objects": {"trap/spike/ball/0": {"damage": 10, "frames": [...]},  the fields of a trap kind
//                  "houses/small/0/0": null}}                             known, and no trap
class Catalog {
public:
    Catalog() = default;
    static state::Result<Catalog> read(std::string_view json, const std::string& where);

    const MobKind* mob(std::string_view id) const;
    std::string npc(std::string_view id) const;  // its id if it has no name
    bool knows_object(std::string_view path) const;
    const state::Json* trap(std::string_view path) const;  // as a level writes it; null for other objects

private:
    std::map<std::string, MobKind, std::less<>> mobs_;
    std::map<std::string, std::string, std::less<>> npcs_;
    std::map<std::string, state::Json, std::less<>> objects_;  // null: known and harmless
};

struct Imported {
    state::Json level;
    ImportReport report;
};

// `level_name` is the name of the level, `where` the name of the text in errors.
state::Result<Imported> import_map_xml(std::string_view text, const std::string& where,
                                       const Catalog& catalog, std::string_view level_name);
state::Result<Imported> import_tiled(std::string_view text, const std::string& where, const Catalog& catalog,
                                     std::string_view level_name);

// A level as a file for people: one part a line.
std::string level_text(const state::Json& level);

}  // namespace instep::worlds::foothold
