// SPDX-License-Identifier: MIT
// How an event is told to people who watch: a sentence, and how it feels. A world has one for each kind of
// its events, so that a page or a terminal that knows no world can tell of it.
#pragma once

#include <cstdint>
#include <string_view>

namespace instep::contract {

enum class Mood : std::uint8_t {
    plain,
    slight,  // a touch, a landing
    good,
    hurt,
    grave,  // a life that ends
};
inline constexpr std::string_view mood_names[] = {"plain", "slight", "good", "hurt", "grave"};

struct Telling {
    // "$slot" and "$by" are the names of those players; what is in [ ] is left out if there is no such
    // player. Empty: it happens too often to be told in words.
    std::string_view words;
    Mood mood = Mood::plain;
};

}  // namespace instep::contract
