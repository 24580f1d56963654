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
    datagram,  // anything may be lost, doubled or overtaken
};

// Chosen once for a room, for all in it.
enum class ReplicationMode : std::uint8_t {
    snapshots,  // told states are rounded, and corrected where the step did not foresee what happened
    relay,      // told states are exact: inputs are all it takes. Small, but a step that drifts is a desync
};

constexpr std::string_view name_of(LinkKind link) {
    switch (link) {
        case LinkKind::ordered: return "ordered";
        case LinkKind::datagram: return "datagram";
    }
    std::unreachable();
}
constexpr std::string_view name_of(ReplicationMode room) {
    switch (room) {
        case ReplicationMode::snapshots: return "snapshots";
        case ReplicationMode::relay: return "relay";
    }
    std::unreachable();
}

// Nothing for any other name.
template <class Kind>
constexpr std::optional<Kind> kind_named(std::string_view name) {
    for (const Kind kind : {Kind{0}, Kind{1}})  // there are two of either
        if (name_of(kind) == name) return kind;
    return {};
}

// What a room of this level is, unless somebody asks for the other.
constexpr ReplicationMode default_replication(const contract::Facts& facts) {
    return facts.relays_inputs ? ReplicationMode::relay : ReplicationMode::snapshots;
}

}  // namespace instep::net
