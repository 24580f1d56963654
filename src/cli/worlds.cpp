// SPDX-License-Identifier: MIT
// `instep worlds`: what there is to play.
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

struct WorldFacts {
    const match::WorldTable* world;
    std::vector<std::string> levels;
    contract::Facts facts;  // of the usual level
};

Outcome<std::vector<WorldFacts>> gather() {
    std::vector<WorldFacts> all;
    for (const match::WorldTable& world : match::worlds()) {
        WorldFacts& facts = all.emplace_back(&world);
        for (const match::BuiltinLevel& level : match::builtin_levels())
            if (level.world == world.name) facts.levels.emplace_back(level.name);
        const auto setup = match::load_builtin_setup(world.name, "");
        if (!setup) return fail(setup.error());
        facts.facts = (*setup)->facts;
    }
    return all;
}

std::string as_json(const std::vector<WorldFacts>& all) {
    Json::Array list;
    for (const WorldFacts& facts : all) {
        Json::Array levels;
        for (const std::string& level : facts.levels) levels.emplace_back(level);
        list.emplace_back(Json::Object{{"name", Json(std::string(facts.world->name))},
                                       {"summary", Json(std::string(facts.world->summary))},
                                       {"tick_rate", Json(std::int64_t{facts.facts.tick_rate})},
                                       {"most_players", Json(std::int64_t{facts.facts.most_players})},
                                       {"levels", Json(std::move(levels))},
                                       {"parity", Json(facts.world->parity != nullptr)}});
    }
    return state::write_json(list) + "\n";
}

std::string as_table(const std::vector<WorldFacts>& all) {
    std::size_t width = 0;
    for (const WorldFacts& facts : all) width = std::max(width, facts.world->name.size());
    std::string text;
    for (const WorldFacts& facts : all) {
        std::string levels;
        for (const std::string& level : facts.levels) levels += (levels.empty() ? "" : ", ") + level;
        const std::string indent(width + 2, ' ');
        text += std::string(facts.world->name) + std::string(width + 2 - facts.world->name.size(), ' ') +
                std::string(facts.world->summary) + "\n" + indent + std::to_string(facts.facts.tick_rate) +
                " Hz, up to " + std::to_string(facts.facts.most_players) + " players, levels: " + levels +
                "\n";
    }
    return text;
}

}  // namespace

int run_worlds(const WorldsOptions& options) {
    const auto all = gather();
    if (!all) return report(all.error());
    const auto written = write_file("-", options.json ? as_json(*all) : as_table(*all));
    return written ? success : report(written.error());
}

}  // namespace instep::cli
