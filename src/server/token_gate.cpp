// SPDX-License-Identifier: MIT
#include <instep/server/token_gate.h>

#include <utility>

#include <instep/net/messages.h>

namespace instep::server {

void spend_in_cluster(RoomDirectory& cluster, const Token& token,
                      std::function<void(const std::expected<void, Refusal>&)> done) {
    using Spent = RoomDirectory::Spent;
    const std::chrono::milliseconds valid_for{token.expires - milliseconds_since_1970()};
    cluster.spend(token.signature, valid_for, [done = std::move(done)](Spent spent) {
        if (spent == Spent::now) return done({});
        if (spent == Spent::before)
            return done(refuse(RefusalReason::token_refused, "the token was used before; ask for a new one"));
        done(refuse(RefusalReason::stopping,
                    "the cluster's Redis does not answer, so it is not known whether the token was used; try "
                    "again in a moment"));
    });
}

void TokenGate::opened(std::shared_ptr<Connection> connection) {
    connection_ = connection;
    const LockGuard lock(inner_->mutex);
    inner_->session->opened(std::move(connection));
}

void TokenGate::received(codec::ByteView message) {
    {
        const LockGuard lock(inner_->mutex);
        if (inner_->phase == Inner::Phase::open) return inner_->session->received(message);
        if (inner_->waiting.size() < most_waiting)
            inner_->waiting.emplace_back(message.begin(), message.end());
        if (std::exchange(inner_->phase, Inner::Phase::asking) != Inner::Phase::shut) return;
    }
    spend_in_cluster(cluster_, token_,
                     [&cluster = cluster_, token = token_, inner = inner_,
                      weak = connection_](const std::expected<void, Refusal>& spent) {
                         const auto connection = weak.lock();  // exists during each call of the session
                         const LockGuard lock(inner->mutex);
                         const bool is_gone = !connection || inner->phase == Inner::Phase::closed;
                         if (is_gone || !spent) {
                             if (spent) cluster.give_back(token.signature);
                             if (is_gone) return;
                             codec::Bytes refusal;
                             net::write_refusal(spent.error().message, refusal);
                             connection->send(refusal);
                             return connection->refuse(spent.error());
                         }
                         inner->phase = Inner::Phase::open;
                         for (const codec::Bytes& held : inner->waiting) inner->session->received(held);
                         inner->waiting.clear();
                         // The session refused its client for something else, so the token is good again.
                         if (!inner->tokens.is_spent(token)) cluster.give_back(token.signature);
                     });
}

void TokenGate::closed(const CloseReason& reason) {
    const LockGuard lock(inner_->mutex);
    inner_->phase = Inner::Phase::closed;
    inner_->session->closed(reason);
}

}  // namespace instep::server
