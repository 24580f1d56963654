// SPDX-License-Identifier: MIT
// The events of a world that has none of its own: players who come and go. And those of a world that has
// kinds of its own and needs to say no more of them than where, how hard, and whose.
#pragma once

#include <instep/contract/event_table.h>
#include <instep/contract/facts.h>
#include <instep/math/vec2.h>
#include <instep/state/field.h>

namespace instep::contract {

enum class BasicEventKind : std::uint8_t { joined, left };
constexpr auto events_of(state::Type<BasicEventKind>) {
    return event_table<BasicEventKind>({
        {BasicEventKind::joined, "joined", "$slot joined"},
        {BasicEventKind::left, "left", "$slot left"},
    });
}

// The table of kinds of events that `events_of(Type<Kind>)` returns.
template <class Kind>
    requires requires { events_of(state::Type<Kind>{}); }
inline constexpr auto event_table_of = events_of(state::Type<Kind>{});

struct BasicEvent {
    using Kind = BasicEventKind;
    BasicEventKind kind = BasicEventKind::joined;
    Slot slot = no_player;
    state::Reserved<6> unused;
};

constexpr auto fields_of(state::Type<BasicEvent>) {
    using state::field;
    return state::fields("Event",
                         field("kind", &BasicEvent::kind, {.labels = event_table_of<BasicEventKind>.labels}),
                         field("slot", &BasicEvent::slot), field("unused", &BasicEvent::unused));
}

// An event of one of the kinds in `events_of(Type<KindType>)`. Positions are at most `reach` from the origin,
// along each axis. If there are kinds `joined` and `left`, the engine adds these events itself.
template <class KindType, int reach>
struct EventOf {
    using Kind = KindType;
    math::Vec2 position;
    double strength = 0;  // how hard: the speed of an impact, the damage of a hit
    Kind kind{};
    Slot slot = no_player;
    Slot by = no_player;
    state::Reserved<5> unused;
};

template <class Kind, int reach>
constexpr auto fields_of(state::Type<EventOf<Kind, reach>>) {
    using state::field;
    using Event = EventOf<Kind, reach>;
    return state::fields(
        "Event", field("position", &Event::position, {.low = -reach, .high = reach, .precision = 0.01}),
        field("strength", &Event::strength, {.low = 0, .high = 1024, .precision = 0.1}),
        field("kind", &Event::kind, {.labels = event_table_of<Kind>.labels}), field("slot", &Event::slot),
        field("by", &Event::by), field("unused", &Event::unused));
}

}  // namespace instep::contract
