// SPDX-License-Identifier: MIT
// Before the session of a client with a token, in a cluster: its first message waits until the processes of
// the cluster agree that the token is used for the first time. A process alone needs no gate.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include <instep/server/connection.h>
#include <instep/server/mutex.h>
#include <instep/server/room_directory.h>
#include <instep/server/token.h>

namespace instep::server {

// `done` is called once, on any thread.
void spend_in_cluster(RoomDirectory& cluster, const Token& token,
                      std::function<void(const std::expected<void, Refusal>&)> done);

class TokenGate final : public SessionHandler {
public:
    // The references must outlive it. `session` spends the token here, as it does without a cluster.
    TokenGate(RoomDirectory& cluster, const TokenVerifier& tokens, Token token,
              std::unique_ptr<SessionHandler> session)
        : cluster_(cluster),
          token_(std::move(token)),
          inner_(std::make_shared<Inner>(tokens, std::move(session))) {}

    void opened(std::shared_ptr<Connection> connection) override;
    void received(codec::ByteView message) override;
    void closed(const CloseReason& reason) override;

private:
    // Outlives the gate while the cluster is asked: the answer comes on another thread, perhaps after the
    // connection is gone. Functions of the session are called with the mutex held, so one after the other.
    struct Inner {
        Inner(const TokenVerifier& verifier, std::unique_ptr<SessionHandler> handler)
            : tokens(verifier), session(std::move(handler)) {}
        const TokenVerifier& tokens;
        Mutex mutex;
        enum class Phase : std::uint8_t { shut, asking, open, closed } phase GUARDED_BY(mutex) = Phase::shut;
        std::unique_ptr<SessionHandler> session GUARDED_BY(mutex);
        std::vector<codec::Bytes> waiting GUARDED_BY(mutex);
    };
    // A client waits for its welcome before it sends more than a hello; what is beyond is dropped.
    static constexpr std::size_t most_waiting = 8;

    RoomDirectory& cluster_;
    const Token token_;
    const std::shared_ptr<Inner> inner_;
    std::weak_ptr<Connection> connection_;
};

}  // namespace instep::server
