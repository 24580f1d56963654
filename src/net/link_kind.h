// SPDX-License-Identifier: MIT
// The two kinds of links, and the two ways in which a room is replicated.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include <instep/contract/facts.h>

namespace instep::net {

enum class LinkKind : std::uint8_t {
    ordered,   // everything arrives, in order (WebSocket)
    datagram,  // anything may be lost, duplicated or overtaken
};

// Chosen once for a room.
enum class ReplicationMode : std::uint8_t {
    snapshots,  // the replicated state is rounded, and corrected where the prediction missed
    relay,  // the replicated state is exact: deltas hold inputs only. Smallest, but clients must step every
            // tick
};

constexpr std::string_view name_of(LinkKind link) {
    switch (link) {
        case LinkKind::ordered: return "ordered";
        case LinkKind::datagram: return "datagram";
    }
    std::unreachable();
}
constexpr std::string_view name_of(ReplicationMode mode) {
    switch (mode) {
        case ReplicationMode::snapshots: return "snapshots";
        case ReplicationMode::relay: return "relay";
    }
    std::unreachable();
}

// Empty for any other name.
template <class Kind>
constexpr std::optional<Kind> kind_named(std::string_view name) {
    for (const Kind kind : {Kind{0}, Kind{1}})  // each has two values
        if (name_of(kind) == name) return kind;
    return {};
}

// The mode of a level's rooms, unless the caller chooses the other.
constexpr ReplicationMode default_replication(const contract::Facts& facts) {
    return facts.relays_inputs ? ReplicationMode::relay : ReplicationMode::snapshots;
}

}  // namespace instep::net
