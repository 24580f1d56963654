// SPDX-License-Identifier: MIT
// A room with a journal: what is kept of it, which messages wait until their ticks are committed, and what
// happens when the journal is silent or the room belongs to another process.
#include <instep/server/room.h>

#include <instep/server/journal_entry.h>
#include <instep/server/room_list.h>

namespace instep::server {
namespace {

constexpr std::chrono::seconds checkpoint_interval{4};
constexpr std::chrono::milliseconds renew_interval{400};  // of a lease of 1.5 s, for rooms that sleep
constexpr std::chrono::milliseconds pause_check{10};

}  // namespace

void Room::open_journal() {
    if (!config_.journal) return;
    journaled_ = host_.match().tick();
    config_.journal->open([weak = weak_from_this()] {
        if (const auto self = weak.lock()) self->strand_.post([self] { self->follow_journal(); });
    });
}

void Room::follow_journal() {
    if (has_ended() || !ended_) return;
    const RoomJournal::Status status = config_.journal->status();
    if (status.is_fenced) return leave_to(status.owner);
    send_held(status.committed);
}

// Not while the journal is silent and the lease may have run out. Empty: the room may tick.
std::optional<Time> Room::wait_for_journal(Time now) {
    if (!config_.journal) return {};
    if (is_released_) return now + pause_check;
    keep_up_journal(now);
    const RoomJournal::Status status = config_.journal->status();
    if (status.is_fenced) {
        leave_to(status.owner);
        return now + pause_check;
    }
    const bool is_new = status.leased_until == Time::min();
    if (now < status.leased_until) {
        if (is_paused_.exchange(false)) log_.info("room_resumed", {{"room", config_.name}, {"tick", tick()}});
        return {};
    }
    if (!is_new && config_.journal->on_loss() == OnJournalLoss::unprotected) {
        ++metrics_.ticks_unprotected;
        send_held(tick());
        return {};
    }
    if (!is_new && !is_paused_.exchange(true))
        log_.error("room_paused",
                   {{"room", config_.name},
                    {"tick", tick()},
                    {"message", "the cluster's Redis does not answer, so the room stands still"}});
    process_inbox();
    return now + pause_check;
}

void Room::keep_up_journal(Time now) {
    RoomJournal& journal = *config_.journal;
    const bool is_needed = journal.status().needs_checkpoint;
    if (is_needed) {  // entries follow it
        roster_changed_ = false;
        journaled_ = host_.match().tick();
    }
    // One that is due may arrive after the next entries, so it holds nothing that is not in the journal
    // already.
    if (is_needed || (now >= next_checkpoint_ && journaled_ == host_.match().tick())) {
        next_checkpoint_ = now + checkpoint_interval;
        journal.checkpoint(journaled_, image_maker());
    }
    if (now >= next_renewal_) {
        next_renewal_ = now + renew_interval;
        journal.renew(state::write_json(facts_of(*this)));
    }
}

// The room as it is now; encoded later, since that takes longer than a tick may.
std::function<codec::Bytes()> Room::image_maker() const {
    return [image = std::make_shared<const RoomImage>(save())] {
        codec::Bytes bytes;
        write(*image, bytes);
        return bytes;
    };
}

// After the step; one entry for each snapshot.
void Room::journal_tick() {
    if (!config_.journal || host_.match().tick() % setup().facts.snapshot_every != 0) return;
    JournalEntry entry{.first = journaled_ + 1,
                       .last = host_.match().tick(),
                       .live_before = 0,
                       .hash = host_.match().hash(),
                       .joined = host_.joined(),
                       .roster = {}};
    if (std::exchange(roster_changed_, false)) {
        RoomImage image = save_roster();
        entry.roster = RoomRoster{std::move(image.seats), std::move(image.bots), std::move(image.numbers)};
    }
    codec::Bytes bytes;
    write(entry, setup(), host_.ticks(), bytes);
    journaled_ = entry.last;
    config_.journal->append(entry.first, entry.last, std::move(bytes));
}

void Room::send_or_hold(const std::shared_ptr<Connection>& connection, codec::ByteView message) {
    bytes_out_ += message.size();
    if (!config_.journal) return connection->send(message);
    held_.push_back({host_.match().tick(), connection, codec::Bytes(message.begin(), message.end())});
}

void Room::send_held(std::uint64_t committed) {
    while (!held_.empty() && held_.front().tick <= committed) {
        held_.front().connection->send(held_.front().message);
        held_.pop_front();
    }
}

// The process stops: another one goes on with the room.
void Room::release() {
    if (has_ended() || !ended_ || std::exchange(is_released_, true)) return;
    config_.journal->release(host_.match().tick(), image_maker());
}

// Snapshots of the ticks since then were never sent.
void Room::leave_to(const std::string& owner) {
    if (has_ended() || !ended_) return;
    held_.clear();
    ++metrics_.rooms_fenced;
    log_.info("room_fenced", {{"room", config_.name}, {"tick", tick()}, {"owner", owner}});
    config_.journal.reset();
    if (!net::is_server_address(owner))
        return finish({RefusalReason::stopping, "the room goes on at another server; try again in a moment"});
    codec::Bytes message;
    net::write(net::Moved::to(owner, config_.name), message);
    finish("it goes on at " + owner, [&](Connection& connection) {
        connection.send(message);
        connection.close();
    });
}

}  // namespace instep::server
