// SPDX-License-Identifier: MIT
// What bots are called, wherever they play.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace instep::match {

inline std::string bot_name(std::uint32_t bot) {
    constexpr std::array<std::string_view, 16> names{"Ada", "Bix", "Cleo", "Dov", "Elu", "Fay", "Gus", "Hana",
                                                     "Ivo", "Jun", "Kit",  "Lou", "Mia", "Nox", "Oda", "Pip"};
    const std::string name(names[bot % names.size()]);
    const std::size_t round = bot / names.size();
    return round == 0 ? name : name + " " + std::to_string(round + 1);
}

}  // namespace instep::match
