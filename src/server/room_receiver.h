// SPDX-License-Identifier: MIT
// Takes rooms from another process, in two steps: so that a room is played by one process at any time, a room
// that has come does not tick until the other process has given it up.
//
//     prepare ─► start       the other process has given the room up; it goes on here
//             └► cancel      or nothing arrives for `most_waiting`: the room is dropped
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <string>

#include <instep/server/lobby.h>

namespace instep::server {

// All functions may be called from any thread, but prepare() takes long.
class RoomReceiver {
public:
    static constexpr std::size_t most_prepared = 64;   // at a time
    static constexpr std::size_t most_started = 4096;  // that are remembered
    static constexpr std::chrono::seconds default_wait{15};
    using Id = std::string;  // random, so that a process does not know those of another
    template <class T>
    using Answer = std::expected<T, Refusal>;

    RoomReceiver(Lobby& lobby, Metrics& metrics, Log& log,
                 std::chrono::milliseconds most_waiting = default_wait)
        : lobby_(lobby), metrics_(metrics), log_(log), most_waiting_(most_waiting) {}

    // Reads and checks any bytes, and makes the room. It replaces one of the same name that waits: its sender
    // did not get the answer, and tries again.
    Answer<Id> prepare(codec::ByteView image);
    Answer<void> start(const Id& id);
    // True: it has been started, and can no longer be cancelled. False: it is not played here, and never will
    // be.
    bool cancel(const Id& id);
    // Drops rooms that have waited for too long; also done by the functions above.
    void drop_expired();

private:
    struct Prepared {
        Lobby::RoomPtr room;
        Time until;
        std::uint64_t tick = 0;
        std::uint64_t hash = 0;
    };
    void drop_expired(Time now) REQUIRES(mutex_);
    void drop_named(const std::string& room);

    Lobby& lobby_;
    Metrics& metrics_;
    Log& log_;
    const std::chrono::milliseconds most_waiting_;
    Mutex mutex_;
    std::map<Id, Prepared> prepared_ GUARDED_BY(mutex_);
    std::deque<Id> started_ GUARDED_BY(mutex_);  // the latest, oldest first
};

}  // namespace instep::server
