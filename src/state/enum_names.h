// SPDX-License-Identifier: MIT
// Which values of an enum have names, for checks by the compiler.
#pragma once

#include <cstdint>
#include <string_view>

namespace instep::state::detail {

// Compilers print a value without a name as a cast: (Kind)7.
template <auto value>
consteval bool has_name() {
    std::string_view text = __PRETTY_FUNCTION__;  // ends in "value = bounce::EventKind::joined]"
    text.remove_suffix(1);
    const auto is_word = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    };
    while (is_word(text.back())) text.remove_suffix(1);
    return text.back() == ':';
}

enum class Sample : std::uint8_t { only };
static_assert(has_name<Sample::only>() && !has_name<static_cast<Sample>(1)>(),
              "this compiler prints enum values in an unknown way: adapt has_name");

}  // namespace instep::state::detail
