// SPDX-License-Identifier: MIT
// The level that a command was asked for: one of those built in, by its name, or a file.
#pragma once

#include <string>

#include <instep/cli/failure.h>
#include <instep/match/match.h>

namespace instep::cli {

// `level` is a file if it ends in .json, else a name; empty is the world's usual level. An empty world is
// whichever the file is for.
Outcome<match::SharedSetup> load_level(const std::string& world, const std::string& level);

// As many players as were asked for, or a sentence with how many there may be.
Outcome<void> check_bots(const match::Setup& setup, std::uint64_t bots);

}  // namespace instep::cli
