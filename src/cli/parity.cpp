// SPDX-License-Identifier: MIT
// `instep parity`: compares worlds with recordings of the original programs, number by number.
#include <algorithm>
#include <cstdio>
#include <filesystem>

#include <instep/cli/commands.h>
#include <instep/cli/files.h>
#include <instep/match/parity.h>
#include <instep/match/registry.h>

namespace instep::cli {
namespace {

namespace fs = std::filesystem;
using match::ParityReport;
using match::ParityRules;

Outcome<state::Json> read_json_file(const fs::path& path) {
    const auto text = read_file(path);
    if (!text) return std::unexpected(text.error());
    auto json = state::parse_json(*text, path.string());
    if (!json) return fail(json.error());
    return std::move(*json);
}

// The index of the recordings in DIR/ is DIR.json.
Outcome<ParityRules> rules_of(const std::string& file) {
    fs::path index_path = fs::absolute(file).lexically_normal().parent_path();
    index_path += ".json";
    std::error_code ignored;
    if (!fs::exists(index_path, ignored)) return ParityRules{};
    const auto index = read_json_file(index_path);
    if (!index) return std::unexpected(index.error());
    const std::string name = fs::path(file).filename().string();
    auto rules = match::find_parity_rules(*index, index_path.string(), name);
    if (!rules) return fail(rules.error());
    return std::move(*rules);
}

void print_report(const std::string& file, const ParityReport& parity) {
    const match::ParityDifference& worst = parity.largest;
    std::printf("%s %s: ", parity.within() ? "ok    " : "DIFFER", file.c_str());
    if (worst.size == 0)
        std::printf("no difference");
    else
        std::printf("largest difference %s in %s at tick %s: expected %s, got %s", brief(worst.size).c_str(),
                    worst.column.c_str(), shortest(worst.tick).c_str(), shortest(worst.expected).c_str(),
                    shortest(worst.got).c_str());
    std::printf(" (tolerance %s; %zu rows of %zu columns)\n", brief(parity.tolerance).c_str(), parity.rows,
                parity.columns);
}

// Whether all differences are within the tolerance.
Outcome<bool> check_file(const std::string& file, WorldLookup find_world) {
    const auto json = read_json_file(file);
    if (!json) return std::unexpected(json.error());
    const auto world_name = match::recorded_world(*json, file);
    if (!world_name) return fail(world_name.error());
    const auto rules = rules_of(file);
    if (!rules) return std::unexpected(rules.error());
    if (rules->by_hand) {
        std::printf("skip   %s: has no tolerance; a unit test compares it\n", file.c_str());
        return true;
    }
    const auto world = find_world(*world_name);
    if (!world) return fail(state::Error{file + ": header.system", world.error().text()});
    const auto parity = match::check_parity(**world, *json, file, *rules);
    if (!parity) return fail(parity.error());
    print_report(file, *parity);
    return parity->within();
}

}  // namespace

int run_parity(const ParityOptions& options, WorldLookup find_world) {
    if (options.files.empty())
        return report({bad_input, "which recordings? give files; --help has examples"});
    int code = success;
    for (const std::string& file : options.files) {
        const auto close_enough = check_file(file, find_world);
        if (!close_enough)
            code = std::max(code, report(close_enough.error()));
        else if (!*close_enough)
            code = std::max<int>(code, check_failed);
    }
    return code;
}

int run_parity(const ParityOptions& options) { return run_parity(options, match::find_world); }

}  // namespace instep::cli
