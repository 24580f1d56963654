// SPDX-License-Identifier: MIT
#include <instep/state/result.h>

#include <doctest/doctest.h>

using namespace instep;
using state::Error;

TEST_CASE("result: an error reads as a location and a sentence, or as the sentence alone") {
    CHECK(Error{"box.json: rules.drag", "is missing"}.text() == "box.json: rules.drag: is missing");
    CHECK(Error{"", "no such world"}.text() == "no such world");
}

TEST_CASE("result: within() prefixes the location of an error") {
    CHECK(state::within("box.json", {"rules.drag", "is missing"}).error().text() ==
          "box.json: rules.drag: is missing");
    CHECK(state::within("box.json", {"", "is missing"}).error().text() == "box.json: is missing");
}
