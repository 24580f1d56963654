// SPDX-License-Identifier: MIT
// The states of the stream of snapshots to one client, as a table. docs/protocol-states.md draws it, and a
// test compares the drawing with the table and walks every row.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include <instep/net/link_kind.h>

namespace instep::net {

enum class StreamState : std::uint8_t {
    awaiting_keyframe,        // the client has no baseline that the server relies on; the next snapshot is a
                              // keyframe
    streaming,                // a delta's baseline is the last snapshot that was sent
    delta_from_acknowledged,  // after a loss: a delta's baseline is the newest snapshot that the client
                              // acknowledged
    link_full,                // the client misses snapshots until its link has drained
    leaving,                  // the player leaves with the next tick
};

enum class StreamEvent : std::uint8_t {
    keyframe_sent,
    keyframe_sent_after_loss,  // a loss was reported less than `loss_memory` ago
    link_filled,
    link_drained,
    loss_reported,            // the client could not decode a snapshot
    keyframe_needed,          // ... and no delta can help it, and no keyframe is on its way
    acknowledged_after_loss,  // a snapshot that can be a baseline
    loss_forgotten,           // `loss_memory` has passed
    cell_changed,             // the client's player moved to another interest cell, which has another stream
    left,
};

struct Transition {
    LinkKind link;
    StreamState from;
    StreamEvent event;
    StreamState to;
};

// An event without a row in a state leaves it as it is.
inline constexpr auto transitions = [] {
    using enum StreamState;
    using enum StreamEvent;
    constexpr LinkKind ordered = LinkKind::ordered;
    constexpr LinkKind datagram = LinkKind::datagram;
    return std::to_array<Transition>({
        {ordered, awaiting_keyframe, keyframe_sent, streaming},
        {ordered, awaiting_keyframe, link_filled, link_full},
        {ordered, awaiting_keyframe, left, leaving},
        {ordered, streaming, link_filled, link_full},
        {ordered, streaming, keyframe_needed, awaiting_keyframe},
        {ordered, streaming, cell_changed, awaiting_keyframe},
        {ordered, streaming, left, leaving},
        {ordered, link_full, link_drained, awaiting_keyframe},
        {ordered, link_full, left, leaving},

        {datagram, awaiting_keyframe, keyframe_sent, streaming},
        {datagram, awaiting_keyframe, keyframe_sent_after_loss, delta_from_acknowledged},
        {datagram, awaiting_keyframe, acknowledged_after_loss, delta_from_acknowledged},
        {datagram, awaiting_keyframe, left, leaving},
        {datagram, streaming, loss_reported, delta_from_acknowledged},
        {datagram, streaming, keyframe_needed, awaiting_keyframe},
        {datagram, streaming, left, leaving},
        {datagram, delta_from_acknowledged, loss_forgotten, streaming},
        {datagram, delta_from_acknowledged, keyframe_needed, awaiting_keyframe},
        {datagram, delta_from_acknowledged, left, leaving},
    });
}();

std::string_view name_of(StreamState state);
std::string_view name_of(StreamEvent event);

class StreamMachine {
public:
    explicit StreamMachine(LinkKind link) : link_(link) {}

    LinkKind link() const { return link_; }
    StreamState state() const { return state_; }
    // False if the event has no row in this state.
    bool apply(StreamEvent event);

private:
    LinkKind link_;
    StreamState state_ = StreamState::awaiting_keyframe;
};

}  // namespace instep::net
