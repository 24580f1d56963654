// SPDX-License-Identifier: MIT
// Numbers on the command line and in output. A number out of range is refused with the range in the message,
// never clamped.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <instep/state/hash.h>
#include <instep/state/result.h>

namespace instep::cli {

// "10,000,000"
std::string with_commas(std::uint64_t number);

using state::hash_text;

// The shortest digits that read back to the same number, or "nan" and "inf".
std::string shortest(double number);
std::string shortest(float number);

// Four significant digits: "0.25", "1.2e-13".
std::string brief(double number);

state::Result<std::uint64_t> parse_integer(std::string_view text, std::uint64_t low, std::uint64_t high);
state::Result<double> parse_real(std::string_view text, double low, double high);

struct Size {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
};
inline constexpr std::uint32_t smallest_side = 100;
inline constexpr std::uint32_t largest_side = 10'000;
state::Result<Size> parse_size(std::string_view text);  // "1280x720"

}  // namespace instep::cli
