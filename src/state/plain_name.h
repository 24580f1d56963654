// SPDX-License-Identifier: MIT
// Names that are safe in paths, queries and tokens: ASCII letters, digits, "-" and "_".
#pragma once

#include <algorithm>
#include <string_view>

namespace instep::state {

constexpr bool is_name_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
}

constexpr bool is_plain_name(std::string_view text) {
    return std::all_of(text.begin(), text.end(), is_name_character);
}

}  // namespace instep::state
