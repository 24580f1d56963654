// SPDX-License-Identifier: MIT
// The server's side of one client of the original game, in a room: answers its packets, and tells it after
// each tick of all living players. A compatibility layer (contract/original_protocol.h); the room does not
// know it. The original's server sends before it steps (section 12); a room sends states of whole ticks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <flail/original_protocol.h>
#include <flail/state.h>
#include <instep/contract/original_protocol.h>
#include <instep/state/pool.h>

namespace instep::worlds::flail::original {

class Session {
public:
    static constexpr std::string_view level = "original";
    // Of a client that spawns without one.
    static constexpr std::string_view default_name = "player";

    explicit Session(const Setup& setup) : map_size_(setup.map.size) {}

    state::Result<contract::OriginalRequest<Input>> receive(std::span<const std::byte> message,
                                                            contract::OriginalMessages& out);
    void update(const State& state, const Setup& setup, Slot own, contract::OriginalMessages& out);

private:
    struct Known {
        state::Handle player;
        std::uint16_t id = 0;     // that this client knows it by
        bool is_created = false;  // the client has been told
        bool is_there = false;    // in the current update
    };

    Known& find_or_add(state::Handle player);
    std::uint16_t unused_id();
    void tell_own_id(const Known& own, contract::OriginalMessages& out);

    double map_size_;
    bool answered_ping_ = false;
    state::Handle own_;         // whose id the client was told
    std::uint16_t own_id_ = 0;  // 0: none
    std::uint16_t last_id_ = 0;
    std::vector<Known> known_;
};

// A player as an update has it; its name only if it is created.
Entity entity_of(const Player& player, const Setup& setup, std::uint16_t id, EntityKind kind);

}  // namespace instep::worlds::flail::original
