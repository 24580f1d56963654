// SPDX-License-Identifier: MIT
// `instep import`: which importer a file goes to, and what a broken one is told.
#include <instep/cli/commands.h>

#include <doctest/doctest.h>
#include <tests/cli/scratch.h>

using namespace instep::cli;

namespace {

// What importing a file of this name and text says; the level goes to another file.
Said import_text(const std::string& name, const std::string& text) {
    const ScratchFolder folder;
    ImportOptions options;
    options.file = folder.file(name, text);
    options.out = folder.file("level.json");
    return run_quietly([&options] { return run_import(options); });
}

bool says(const Said& said, std::string_view part) {
    INFO(said.err);
    const bool found = said.err.find(part) != std::string::npos;
    CHECK_MESSAGE(found, "expected it to mention: " << part);
    return found;
}

}  // namespace

TEST_CASE("a file goes to the importer that its name asks for, and is told what that misses in it") {
    CHECK(import_text("map.img.xml", "").code == bad_input);
    says(import_text("map.img.xml", ""), "no XML");
    says(import_text("map.img.xml", "{\"layers\": []}"), "no XML");
    says(import_text("map.img.xml", "\xFF\xFE<"), "UTF-16");
    says(import_text("map.img.xml", "<html/>"), "no map");
    CHECK(import_text("map.img.xml", "<html/>").code == bad_input);
    CHECK(import_text("map.tmj", "<imgdir name=\"1.img\"><imgdir name=\"info\"/></imgdir>").code ==
          bad_input);
}

TEST_CASE("a file of another name goes by how it begins") {
    CHECK(import_text("map", "\n<imgdir name=\"1.img\"><imgdir name=\"info\"/></imgdir>").code == success);
    CHECK(import_text("map", "{\"layers\": []}").code == success);
}
