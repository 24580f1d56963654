// SPDX-License-Identifier: MIT
// Goes on with rooms whose process died: a few at a time, on a thread of its own. Other processes take the
// rooms that wait here.
//
//     waiting ─► checked ─► taken ─► restored ─► open
//                  │           │        └► given back: the lease ends at once, and others may try
//                  └───────────┴► tried again after a pause, which doubles
//
// The limit of rooms and the build are checked before a lease is taken. While a room is restored its lease is
// renewed.
#pragma once

#include <chrono>
#include <deque>
#include <map>
#include <memory>
#include <string>

#include <instep/cluster/room_lease.h>
#include <instep/cluster/room_watch.h>
#include <instep/server/disk_queue.h>
#include <instep/server/lobby.h>

namespace instep::cluster {

class TakeOver : public std::enable_shared_from_this<TakeOver> {
public:
    // One room is restored at a time; the leases of the next ones are on their way meanwhile. With more,
    // rooms would wait here that another process could restore.
    static constexpr std::size_t most_at_once = 3;
    static constexpr std::size_t most_waiting = 1024;
    static constexpr std::chrono::milliseconds first_pause{500};
    static constexpr std::chrono::milliseconds last_pause{30'000};
    static constexpr std::chrono::milliseconds renew_interval{300};

    TakeOver(std::shared_ptr<RedisRooms> redis, server::Loop& loop, server::Lobby& lobby,
             server::Metrics& metrics, server::Log& log);

    // Before the first offer: what the leases of taken rooms say.
    void set_lease(LeaseConfig lease);
    // From any thread; return at once.
    void offer(const ExpiredRoom& room);
    void forget(const std::string& room);  // it has an owner, or has ended: the next failure is the first
    void renew(server::Time now);          // leases of rooms that are being restored, when it is time
    void drain();                          // takes no more
    std::size_t under_way() const;         // at most most_at_once

private:
    struct Job {
        ExpiredRoom room;
        std::string holder;
        std::uint64_t epoch = 0;  // 0: not taken yet
        server::Time sent;        // the last renewal of its lease that succeeded
        bool is_fenced = false;
        bool is_hosted = false;  // counts as a room of this server from when it is checked
    };
    struct Failure {
        std::chrono::milliseconds pause{0};
        server::Time next;
    };

    void begin_some() REQUIRES(mutex_);
    void check(const std::shared_ptr<Job>& job);
    void take(const std::shared_ptr<Job>& job);
    void taken(const std::shared_ptr<Job>& job, server::Time sent, const Reply& reply);
    void restore(const std::shared_ptr<Job>& job, const Reply& reply);
    state::Result<std::uint64_t> open_room(const std::shared_ptr<Job>& job, const Reply& reply);
    void end(const std::shared_ptr<Job>& job);
    void fail(const std::shared_ptr<Job>& job, const std::string& why);

    const std::shared_ptr<RedisRooms> redis_;
    server::Loop& loop_;
    server::Lobby& lobby_;
    server::Metrics& metrics_;
    server::Log& log_;

    mutable server::Mutex mutex_;
    LeaseConfig lease_ GUARDED_BY(mutex_);
    bool is_draining_ GUARDED_BY(mutex_) = false;
    std::deque<ExpiredRoom> waiting_ GUARDED_BY(mutex_);
    std::map<std::string, std::shared_ptr<Job>> jobs_ GUARDED_BY(mutex_);
    std::map<std::string, Failure> failures_ GUARDED_BY(mutex_);
    server::Time next_renewal_ GUARDED_BY(mutex_){};
    server::DiskQueue thread_;  // last: its tasks use the others, and it waits for them
};

}  // namespace instep::cluster
