// SPDX-License-Identifier: MIT
// The level of a command: a built-in one by its name, or a file.
#pragma once

#include <string>

#include <instep/cli/failure.h>
#include <instep/match/match.h>

namespace instep::cli {

// `level` is a file if it ends in .json, otherwise a name; empty is the world's default level. With a file,
// `world` may be empty.
Outcome<match::SharedSetup> load_level(const std::string& world, const std::string& level);

// Fails if the level allows fewer players.
Outcome<void> check_bots(const match::Setup& setup, std::uint64_t bots);

}  // namespace instep::cli
