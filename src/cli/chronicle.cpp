// SPDX-License-Identifier: MIT
// `instep chronicle`: compares the recorded chronicles with this build or another one, and records them again
// after an intended change. A level's chronicle is DIR/<world>-<level>.txt; a `*` in DIR stands for the
// world's name, and then it is DIR/<level>.txt.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <set>

#include <instep/cli/commands.h>
#include <instep/cli/files.h>
#include <instep/cli/game.h>
#include <instep/match/builtin_levels.h>
#include <instep/match/chronicle.h>
#include <instep/match/registry.h>

namespace instep::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_chronicle_bytes = 256u << 20;

std::string title_of(const match::BuiltinLevel& level) {
    return std::string(level.world) + " " + std::string(level.name);
}

fs::path file_of(const std::string& dir, const match::BuiltinLevel& level) {
    const std::string name = std::string(level.name) + ".txt";
    const std::size_t star = dir.find('*');
    if (star == std::string::npos) return fs::path(dir) / (std::string(level.world) + "-" + name);
    return fs::path(std::string(dir).replace(star, 1, level.world)) / name;
}

std::string how_to_record(const std::string& dir, const std::vector<std::string>& worlds) {
    std::string command =
        std::string(game().name) + " chronicle record" + (dir == game().chronicles ? "" : " --dir " + dir);
    for (const std::string& world : worlds) command += " " + world;
    return "`" + command + "`";
}

// The levels of the given worlds, or all levels.
Outcome<std::vector<match::BuiltinLevel>> levels_of_worlds(const std::vector<std::string>& worlds) {
    for (const std::string& world : worlds)
        if (const auto known = match::find_world(world); !known) return fail(known.error());
    std::vector<match::BuiltinLevel> levels;
    for (const match::BuiltinLevel& level : match::builtin_levels())
        if (worlds.empty() || std::find(worlds.begin(), worlds.end(), level.world) != worlds.end())
            levels.push_back(level);
    return levels;
}

// Splits concatenated chronicles, by their title "WORLD LEVEL".
Outcome<std::map<std::string, std::string>> split(const std::string& text, const std::string& name) {
    constexpr std::string_view start = "chronicle ";
    std::map<std::string, std::string> chronicles;
    std::string* current = nullptr;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
        const std::string line = text.substr(at, end - at);
        if (line.starts_with(start)) {
            std::string title = line.substr(start.size());
            while (!title.empty() && (title.back() == '\n' || title.back() == '\r')) title.pop_back();
            current = &chronicles[title];
            if (!current->empty()) return fail(bad_input, name + ": has two chronicles of " + title);
        }
        if (!current)
            return fail(bad_input,
                        name +
                            ": is not a chronicle: expected its first line to be \"chronicle WORLD "
                            "LEVEL\"");
        *current += line;
        at = end;
    }
    if (chronicles.empty()) return fail(bad_input, name + ": is empty, expected chronicles");
    return chronicles;
}

// Chronicles of levels that no longer exist.
Outcome<std::vector<fs::path>> stale_files(const std::string& dir) {
    std::set<fs::path> known;
    std::set<fs::path> folders;
    for (const match::BuiltinLevel& level : match::builtin_levels()) {
        const fs::path file = file_of(dir, level);
        known.insert(file);
        folders.insert(file.parent_path());
    }
    std::vector<fs::path> stale;
    for (const fs::path& folder : folders) {
        std::error_code error;
        for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
            if (entry->path().extension() == ".txt" && !known.contains(entry->path()))
                stale.push_back(entry->path());
        if (error)
            return fail(file_error, folder.string() + ": " + error.message() +
                                        "; give the folder of the chronicles with --dir");
    }
    std::sort(stale.begin(), stale.end());
    return stale;
}

// How a level's chronicle differs; empty if it does not. `produced` is null if the build lacks it.
Outcome<std::string> difference(const ChronicleOptions& options, const match::BuiltinLevel& level,
                                const std::string* produced) {
    const fs::path path = file_of(options.dir, level);
    std::error_code ignored;
    if (!fs::exists(path, ignored))
        return path.string() + " does not exist: run " +
               how_to_record(options.dir, {std::string(level.world)}) + " and commit it";
    const auto expected = read_file(path, most_chronicle_bytes);
    if (!expected) return std::unexpected(expected.error());
    if (!produced) return options.build + ": has no chronicle of this level";
    return match::compare_chronicles(*expected, *produced, options.build);
}

