// SPDX-License-Identifier: MIT
#include <instep/server/player_numbers.h>

#include <doctest/doctest.h>

#include <set>
#include <string>

using namespace instep::server;

TEST_CASE("player numbers: the same player gets the same number, another player another one") {
    PlayerNumbers numbers;
    const std::uint32_t first = numbers.number_of(PlayerId::resume_key("a"));
    const std::uint32_t second = numbers.number_of(PlayerId::resume_key("b"));
    CHECK(first != 0);
    CHECK(second != first);
    CHECK(numbers.number_of(PlayerId::token("a")) != first);  // a chosen key is no token
    CHECK(numbers.number_of(PlayerId::resume_key("a")) == first);
    CHECK(numbers.number_of(PlayerId::resume_key("b")) == second);
}

TEST_CASE("player numbers: an anonymous player has none") {
    PlayerNumbers numbers;
    CHECK(numbers.number_of(PlayerId::anonymous()) == 0);
}

TEST_CASE("player numbers: the limit forgets those who joined the longest ago, and no number is used twice") {
    PlayerNumbers numbers;
    std::set<std::uint32_t> seen;
    const std::uint32_t regular = numbers.number_of(PlayerId::resume_key("regular"));
    seen.insert(regular);
    for (std::size_t i = 0; i < 3 * PlayerNumbers::most; ++i) {
        CHECK(seen.insert(numbers.number_of(PlayerId::resume_key(std::to_string(i)))).second);
        if (i % 100 == 0) CHECK(numbers.number_of(PlayerId::resume_key("regular")) == regular);
    }
    CHECK(seen.insert(numbers.number_of(PlayerId::resume_key("0"))).second);  // forgotten: as a new player
}
