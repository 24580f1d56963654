// SPDX-License-Identifier: MIT
// `instep worlds`: lists the worlds and their levels.
#include <algorithm>
#include <cstdio>

#include <instep/cli/commands.h>
#include <instep/cli/files.h>
#include <instep/match/builtin_levels.h>
#include <instep/match/match.h>
#include <instep/match/registry.h>

namespace instep::cli {
namespace {

using state::Json;

struct WorldEntry {
    const match::WorldTable* world;
    std::vector<std::string> levels;
    contract::Facts facts;  // of the default level
};

Outcome<std::vector<WorldEntry>> list_worlds() {
    std::vector<WorldEntry> all;
    for (const match::WorldTable& world : match::worlds()) {
        WorldEntry& entry = all.emplace_back(&world);
        for (const match::BuiltinLevel& level : match::builtin_levels())
            if (level.world == world.name) entry.levels.emplace_back(level.name);
        const auto setup = match::load_builtin_setup(world.name, "");
        if (!setup) return fail(setup.error());
        entry.facts = (*setup)->facts;
    }
    return all;
}

std::string as_json(const std::vector<WorldEntry>& all) {
    Json::Array list;
    for (const WorldEntry& entry : all) {
        Json::Array levels;
        for (const std::string& level : entry.levels) levels.emplace_back(level);
        list.emplace_back(Json::Object{{"name", Json(std::string(entry.world->name))},
                                       {"summary", Json(std::string(entry.world->summary))},
                                       {"tick_rate", Json(std::int64_t{entry.facts.tick_rate})},
                                       {"most_players", Json(std::int64_t{entry.facts.most_players})},
                                       {"levels", Json(std::move(levels))},
                                       {"parity", Json(entry.world->parity != nullptr)}});
    }
    return state::write_json(list) + "\n";
}

std::string as_table(const std::vector<WorldEntry>& all) {
    std::size_t width = 0;
    for (const WorldEntry& entry : all) width = std::max(width, entry.world->name.size());
    std::string text;
    for (const WorldEntry& entry : all) {
        std::string levels;
        for (const std::string& level : entry.levels) levels += (levels.empty() ? "" : ", ") + level;
        const std::string indent(width + 2, ' ');
        text += std::string(entry.world->name) + std::string(width + 2 - entry.world->name.size(), ' ') +
                std::string(entry.world->summary) + "\n" + indent + std::to_string(entry.facts.tick_rate) +
                " Hz, up to " + std::to_string(entry.facts.most_players) + " players, levels: " + levels +
                "\n";
    }
    return text;
}

}  // namespace

int run_worlds(const WorldsOptions& options) {
    const auto all = list_worlds();
    if (!all) return report(all.error());
    const auto written = write_file("-", options.json ? as_json(*all) : as_table(*all));
    return written ? success : report(written.error());
}

}  // namespace instep::cli
