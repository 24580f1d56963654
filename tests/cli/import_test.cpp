// SPDX-License-Identifier: MIT
// `instep import`: the choice of the importer, and its errors.
#include <instep/cli/commands.h>

#include <doctest/doctest.h>
#include <tests/cli/scratch.h>

using namespace instep::cli;

namespace {

// Imports a file of this name and text; the level goes to another file.
CommandResult import_text(const std::string& name, const std::string& text) {
    const ScratchFolder folder;
    ImportOptions options;
    options.file = folder.file(name, text);
    options.out = folder.file("level.json");
    return run_captured([&options] { return run_import(options); });
}

bool says(const CommandResult& result, std::string_view part) {
    INFO(result.err);
    const bool found = result.err.find(part) != std::string::npos;
    CHECK_MESSAGE(found, "expected it to mention: " << part);
    return found;
}

}  // namespace

TEST_CASE("import: the extension selects the importer, whose errors are reported") {
    CHECK(import_text("map.img.xml", "").code == bad_input);
    says(import_text("map.img.xml", ""), "no XML");
    says(import_text("map.img.xml", "{\"layers\": []}"), "no XML");
    says(import_text("map.img.xml", "\xFF\xFE<"), "UTF-16");
    says(import_text("map.img.xml", "<html/>"), "no map");
    CHECK(import_text("map.img.xml", "<html/>").code == bad_input);
    CHECK(import_text("map.tmj", "<imgdir name=\"1.img\"><imgdir name=\"info\"/></imgdir>").code ==
          bad_input);
}

TEST_CASE("import: without a known extension the first byte selects the importer") {
    CHECK(import_text("map", "\n<imgdir name=\"1.img\"><imgdir name=\"info\"/></imgdir>").code == success);
    CHECK(import_text("map", "{\"layers\": []}").code == success);
}
