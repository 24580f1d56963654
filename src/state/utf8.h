// SPDX-License-Identifier: MIT
// Well-formed UTF-8 (RFC 3629), the encoding of names, labels and JSON. Text from outside is checked once,
// where it comes in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace instep::state {

// The number of bytes of the first character of `text`; 0 if it is not well-formed or `text` is empty.
// Overlong encodings, surrogates and codes beyond U+10FFFF are not well-formed.
constexpr std::size_t utf8_length(std::string_view text) {
    const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    if (text.empty()) return 0;
    const unsigned char first = byte(0);
    if (first < 0x80) return 1;
    if (first < 0xC2 || first > 0xF4) return 0;
    const std::size_t length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    if (text.size() < length) return 0;
    const unsigned char lowest = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
    const unsigned char highest = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
    if (byte(1) < lowest || byte(1) > highest) return 0;
    for (std::size_t i = 2; i < length; ++i)
        if ((byte(i) & 0xC0) != 0x80) return 0;
    return length;
}

constexpr bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }

// Whether all of it is well-formed and has no control character.
constexpr bool is_plain_text(std::string_view text) {
    while (!text.empty()) {
        const std::size_t length = utf8_length(text);
        if (length == 0 || is_control(text[0])) return false;
        text.remove_prefix(length);
    }
    return true;
}

inline void append_utf8(std::string& out, std::uint32_t code) {
    const auto tail = [code](int shift) { return static_cast<char>(0x80 | (code >> shift & 0x3F)); };
    if (code < 0x80) {
        out += static_cast<char>(code);
    } else if (code < 0x800) {
        out.append({static_cast<char>(0xC0 | code >> 6), tail(0)});
    } else if (code < 0x10000) {
        out.append({static_cast<char>(0xE0 | code >> 12), tail(6), tail(0)});
    } else {
        out.append({static_cast<char>(0xF0 | code >> 18), tail(12), tail(6), tail(0)});
    }
}

}  // namespace instep::state
