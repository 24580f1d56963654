// SPDX-License-Identifier: MIT
// A map editor's XML or Tiled's JSON as a level of foothold.
#include <foothold/foothold.h>
#include <foothold/import.h>

namespace instep::worlds::foothold {
namespace {

// Goes by the extension, so that a broken file gets the errors of its format; without one by the first byte.
bool is_xml(std::string_view file, std::string_view text) {
    if (file.ends_with(".xml")) return true;
    if (file.ends_with(".tmj") || file.ends_with(".json")) return false;
    const std::size_t first = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
    return first != std::string_view::npos && text[first] == '<';
}

}  // namespace

state::Result<contract::ImportedLevel> import_level(state::Type<Setup>, const contract::ImportedMap& map) {
    Catalog catalog;
    if (!map.catalog.empty()) {
        auto read = Catalog::read(map.catalog, map.catalog_file);
        if (!read) return std::unexpected(read.error());
        catalog = std::move(*read);
    }
    const auto imported = is_xml(map.file, map.text) ? import_map_xml(map.text, map.file, catalog, map.name)
                                                     : import_tiled(map.text, map.file, catalog, map.name);
    if (!imported) return std::unexpected(imported.error());
    return contract::ImportedLevel{level_text(imported->level), imported->report.text()};
}

}  // namespace instep::worlds::foothold
