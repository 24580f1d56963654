// SPDX-License-Identifier: MIT
// `instep new`: a folder with a game to begin with, from the templates that are installed with the engine.
// @NAME@ in a template's files and their names becomes the game's name, and @PREFIX@ the engine's folder.
#include <algorithm>
#include <cstdio>
#include <filesystem>

#include <instep/cli/commands.h>
#include <instep/cli/files.h>
#include <instep/cli/game.h>
#include <instep/match/registry.h>

namespace instep::cli {
namespace {

namespace fs = std::filesystem;

std::string with_names(std::string text, const std::string& name, const std::string& prefix) {
    const auto replace = [&text](std::string_view from, const std::string& to) {
        for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
            text.replace(at, from.size(), to);
    };
    replace("@NAME@", name);
    replace("@PREFIX@", prefix);
    return text;
}

Outcome<void> check_name(const std::string& name) {
    const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
    const bool is_good = !name.empty() && name.size() <= 32 && is_letter(name[0]) &&
                         std::all_of(name.begin(), name.end(), [&](char c) {
                             return is_letter(c) || (c >= '0' && c <= '9') || c == '_';
                         });
    if (!is_good)
        return fail(bad_input,
                    "\"" + name +
                        "\": expected 1 to 32 small letters, digits and _, beginning with a letter: "
                        "it becomes the name of a program, a world and a C++ namespace");
    return {};
}

Outcome<void> copy_template(const fs::path& from, const fs::path& to, const std::string& name,
                            const std::string& prefix) {
    std::error_code error;
    for (fs::recursive_directory_iterator entry(from, error), end; !error && entry != end;
         entry.increment(error)) {
        const fs::path target = to / with_names(fs::relative(entry->path(), from).string(), name, prefix);
        if (entry->is_directory()) continue;
        fs::create_directories(target.parent_path(), error);
        const auto text = read_file(entry->path());
        if (!text) return std::unexpected(text.error());
        if (auto written = write_file(target.string(), with_names(*text, name, prefix)); !written)
            return written;
        fs::permissions(target, entry->status().permissions() | fs::perms::owner_write, error);
        std::printf("%s\n", target.c_str());
    }
    if (error) return fail(file_error, from.string() + ": " + error.message());
    return {};
}

std::string templates_in(const fs::path& folder) {
    std::vector<std::string> names;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
        names.push_back(entry->path().filename().string());
    std::sort(names.begin(), names.end());
    std::string all;
    for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
    return all;
}

Outcome<void> make_game(const NewOptions& options) {
    if (auto checked = check_name(options.name); !checked) return checked;
    const fs::path share = share_folder();
    const fs::path from = share / "templates" / options.from;
    std::error_code error;
    const bool is_plain = options.from.find_first_of("/.") == std::string::npos;
    if (!is_plain || !fs::is_directory(from, error))
        return fail(bad_input, "--template: there is no \"" + options.from + "\" in " +
                                   (share / "templates").string() +
                                   "; there are: " + templates_in(share / "templates"));
    if (fs::exists(options.name, error))
        return fail(file_error, options.name + ": exists already; choose another name, or move it away");
    const fs::path prefix = share.parent_path().parent_path();
    if (!fs::exists(prefix / "lib/cmake/Instep/InstepConfig.cmake", error))
        return fail(bad_input,
                    "Instep is not installed, so a game has nothing to build with: run "
                    "tools/install PREFIX, then PREFIX/bin/instep new " +
                        options.name);
    if (auto copied = copy_template(from, options.name, options.name, prefix.string()); !copied)
        return copied;
    std::printf("\ncd %s\n./run     builds it and prints the address to open\n./test    tries it\n",
                options.name.c_str());
    return {};
}

}  // namespace

int run_new(const NewOptions& options) {
    const auto made = make_game(options);
    return made ? success : report(made.error());
}

}  // namespace instep::cli
