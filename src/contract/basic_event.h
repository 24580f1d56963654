// SPDX-License-Identifier: MIT
// The events of a world that has none of its own: players who come and go.
#pragma once

#include <instep/contract/event_table.h>
#include <instep/contract/facts.h>
#include <instep/state/field.h>

namespace instep::contract {

enum class BasicEventKind : std::uint8_t { joined, left };
inline constexpr auto basic_event_kinds = event_table<BasicEventKind>({
    {BasicEventKind::joined, "joined", "$slot joined"},
    {BasicEventKind::left, "left", "$slot left"},
});

struct BasicEvent {
    BasicEventKind kind = BasicEventKind::joined;
    Slot slot = no_player;
    state::Reserved<6> unused;
};

constexpr auto fields_of(state::Type<BasicEvent>) {
    using state::field;
    return state::fields("Event", field("kind", &BasicEvent::kind, {.labels = basic_event_kinds.labels}),
                         field("slot", &BasicEvent::slot), field("unused", &BasicEvent::unused));
}

}  // namespace instep::contract
