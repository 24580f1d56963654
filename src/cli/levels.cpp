// SPDX-License-Identifier: MIT
#include <instep/cli/levels.h>

#include <instep/cli/files.h>
#include <instep/cli/game.h>
#include <instep/match/registry.h>

namespace instep::cli {

Outcome<match::SharedSetup> load_level(const std::string& world, const std::string& level) {
    if (!level.ends_with(".json")) {
        const bool is_only_one = world.empty() && match::worlds().size() == 1;
        if (world.empty() && !is_only_one)
            return fail(bad_input, "which world? `" + std::string(game().name) + " worlds` lists them");
        auto setup = match::load_builtin_setup(is_only_one ? match::worlds()[0].get().name : world, level);
        if (!setup) return fail(setup.error());
        return *setup;
    }
    const auto text = read_file(level);
    if (!text) return std::unexpected(text.error());
    auto setup = match::load_setup(*text, level, world);
    if (!setup) return fail(setup.error());
    const std::string found((*setup)->world->name);
    if (!world.empty() && found != world)
        return fail(bad_input, level + ": is a level of \"" + found + "\", not of \"" + world + "\"");
    return *setup;
}

Outcome<void> check_bots(const match::Setup& setup, std::uint64_t bots) {
    if (bots <= setup.facts.most_players) return {};
    return fail(bad_input, "--bots: level \"" + setup.level + "\" of \"" + std::string(setup.world->name) +
                               "\" takes at most " + std::to_string(setup.facts.most_players) +
                               " players, got " + std::to_string(bots));
}

}  // namespace instep::cli
