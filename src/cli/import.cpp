// SPDX-License-Identifier: MIT
// `instep import`: turns maps of other programs into levels of foothold, with a report of irregularities.
#include <cstdio>
#include <filesystem>

#include <foothold/foothold.h>
#include <foothold/import.h>
#include <foothold/import_xml.h>
#include <instep/cli/commands.h>
#include <instep/cli/files.h>

namespace instep::cli {
namespace {

namespace fs = std::filesystem;
using worlds::foothold::Catalog;
using worlds::foothold::Imported;

// "maps/000000042.img.xml" gives "000000042".
std::string name_of(const std::string& path) {
    const std::string file = fs::path(path).filename().string();
    return file.substr(0, file.find('.'));
}

Outcome<Catalog> read_catalog(const std::string& path) {
    if (path.empty()) return Catalog{};
    const auto text = read_file(path);
    if (!text) return std::unexpected(text.error());
    auto catalog = Catalog::read(*text, path);
    if (!catalog) return fail(catalog.error());
    return std::move(*catalog);
}

// Goes by the extension, so that a broken file gets the errors of its format; without one by the first byte.
bool is_xml(const std::string& path, const std::string& text) {
    const std::string extension = fs::path(path).extension().string();
    if (extension == ".xml") return true;
    if (extension == ".tmj" || extension == ".json") return false;
    const std::size_t first = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
    return first != std::string::npos && text[first] == '<';
}

Outcome<Imported> import_file(const ImportOptions& options) {
    const auto catalog = read_catalog(options.catalog);
    if (!catalog) return std::unexpected(catalog.error());
    const auto text = read_file(options.file, worlds::foothold::XmlLimits{}.bytes);
    if (!text) return std::unexpected(text.error());
    const std::string name =
        options.name.empty() ? name_of(options.out.empty() ? options.file : options.out) : options.name;
    auto imported = is_xml(options.file, *text)
                        ? worlds::foothold::import_map_xml(*text, options.file, *catalog, name)
                        : worlds::foothold::import_tiled(*text, options.file, *catalog, name);
    if (!imported) return fail(imported.error());
    if (const auto setup = worlds::foothold::load({}, imported->level, options.file); !setup)
        return fail(setup.error());
    return std::move(*imported);
}

}  // namespace

int run_import(const ImportOptions& options) {
    if (options.file.empty())
        return report({bad_input, "which map? give a file (.img.xml of a map editor, or .tmj of Tiled)"});
    const auto imported = import_file(options);
    if (!imported) return report(imported.error());
    if (auto written = write_file(options.out, worlds::foothold::level_text(imported->level)); !written)
        return report(written.error());
    std::fputs(imported->report.text().c_str(), stderr);
    return success;
}

}  // namespace instep::cli
