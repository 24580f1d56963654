// SPDX-License-Identifier: MIT
// `instep check`: tries the laws of every world (match/laws.h) on this game's levels.
#include <algorithm>
#include <cstdio>

#include <instep/cli/commands.h>
#include <instep/cli/game.h>
#include <instep/match/builtin_levels.h>
#include <instep/match/laws.h>
#include <instep/match/registry.h>

namespace instep::cli {
namespace {

// The seed under which the law was broken, or nothing.
std::string broken(const match::Law& law, const match::SharedSetup& setup, std::uint64_t seed,
                   std::uint32_t rounds) {
    for (std::uint32_t round = 0; round < rounds; ++round) {
        math::Random random = math::Random::from_seed(seed + round);
        if (const auto held = law.holds(setup, random); !held)
            return held.error().text() + " (again with --seed " + std::to_string(seed + round) +
                   " --rounds 1)";
    }
    return {};
}

}  // namespace

int run_check(const CheckOptions& options) {
    for (const std::string& world : options.worlds)
        if (const auto known = match::find_world(world); !known) return report(known.error());
    std::size_t wrong = 0, tried = 0;
    for (const match::BuiltinLevel& level : match::builtin_levels()) {
        const bool is_wanted =
            options.worlds.empty() ||
            std::find(options.worlds.begin(), options.worlds.end(), level.world) != options.worlds.end();
        if (!is_wanted) continue;
        const auto setup = match::load_builtin_setup(level.world, level.name);
        if (!setup) return report(setup.error());
        for (const match::Law& law : match::laws()) {
            const std::string how = broken(law, *setup, options.seed.value_or(1), options.rounds.value_or(3));
            std::printf("%s %s %s: %s%s\n", how.empty() ? "ok    " : "BROKEN",
                        std::string(level.world).c_str(), std::string(level.name).c_str(),
                        std::string(law.name).c_str(), how.empty() ? "" : (": " + how).c_str());
            std::fflush(stdout);
            ++tried;
            if (!how.empty()) ++wrong;
        }
    }
    if (tried == 0) return report({bad_input, "there is no level to try the laws on"});
    return wrong == 0 ? success : check_failed;
}

}  // namespace instep::cli
