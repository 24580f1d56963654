// SPDX-License-Identifier: MIT
// Empties a server before it stops: no room is opened and no player joins, and each room is handed to another
// process, or plays on until all have left it. A room that the other process does not take goes on here, and
// is offered again.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <string>

#include <instep/server/lobby.h>
#include <instep/server/room_carrier.h>

namespace instep::server {

class Drain : public std::enable_shared_from_this<Drain> {
public:
    // Rooms on their way at a time: more would stand still for longer.
    static constexpr std::size_t most_at_once = 4;
    // The next room waits this long for each player of the one before, since all of those connect at once:
    // 640 players that came within a second kept rooms standing still for a second.
    static constexpr std::chrono::milliseconds pause_per_player{5};
    // Between two offers of a room that was not taken; each pause is twice as long as the one before.
    static constexpr std::chrono::milliseconds first_pause{500};
    static constexpr std::chrono::milliseconds longest_pause{8000};

    struct Status {
        bool is_draining = false;
        std::size_t rooms = 0;    // still here
        std::uint64_t moved = 0;  // to the other process
        std::uint64_t refused = 0;
        // Rooms are left that are on their way, have not been offered yet, or are offered again: a successor
        // may be full or busy for a moment, and a room that it never takes ends with this process.
        bool is_moving = false;
        std::string message;  // why a room, or all of them, were not taken the last time
    };

    Drain(Loop& loop, Lobby& lobby, Log& log, std::chrono::milliseconds patience)
        : strand_(loop), lobby_(lobby), log_(log), patience_(patience) {}

    // A null carrier: rooms play on here until all have left. Called again, it replaces the carrier.
    void begin(std::shared_ptr<RoomCarrier> carrier);
    Status status() const;

private:
    struct Attempt {
        bool is_on_its_way = false;
        std::chrono::milliseconds pause{0};
        Time next{};
    };

    std::optional<Time> run();
    void open();
    void opened(const std::expected<void, std::string>& result);
    void hand_over_some(Time now);
    void ended(const std::string& room, const RoomCarrier::Outcome& outcome);
    void refused(const std::string& message);
    Time next_try(Attempt& attempt) const;

    Strand strand_;
    Lobby& lobby_;
    Log& log_;
    const std::chrono::milliseconds patience_;  // with a successor that does not take a room

    // On the strand.
    Time began_{};
    std::shared_ptr<RoomCarrier> carrier_;
    Attempt opening_;
    bool is_open_ = false;     // the carrier
    bool is_refused_ = false;  // when it was opened the last time
    std::size_t on_their_way_ = 0;
    Time next_room_{};
    std::map<std::string, Attempt> attempts_;

    mutable Mutex mutex_;
    Status status_ GUARDED_BY(mutex_);
};

}  // namespace instep::server
