// SPDX-License-Identifier: MIT
#include <instep/match/chronicle.h>

#include <doctest/doctest.h>

using namespace instep;
using match::compare_chronicles;

namespace {

const std::string expected =
    "chronicle bounce box\n"
    "99 aaaaaaaaaaaaaaaa\n"
    "100 bbbbbbbbbbbbbbbb\n"
    "  head.tick 0000000000000001\n"
    "  balls.position.x 0000000000000002\n"
    "101 cccccccccccccccc\n";

std::string with(std::string text, std::string_view from, std::string_view to) {
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    return text.replace(at, from.size(), to);
}

bool mentions(const std::string& message, std::string_view words) {
    return message.find(words) != std::string::npos;
}

}  // namespace

TEST_CASE("chronicle: equal chronicles have no difference") {
    CHECK(compare_chronicles(expected, expected, "a build").empty());
}

TEST_CASE("chronicle: a chronicle that was cut off anywhere differs") {
    for (std::size_t size = 0; size + 1 < expected.size(); ++size)
        CHECK(!compare_chronicles(expected, expected.substr(0, size), "a build").empty());
    CHECK(mentions(compare_chronicles(expected, expected.substr(0, expected.find("101")), "a build"),
                   "agrees up to tick 100"));
}

TEST_CASE(
    "chronicle: a difference names world, level, build, first tick and the first field at the next "
    "hundredth") {
    std::string produced = with(expected, "99 aaaa", "99 aaab");
    produced = with(produced, "100 bb", "100 ba");
    produced = with(produced, "x 0000000000000002", "x 0000000000000003");
    const std::string message = compare_chronicles(expected, produced, "wasm in jsc");
    CHECK(mentions(message, "bounce box"));
    CHECK(mentions(message, "wasm in jsc"));
    CHECK(mentions(message, "tick 99"));
    CHECK(mentions(message, "balls.position.x"));
}

TEST_CASE("chronicle: a difference after the last hundredth still names its tick") {
    CHECK(mentions(compare_chronicles(expected, with(expected, "101 c", "101 d"), "a build"), "tick 101"));
}

TEST_CASE("chronicle: a chronicle of another level, an empty one and one that is too long differ") {
    CHECK(!compare_chronicles(expected, with(expected, "box", "pit"), "a build").empty());
    CHECK(!compare_chronicles(expected, "", "a build").empty());
    CHECK(!compare_chronicles(expected, "chronicle bounce box\n", "a build").empty());
    CHECK(!compare_chronicles(expected, expected + "102 dddddddddddddddd\n", "a build").empty());
}

TEST_CASE("chronicle: recording twice gives the same text, and a shorter recording is its beginning") {
    const auto whole = match::record_chronicle("bounce", "box", 250);
    const auto part = match::record_chronicle("bounce", "box", 120);
    REQUIRE(whole);
    REQUIRE(part);
    CHECK(whole->starts_with(*part));
    CHECK(*match::record_chronicle("bounce", "box", 250) == *whole);
    CHECK(mentions(*whole, "\n250 "));
    CHECK(mentions(*whole, "\n  balls.velocity.y "));
}

TEST_CASE("chronicle: a level that does not exist cannot be recorded") {
    CHECK(!match::record_chronicle("bounce", "nowhere"));
    CHECK(!match::record_chronicle("nothing", "box"));
}
