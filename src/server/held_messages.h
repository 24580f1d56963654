// SPDX-License-Identifier: MIT
// Messages of a room that wait until their ticks are in its journal. The room adds them on its strand; the
// thread that gets the journal's answer sends them, so that no other thread has to be woken for it.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <instep/server/connection.h>
#include <instep/server/mutex.h>

namespace instep::server {

class HeldMessages {
public:
    void add(std::uint64_t tick, const std::shared_ptr<Connection>& to, codec::ByteView message) {
        const LockGuard lock(mutex_);
        if (batches_.empty() || batches_.back().tick != tick) begin_batch(tick);
        Batch& batch = batches_.back();
        batch.bytes.insert(batch.bytes.end(), message.begin(), message.end());
        batch.messages.emplace_back(to, message.size());
    }
    // Those of ticks up to this one, in the order in which they were added.
    void send_until(std::uint64_t tick) {
        const LockGuard lock(mutex_);
        while (!batches_.empty() && batches_.front().tick <= tick) {
            codec::ByteView rest = batches_.front().bytes;
            for (const auto& [connection, size] : batches_.front().messages) {
                connection->send(rest.first(size));
                rest = rest.subspan(size);
            }
            end_batch();
        }
    }
    void clear() {
        const LockGuard lock(mutex_);
        batches_.clear();
    }
    // The tick whose messages have waited longest.
    std::optional<std::uint64_t> oldest() const {
        const LockGuard lock(mutex_);
        return batches_.empty() ? std::nullopt : std::optional(batches_.front().tick);
    }

private:
    struct Batch {
        std::uint64_t tick = 0;
        codec::Bytes bytes;  // of all messages, one after the other
        std::vector<std::pair<std::shared_ptr<Connection>, std::size_t>> messages;  // to whom, and the size
    };
    static constexpr std::size_t most_spare = 2;  // appends under way, mostly

    void begin_batch(std::uint64_t tick) REQUIRES(mutex_) {
        batches_.emplace_back();
        if (!spare_.empty()) {
            batches_.back() = std::move(spare_.back());
            spare_.pop_back();
        }
        batches_.back().tick = tick;
    }
    // Its memory is kept for a later one.
    void end_batch() REQUIRES(mutex_) {
        if (spare_.size() < most_spare) {
            batches_.front().bytes.clear();
            batches_.front().messages.clear();
            spare_.push_back(std::move(batches_.front()));
        }
        batches_.pop_front();
    }

    mutable Mutex mutex_;
    std::deque<Batch> batches_ GUARDED_BY(mutex_);
    std::vector<Batch> spare_ GUARDED_BY(mutex_);
};

}  // namespace instep::server
