// SPDX-License-Identifier: MIT
// The determinism proof. A chronicle is a fixed, seeded script of joins, leaves and inputs for one level, and
// the state's hash after every tick; after every hundredth also a hash for each field. The text of each is
// kept in the repository under worlds/<world>/chronicles; every build on every engine must produce the same
// text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <instep/match/match.h>

namespace instep::match {

inline constexpr std::uint64_t chronicle_ticks = 3000;

// Runs the script of a built-in level and writes its chronicle.
state::Result<std::string> record_chronicle(std::string_view world, std::string_view level,
                                            std::uint64_t ticks = chronicle_ticks);

// What two chronicles of one level differ in: nothing (an empty string), or a sentence with world, level,
// build, the first tick whose hash differs, and the first field that differs at the next hundredth. One
// that ends too early differs too.
std::string compare_chronicles(std::string_view expected, std::string_view produced, std::string_view build);

}  // namespace instep::match
