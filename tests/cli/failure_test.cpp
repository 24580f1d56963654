// SPDX-License-Identifier: MIT
#include <instep/cli/failure.h>

#include <instep/state/utf8.h>

#include <doctest/doctest.h>
#include <tests/support/property.h>

using namespace instep;
using cli::printable;

TEST_CASE("messages: text in any language is printed unchanged") {
    CHECK(printable("levels/töwn.json: rules: 3 km² are too many\nsee 町") ==
          "levels/töwn.json: rules: 3 km² are too many\nsee 町");
}

TEST_CASE("messages: control characters are replaced") {
    CHECK(printable("a\x1b[2Jb") == "a?[2Jb");
    CHECK(printable("a\xC2\x9B"
                    "2Jb") == "a?2Jb");  // CSI as one C1 character
    CHECK(printable("\r\b\x7F\x80\xFF") == "?????");
}

TEST_CASE("messages: random bytes are printed as valid UTF-8") {
    test::for_each_seed(2000, [](math::Random& random) {
        std::string bytes(random.below(40), ' ');
        for (char& byte : bytes) byte = static_cast<char>(random.below(256));
        std::string text = printable(bytes);
        std::erase(text, '\n');
        CHECK(state::is_plain_text(text));
    });
}
