// SPDX-License-Identifier: MIT
// The files of a game's levels, compiled in, so that a program or a page needs no file beside it. The build
// generates the source that registers them (registry.h).
#pragma once

#include <span>
#include <string_view>

namespace instep::match {

struct BuiltinLevel {
    std::string_view world;
    std::string_view name;
    std::string_view json;
};

// Sorted by world, then by name.
std::span<const BuiltinLevel> builtin_levels();

}  // namespace instep::match
