// SPDX-License-Identifier: MIT
// What a game's program says of itself. The build makes its main: one call of run_game.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace instep::cli {

struct Game {
    std::string_view name = "instep";  // of the program
    std::string_view title = "Deterministic 2D game physics with the multiplayer built in";
    std::string_view page = {};  // the folder of its built page; one beside the program comes first
    std::string_view chronicles = "chronicles";  // their folder; `*` stands for the world's name
    std::string_view share = {};                 // where the engine keeps its templates
    // For `dev`, which builds the game again:
    std::string_view source = {};   // the folder of its sources
    std::string_view build = {};    // the folder it is built in
    std::string_view targets = {};  // of the program and the page, with spaces between them
    std::string_view cmake = {};    // the program
};

// The game that this program is.
Game& game();

// Where the engine keeps its page and its templates: beside this program if it is installed, else where it
// was built from.
std::filesystem::path share_folder();

// The folder of the page to serve: the one that is asked for, or the game's own if it was built; else empty.
std::string page_folder(const std::string& asked_for);

// Runs the command that the arguments name, and returns the exit code.
int run_game(const Game& what, int argument_count, char** arguments);

}  // namespace instep::cli
