// SPDX-License-Identifier: MIT
// The original's server, as a client sees it: connections, living players, and what each client knows. Like
// the protocol a compatibility layer, not how our rooms work. A tick goes through the players in the order in
// which they connected, and for each first sends, then steps: so each client gets its own player as it was
// before the tick, and players that connected earlier as they are after it (section 12).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <flail/original_protocol.h>
#include <flail/state.h>
#include <instep/state/result.h>

namespace instep::worlds::flail::original {

struct Message {
    std::uint16_t to = 0;
    std::vector<std::byte> bytes;
    friend bool operator==(const Message&, const Message&) = default;
};

class Session {
public:
    // The rules of the physics; the game's additions do not matter here.
    explicit Session(const Setup& setup = {}) : setup_(setup) {}

    // The id of the new connection, from 1 up. Refuses once setup.map.most_players are connected.
    state::Result<std::uint16_t> connect();
    void disconnect(std::uint16_t id);

    // Takes one message of a client; returns the answers in order. On refusal nothing has
    // changed.
    state::Result<std::vector<Message>> receive(std::uint16_t id, std::span<const std::byte> message);

    // One tick of all players; returns the updates to send, in order.
    std::vector<Message> tick();

    // Null if no client with this id is connected.
    const Player* player(std::uint16_t id) const;

private:
    struct Client {
        std::uint16_t id = 0;
        bool answered_ping = false;
        bool alive = false;
        std::u16string name;
        Player player;
        std::vector<std::uint16_t> known;  // ids of those that the client knows of
    };

    Client* find(std::uint16_t id);
    Update update_for(Client& client) const;

    Setup setup_;
    std::vector<Client> clients_;  // in the order in which they connected
    std::uint16_t last_id_ = 0;
};

// A player as an update has it.
Entity entity_of(const Player& player, const Setup& setup, std::uint16_t id, EntityKind kind,
                 std::u16string_view name);

}  // namespace instep::worlds::flail::original
