// SPDX-License-Identifier: MIT
// Where a room's ticks are kept, so that another process can go on with the room when this one dies. The room
// appends the ticks of each snapshot, steps on at once, and sends the snapshot when they are committed
// (docs/decisions/cluster.md). src/cluster keeps journals in Redis; without a cluster a room has none.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include <instep/codec/bytes.h>
#include <instep/server/loop.h>

namespace instep::server {

// What a room does when its lease may have run out and nothing is received from the journal.
enum class OnJournalLoss : std::uint8_t {
    pause,        // stands still until the journal is back and the room still ours
    unprotected,  // plays on: if another process has the room, clients see two versions of it
};

class RoomJournal {
public:
    struct Status {
        std::uint64_t committed = 0;  // messages of ticks up to this one may be sent
        bool needs_checkpoint =
            false;               // before anything else is kept: the room is new, or something was lost
        bool is_fenced = false;  // another process owns the room, for good
        std::string owner;       // that process's address, if it is known
        // Until then no other process can own the room, by this process's clock. Min: it is not ours yet.
        Time leased_until = Time::min();
    };

    virtual ~RoomJournal() = default;
    // All functions return at once. `changed` is called on any thread when the status has changed.
    using Changed = std::function<void(const Status&)>;
    virtual void open(Changed changed) = 0;
    virtual Status status() const = 0;
    virtual OnJournalLoss on_loss() const = 0;
    // Ticks `first` to `last`, which follow the ones before. Dropped while a checkpoint is needed.
    virtual void append(std::uint64_t first, std::uint64_t last, codec::Bytes entry) = 0;
    // The room after this tick. `make_image` is called on another thread.
    virtual void checkpoint(std::uint64_t tick, std::function<codec::Bytes()> make_image) = 0;
    // What the directory says of the room (JSON); extends the lease.
    virtual void renew(std::string info) = 0;
    // The room stands still after this tick, and another process goes on with it. When it does, or after a
    // bounded time, the status is fenced.
    virtual void release(std::uint64_t tick, std::function<codec::Bytes()> make_image) = 0;
    // The room has ended; no process goes on with it.
    virtual void close() = 0;
};

}  // namespace instep::server
