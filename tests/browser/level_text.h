// SPDX-License-Identifier: MIT
// The JSON of a level that is built in, as the sandbox begins with it.
#pragma once

#include <string_view>

#include <instep/match/builtin_levels.h>

namespace instep::test {

inline std::string_view level_text(std::string_view world, std::string_view name) {
    for (const match::BuiltinLevel& level : match::builtin_levels())
        if (level.world == world && level.name == name) return level.json;
    return {};
}

}  // namespace instep::test
