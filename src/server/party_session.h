// SPDX-License-Identifier: MIT
// The handler of a WebSocket of a member of a party, in a cluster: the client is told in which room and where
// its party plays, perhaps here, and closed.
#pragma once

#include <memory>
#include <string>

#include <instep/net/messages.h>
#include <instep/server/connection.h>
#include <instep/server/room_directory.h>

namespace instep::server {

class PartySession final : public SessionHandler {
public:
    // `cluster` must outlive it. Address and room are this process's proposal.
    PartySession(RoomDirectory& cluster, std::string party, std::string address, std::string room)
        : cluster_(cluster), party_(std::move(party)), address_(std::move(address)), room_(std::move(room)) {}

    void opened(std::shared_ptr<Connection> connection) override {
        cluster_.place_party(
            party_, address_, room_,
            [weak = std::weak_ptr(connection)](const std::optional<net::Moved>& moved) {
                const auto client = weak.lock();
                if (!client) return;
                if (!moved)
                    return client->refuse(
                        {RefusalReason::stopping,
                         "the cluster's Redis does not answer, so it is not known where your "
                         "party plays; try again in a moment"});
                codec::Bytes message;
                net::write(*moved, message);
                client->send(message);
                client->close();
            });
    }
    void received(codec::ByteView) override {}
    void closed(const CloseReason&) override {}

private:
    RoomDirectory& cluster_;
    const std::string party_;
    const std::string address_;
    const std::string room_;
};

}  // namespace instep::server
