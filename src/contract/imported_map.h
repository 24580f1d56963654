// SPDX-License-Identifier: MIT
// A map of another program, and the level that a world made of it.
#pragma once

#include <string>
#include <string_view>

namespace instep::contract {

struct ImportedMap {
    std::string_view text;
    std::string file;          // for errors; its extension says what it is
    std::string_view catalog;  // describes what maps only name; may be empty
    std::string catalog_file;
    std::string name;  // of the level
};

struct ImportedLevel {
    std::string text;    // JSON
    std::string report;  // of irregularities, one line for each kind; may be empty
};

// A larger map than this is refused before it is read, bytes.
inline constexpr std::size_t most_map_bytes = 64u << 20;

}  // namespace instep::contract
