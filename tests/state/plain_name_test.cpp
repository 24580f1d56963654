// SPDX-License-Identifier: MIT
#include <instep/state/plain_name.h>

#include <doctest/doctest.h>

#include <string>

using namespace instep;

TEST_CASE("plain name: ASCII letters, digits, - and _ and nothing else") {
    CHECK(state::is_plain_name("Room-7_b"));
    CHECK(state::is_plain_name(""));
    for (int code = 0; code < 256; ++code) {
        const auto c = static_cast<char>(code);
        const std::string known = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
        CHECK(state::is_name_character(c) == (known.find(c) != known.npos));
    }
}
