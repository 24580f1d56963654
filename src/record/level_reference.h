// SPDX-License-Identifier: MIT
// How a file or an image names its level: by name if it is built in, and otherwise with the level's text.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include <instep/match/match.h>

namespace instep::record {

// Finds levels that are given by name only.
using LevelLookup =
    std::function<state::Result<match::SharedSetup>(const std::string& world, const std::string& level)>;

inline constexpr std::uint32_t max_level_bytes = 16u << 20;  // as for any level
// Of a level from a file: its reader holds a few states.
inline constexpr std::uint32_t max_state_bytes = 64u << 20;

struct LevelReference {
    std::string world;
    std::string level;
    std::string text;  // JSON; empty: it is built in

    friend bool operator==(const LevelReference&, const LevelReference&) = default;
};

LevelReference reference_to(const match::Setup& setup);
// Takes any reference.
state::Result<match::SharedSetup> find_setup(const LevelReference& reference, const LevelLookup& lookup);

}  // namespace instep::record
