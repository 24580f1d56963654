// SPDX-License-Identifier: MIT
// The handler of a WebSocket of a client that comes for a room that has moved: it is told where, and closed.
#pragma once

#include <memory>

#include <instep/net/messages.h>
#include <instep/server/connection.h>

namespace instep::server {

class MovedSession final : public SessionHandler {
public:
    explicit MovedSession(const net::Moved& moved) : moved_(moved) {}

    void opened(std::shared_ptr<Connection> connection) override {
        codec::Bytes message;
        net::write(moved_, message);
        connection->send(message);
        connection->close();
    }
    void received(codec::ByteView) override {}
    void closed(const CloseReason&) override {}

private:
    net::Moved moved_;
};

}  // namespace instep::server
