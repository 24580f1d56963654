// SPDX-License-Identifier: MIT
// The rooms of a cluster as their leases have them, for one process: looks at leases in turn, and says which
// have expired. However many rooms there are, few looks are under way at a time, so that the appends of this
// process's own rooms, which share the connection, never wait behind them.
//
//     names      by SSCAN, page after page; a round begins when the one before is over
//     a lease    is looked at when it would expire, and at least once in `period`
//     released   rooms whose owner gave them up: names in a set of their own, since players wait for them
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include <instep/cluster/redis_rooms.h>
#include <instep/server/mutex.h>
#include <instep/server/room_directory.h>

namespace instep::cluster {

// A lease that has expired.
struct ExpiredRoom {
    std::shared_ptr<const server::RoomListing> room;
    bool is_released = false;  // by its owner, with a checkpoint after which there is no entry
};

class RoomWatch : public std::enable_shared_from_this<RoomWatch> {
public:
    static constexpr std::size_t most_rooms = 100'000;        // that are known
    static constexpr std::size_t most_looks = 64;             // under way
    static constexpr std::chrono::milliseconds interval{20};  // between calls of run()
    static constexpr std::chrono::milliseconds shortest_period{200};
    static constexpr std::size_t looks_per_second = 4000;  // beyond that the period grows
    static constexpr std::chrono::milliseconds listing_age{100};

    struct Events {
        std::function<void(const ExpiredRoom&)> expired;         // with each look that finds it so
        std::function<void(const std::string& room)> is_served;  // it has an owner, or has ended
    };

    // Events are called on the thread of Redis's answers, without a lock.
    RoomWatch(std::shared_ptr<RedisRooms> redis, std::chrono::milliseconds lease, Events events)
        : redis_(std::move(redis)), lease_(lease), events_(std::move(events)) {}

    // Rooms at this address are this process's own.
    void set_address(std::string address);
    // Sends what is due.
    void run(server::Time now);

    std::optional<std::string> find(const std::string& room) const;  // as RoomDirectory::find
    std::shared_ptr<const server::RoomListings> rooms() const;       // of other processes that live
    std::size_t looks_under_way() const;
    std::size_t known() const;

private:
    struct Row {
        std::shared_ptr<const server::RoomListing> room;  // null: not looked at yet
        bool is_elsewhere = false;                        // another process holds its lease, and renews it
        bool is_released = false;                         // its name is in the set of released ones
        std::uint64_t round = 0;                          // that its name was read in
        std::optional<server::Time> look_at;              // its entry in due_; empty: a look is under way
    };
    using Rows = std::map<std::string, Row>;

    void scan(const std::string& cursor);
    void add_page(const Reply& reply);
    void ask_released();
    void add_released(const Reply& reply);
    void look(const std::string& room);
    void update(const std::string& room, const Reply& reply);
    void forget(const std::string& room);
    Row* add(const std::string& name, server::Time look_at) REQUIRES(mutex_);
    void schedule(Rows::value_type& row, server::Time time) REQUIRES(mutex_);
    std::chrono::milliseconds period() const REQUIRES(mutex_);
    void end_round() REQUIRES(mutex_);

    const std::shared_ptr<RedisRooms> redis_;
    const std::chrono::milliseconds lease_;
    const Events events_;

    mutable server::Mutex mutex_;
    std::string address_ GUARDED_BY(mutex_);
    Rows rows_ GUARDED_BY(mutex_);
    std::set<std::pair<server::Time, std::string>> due_
        GUARDED_BY(mutex_);                     // rows in the order of their looks
    std::size_t looks_ GUARDED_BY(mutex_) = 0;  // under way
    std::uint64_t round_ GUARDED_BY(mutex_) = 0;
    bool is_scanning_ GUARDED_BY(mutex_) = false;
    server::Time next_scan_ GUARDED_BY(mutex_) = server::Time::min();
    bool is_asking_released_ GUARDED_BY(mutex_) = false;
    mutable bool is_changed_ GUARDED_BY(mutex_) = false;  // since the listings were made
    mutable server::Time listed_at_ GUARDED_BY(mutex_){};
    mutable std::shared_ptr<const server::RoomListings> listings_ GUARDED_BY(mutex_) =
        std::make_shared<const server::RoomListings>();
};

}  // namespace instep::cluster
