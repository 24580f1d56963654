// SPDX-License-Identifier: MIT
// A room's journal in Redis, and its lease. Once fenced it never writes again.
//
//     unclaimed ──checkpoint──► attached ◄──checkpoint── detached      any ──FENCED──► fenced
//                                  └───────lost, GAP────────►┘
//
// A checkpoint is asked for at once after the first loss, and after pauses while Redis goes on refusing.
#pragma once

#include <memory>
#include <vector>

#include <instep/cluster/redis_rooms.h>
#include <instep/server/mutex.h>
#include <instep/server/room_journal.h>

namespace instep::cluster {

struct LeaseConfig {
    std::chrono::milliseconds length{1500};
    server::OnJournalLoss on_loss = server::OnJournalLoss::pause;
    std::string address;  // of this process
};

// What one owner of one room calls itself, once.
std::string make_holder();

class RoomLease final : public server::RoomJournal, public std::enable_shared_from_this<RoomLease> {
public:
    // Of a new room: epoch 0. Of one that was taken over: as the script answered, `sent` before it was asked.
    RoomLease(std::shared_ptr<RedisRooms> redis, server::Loop& loop, std::string room, LeaseConfig config,
              std::string holder, std::uint64_t epoch = 0, std::uint64_t tick = 0,
              server::Time sent = server::Time::min());

    void open(Changed changed) override;
    Status status() const override;
    server::OnJournalLoss on_loss() const override { return config_.on_loss; }
    void append(std::uint64_t first, std::uint64_t last, codec::Bytes entry) override;
    void checkpoint(std::uint64_t tick, std::function<codec::Bytes()> make_image) override;
    void renew(std::string info) override;
    void release(std::uint64_t tick, std::function<codec::Bytes()> make_image) override;
    void close() override;

private:
    enum class Phase : std::uint8_t { unclaimed, detached, attaching, attached, fenced };
    struct Entry {
        std::uint64_t first;
        std::uint64_t last;
        std::string bytes;
    };

    void send_checkpoint(std::uint64_t tick, std::string image, std::uint64_t attempt, bool attaches)
        EXCLUDES(mutex_);
    void send_append(Entry entry) REQUIRES(mutex_);
    // Answers that say how far the journal reaches, or why not.
    RedisClient::Answer commits(std::uint64_t attempt);
    void lose(const Reply& reply, std::uint64_t attempt) EXCLUDES(mutex_);
    void detach() REQUIRES(mutex_);
    void send_release(std::uint64_t tick, std::string image);
    void find_owner(server::Time until);
    void tell_changed() const;
    Command owner_arguments() const REQUIRES(mutex_);

    const std::shared_ptr<RedisRooms> redis_;
    server::Loop& loop_;
    server::Strand timer_;
    const std::string room_;
    const LeaseConfig config_;
    const std::string holder_;
    Changed changed_;  // set once, before the first command

    mutable server::Mutex mutex_;
    Phase phase_ GUARDED_BY(mutex_);
    bool is_new_ GUARDED_BY(mutex_);
    std::uint64_t epoch_ GUARDED_BY(mutex_);
    std::uint64_t attempt_ GUARDED_BY(mutex_) =
        0;  // counts attachments: losses of earlier ones do not matter
    std::chrono::milliseconds attach_pause_ GUARDED_BY(mutex_){0};
    server::Time attach_at_ GUARDED_BY(mutex_) = server::Time::min();
    std::uint64_t committed_ GUARDED_BY(mutex_);
    server::Time leased_until_ GUARDED_BY(mutex_);
    std::string info_ GUARDED_BY(mutex_) = "{}";
    std::string owner_ GUARDED_BY(mutex_);
    bool is_settled_ GUARDED_BY(mutex_) = false;     // fenced, and the owner known or not to be found
    std::vector<Entry> waiting_ GUARDED_BY(mutex_);  // for the checkpoint that they follow
};

}  // namespace instep::cluster
