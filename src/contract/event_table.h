// SPDX-License-Identifier: MIT
// The kinds of a world's events, one row each: its label in data, its text for people and its mood. A page or
// a terminal that knows no world shows events by this table alone. A kind without a row does not compile.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <instep/state/enum_names.h>

namespace instep::contract {

enum class Mood : std::uint8_t {
    plain,
    slight,  // a touch, a landing
    good,
    hurt,
    grave,  // a life ends
};
inline constexpr std::string_view mood_names[] = {"plain", "slight", "good", "hurt", "grave"};

struct EventText {
    // "$slot" and "$by" stand for the names of those players; the part in [ ] is left out if there is no such
    // player. An empty text is for events too frequent to be put into words.
    std::string_view text;
    Mood mood = Mood::plain;
};

template <class Kind>
struct EventRow {
    Kind kind;
    std::string_view label;
    std::string_view text = {};
    Mood mood = Mood::plain;
};

template <std::size_t N>
struct EventTable {
    std::array<std::string_view, N> labels{};  // of the field `kind` of an Event
    std::array<EventText, N> texts{};
};

namespace detail {

void event_rows_are_not_in_the_order_of_the_enum();  // never defined: a call of it does not compile

}  // namespace detail

// The rows in the order of the enum, whose values count from 0.
template <class Kind, std::size_t N>
consteval EventTable<N> event_table(const EventRow<Kind> (&rows)[N]) {
    static_assert(!state::detail::has_name<static_cast<Kind>(N)>(),
                  "an event table has one row for each kind: the kinds after the last row are missing");
    EventTable<N> table;
    for (std::size_t i = 0; i < N; ++i) {
        if (rows[i].kind != static_cast<Kind>(i)) detail::event_rows_are_not_in_the_order_of_the_enum();
        table.labels[i] = rows[i].label;
        table.texts[i] = {rows[i].text, rows[i].mood};
    }
    return table;
}

}  // namespace instep::contract