Outcome<std::map<std::string, std::string>> produce(const std::vector<match::BuiltinLevel>& levels) {
    std::map<std::string, std::string> chronicles;
    for (const match::BuiltinLevel& level : levels) {
        auto text = match::record_chronicle(level.world, level.name);
        if (!text) return fail(text.error());
        chronicles[title_of(level)] = std::move(*text);
    }
    return chronicles;
}

Outcome<std::map<std::string, std::string>> read_produced(const std::string& file) {
    const auto text = read_file(file, most_chronicle_bytes);
    if (!text) return std::unexpected(text.error());
    return split(*text, file);
}

// Prints one line per level; true if all are as recorded.
Outcome<bool> check(const ChronicleOptions& options) {
    const auto levels = levels_of_worlds(options.worlds);
    if (!levels) return std::unexpected(levels.error());
    auto produced = options.produced.empty() ? produce(*levels) : read_produced(options.produced);
    if (!produced) return std::unexpected(produced.error());
    const auto stale = stale_files(options.dir);
    if (!stale) return std::unexpected(stale.error());

    std::size_t wrong = 0;
    for (const match::BuiltinLevel& level : *levels) {
        const std::string title = title_of(level);
        const auto found = produced->find(title);
        const auto differs = difference(options, level, found == produced->end() ? nullptr : &found->second);
        if (!differs) return std::unexpected(differs.error());
        std::printf("%s %s%s\n", differs->empty() ? "ok    " : "DIFFER", title.c_str(),
                    differs->empty() ? "" : (": " + *differs).c_str());
        if (!differs->empty()) ++wrong;
        if (found != produced->end()) produced->erase(found);
    }
    if (options.worlds.empty()) {  // otherwise the rest belongs to other worlds
        for (const auto& [title, text] : *produced) {
            std::printf("DIFFER %s: %s has a chronicle of it, but this build has no such level\n",
                        title.c_str(), options.build.c_str());
            ++wrong;
        }
        for (const fs::path& path : *stale) {
            std::printf("DIFFER %s belongs to no level: run `git rm %s`\n", path.c_str(), path.c_str());
            ++wrong;
        }
    }
    if (wrong == 0) return true;
    std::fflush(stdout);
    std::fprintf(stderr,
                 "%s: %zu chronicles differ from the recorded ones. If that is intended, record them again "
                 "with %s; otherwise the change or the build breaks determinism.\n",
                 std::string(game().name).c_str(), wrong, how_to_record(options.dir, options.worlds).c_str());
    return false;
}

Outcome<void> record(const ChronicleOptions& options) {
    const auto levels = levels_of_worlds(options.worlds);
    if (!levels) return std::unexpected(levels.error());
    for (const match::BuiltinLevel& level : *levels) {
        const auto text = match::record_chronicle(level.world, level.name);
        if (!text) return fail(text.error());
        const fs::path path = file_of(options.dir, level);
        std::error_code error;
        fs::create_directories(path.parent_path(), error);
        if (error) return fail(file_error, path.parent_path().string() + ": " + error.message());
        const auto before = read_file(path, most_chronicle_bytes);
        if (auto written = write_file(path.string(), *text); !written) return written;
        std::printf("%s %s\n",
                    !before            ? "new       "
                    : *before == *text ? "unchanged "
                                       : "changed   ",
                    path.c_str());
    }
    const auto stale = stale_files(options.dir);
    if (!stale) return std::unexpected(stale.error());
    for (const fs::path& path : *stale)
        std::fprintf(stderr, "note: %s belongs to no level: run `git rm %s`\n", path.c_str(), path.c_str());
    return {};
}

}  // namespace

int run_chronicle_check(const ChronicleOptions& options) {
    if (!options.build.empty() && options.produced.empty())
        return report({bad_input, "--build: names the build that wrote --produced FILE; add --produced"});
    ChronicleOptions named = options;
    if (named.build.empty()) named.build = named.produced.empty() ? "this build" : named.produced;
    const auto same = check(named);
    if (!same) return report(same.error());
    return *same ? success : check_failed;
}

int run_chronicle_record(const ChronicleOptions& options) {
    const auto recorded = record(options);
    return recorded ? success : report(recorded.error());
}

}  // namespace instep::cli
