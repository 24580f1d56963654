// SPDX-License-Identifier: MIT
// The handler of one WebSocket of a player or a watcher.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include <instep/server/room.h>
#include <instep/server/token.h>

namespace instep::server {

// Holds neither its room nor its connection: the room owns the connection, and the connection owns this.
class PlayerSession final : public SessionHandler {
public:
    // Where the room went, if it ended because another server has it.
    using FindMove = std::function<std::optional<net::Moved>()>;

    // `id` is a reservation of the room's inbox. `ticket` goes into the welcome. The token is used up last,
    // when nothing else can refuse the client.
    PlayerSession(const std::shared_ptr<Room>& room, ConnectionId id, std::string ticket,
                  std::optional<PendingToken> token, FindMove find_move, Protocol protocol = Protocol::instep)
        : room_(room),
          id_(id),
          ticket_(std::move(ticket)),
          token_(std::move(token)),
          find_move_(std::move(find_move)),
          protocol_(protocol) {}

    void opened(std::shared_ptr<Connection> connection) override { connection_ = connection; }
    // The first message must be a hello; the others go to the room. Original protocols have no hello, and all
    // messages go to the room.
    void received(codec::ByteView message) override;
    void closed(const CloseReason& reason) override;

private:
    void enter(Room& room, codec::ByteView message);
    bool enter(Room& room, const net::Hello& hello);
    void turn_away();
    void refuse(RefusalReason reason, const std::string& why);

    std::weak_ptr<Room> room_;
    ConnectionId id_;
    std::string ticket_;
    std::optional<PendingToken> token_;
    FindMove find_move_;
    Protocol protocol_;
    std::weak_ptr<Connection> connection_;  // exists during each call
    bool has_entered_ = false;
};

}  // namespace instep::server
