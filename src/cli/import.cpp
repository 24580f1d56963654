// SPDX-License-Identifier: MIT
// `instep import`: turns a map of another program into a level, with a report of irregularities. The world
// whose level it is reads the map.
#include <cstdio>
#include <filesystem>

#include <instep/cli/commands.h>
#include <instep/cli/files.h>
#include <instep/match/match.h>
#include <instep/match/registry.h>

namespace instep::cli {
namespace {

namespace fs = std::filesystem;

// "maps/000000042.img.xml" gives "000000042".
std::string name_of(const std::string& path) {
    const std::string file = fs::path(path).filename().string();
    return file.substr(0, file.find('.'));
}

Outcome<const match::WorldTable*> importing_world(const std::string& name) {
    if (!name.empty()) {
        const auto world = match::find_world(name);
        if (!world) return fail(world.error());
        if ((*world)->import_level) return *world;
        return fail(bad_input, "world \"" + name + "\" imports no maps");
    }
    for (const match::WorldTable& world : match::worlds())
        if (world.import_level) return &world;
    return fail(bad_input, "no world of this game imports maps");
}

Outcome<contract::ImportedLevel> import_file(const ImportOptions& options) {
    const auto world = importing_world(options.world);
    if (!world) return std::unexpected(world.error());
    Outcome<std::string> catalog = std::string();
    if (!options.catalog.empty()) catalog = read_file(options.catalog);
    if (!catalog) return std::unexpected(catalog.error());
    const auto text = read_file(options.file, contract::most_map_bytes);
    if (!text) return std::unexpected(text.error());
    const std::string name =
        options.name.empty() ? name_of(options.out.empty() ? options.file : options.out) : options.name;
    auto imported =
        (*world)->import_level((*world)->context, {*text, options.file, *catalog, options.catalog, name});
    if (!imported) return fail(imported.error());
    if (const auto setup = match::load_setup(imported->text, options.file); !setup)
        return fail(setup.error());
    return std::move(*imported);
}

}  // namespace

int run_import(const ImportOptions& options) {
    if (options.file.empty())
        return report({bad_input, "which map? give a file (.img.xml of a map editor, or .tmj of Tiled)"});
    const auto imported = import_file(options);
    if (!imported) return report(imported.error());
    if (auto written = write_file(options.out, imported->text); !written) return report(written.error());
    std::fputs(imported->report.c_str(), stderr);
    return success;
}

}  // namespace instep::cli
