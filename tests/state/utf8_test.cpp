// SPDX-License-Identifier: MIT
#include <instep/state/utf8.h>

#include <tests/support/property.h>

#include <string>

using namespace instep;
using state::utf8_length;

namespace {

// The bits of `code` in `length` bytes, whether or not that encoding is well-formed.
std::string spread_over(char32_t code, std::size_t length) {
    if (length == 1) return {static_cast<char>(code)};
    std::string bytes(length, '\0');
    for (std::size_t i = length; i-- > 1; code >>= 6) bytes[i] = static_cast<char>(0x80 | (code & 0x3F));
    const char32_t marks[] = {0xC0, 0xE0, 0xF0};
    bytes[0] = static_cast<char>(marks[length - 2] | code);
    return bytes;
}

std::size_t right_length(char32_t code) {
    return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
}

}  // namespace

TEST_CASE("utf8: every character of Unicode is well-formed in its shortest encoding alone") {
    std::size_t wrong = 0;
    for (char32_t code = 0; code < 0x200000; ++code) {
        const bool is_character = code < 0xD800 || (code > 0xDFFF && code <= 0x10FFFF);
        for (std::size_t length = right_length(code); length <= 4; ++length) {
            const bool well_formed = is_character && length == right_length(code);
            wrong += utf8_length(spread_over(code, length) + "x") != (well_formed ? length : 0);
        }
    }
    CHECK(wrong == 0);
}

TEST_CASE("utf8: a truncated character is not well-formed") {
    for (const char32_t code : {U'\u00e9', U'\u20ac', U'\U0001F600'}) {
        const std::string whole = spread_over(code, right_length(code));
        for (std::size_t kept = 0; kept < whole.size(); ++kept) {
            CHECK(utf8_length(whole.substr(0, kept)) == 0);
            CHECK(utf8_length(whole.substr(0, kept) + std::string(4 - kept, 'x')) == (kept == 0 ? 1 : 0));
        }
    }
}

TEST_CASE("utf8: plain text has no control characters and no stray bytes") {
    CHECK(state::is_plain_text(""));
    CHECK(state::is_plain_text("Zo\u00eb \u20ac \U0001F600 \"\\"));
    CHECK_FALSE(state::is_plain_text("a\nb"));
    CHECK_FALSE(state::is_plain_text(std::string_view("a\0b", 3)));
    CHECK_FALSE(state::is_plain_text("a\x7F"));
    CHECK_FALSE(state::is_plain_text("a\xFFz"));
}
