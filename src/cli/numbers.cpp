// SPDX-License-Identifier: MIT
#include <instep/cli/numbers.h>

#include <charconv>
#include <cstdio>

namespace instep::cli {

using state::refuse;
using state::Result;

std::string with_commas(std::uint64_t number) {
    std::string digits = std::to_string(number);
    for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
    return digits;
}

namespace {

template <class Number>
std::string shortest_digits(Number number) {
    char text[32];
    return {text, std::to_chars(text, text + sizeof text, number).ptr};
}

}  // namespace

std::string shortest(double number) { return shortest_digits(number); }
std::string shortest(float number) { return shortest_digits(number); }

std::string brief(double number) {
    char text[32];
    std::snprintf(text, sizeof text, "%.4g", number);
    return text;
}

Result<std::uint64_t> parse_integer(std::string_view text, std::uint64_t low, std::uint64_t high) {
    std::uint64_t number = 0;
    const char* end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, number);
    if (read.ec == std::errc() && read.ptr == end && number >= low && number <= high) return number;
    return refuse("", "expected a whole number from " + with_commas(low) + " to " + with_commas(high) +
                          ", got \"" + std::string(text) + "\"");
}

Result<double> parse_real(std::string_view text, double low, double high) {
    double number = 0;
    const char* end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, number);
    if (read.ec == std::errc() && read.ptr == end && number >= low && number <= high) return number;
    return refuse("", "expected a number from " + shortest(low) + " to " + shortest(high) + ", got \"" +
                          std::string(text) + "\"");
}

Result<Size> parse_size(std::string_view text) {
    const std::size_t cross = text.find('x');
    if (cross != std::string_view::npos) {
        const auto width = parse_integer(text.substr(0, cross), smallest_side, largest_side);
        const auto height = parse_integer(text.substr(cross + 1), smallest_side, largest_side);
        if (width && height)
            return Size{static_cast<std::uint32_t>(*width), static_cast<std::uint32_t>(*height)};
    }
    return refuse("", "expected a size like 1280x720, each side from " + with_commas(smallest_side) + " to " +
                          with_commas(largest_side) + ", got \"" + std::string(text) + "\"");
}

}  // namespace instep::cli
