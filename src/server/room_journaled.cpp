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
// Snapshots that wait so long are worth a word; clients ask other servers after a second of silence.
constexpr std::chrono::milliseconds notice_after{500};
constexpr std::chrono::milliseconds notice_interval{500};  // for players that enter meanwhile
constexpr std::string_view notice_text =
    "the room stands still: the Redis of its cluster does not answer; play goes on when it is back";

}  // namespace

void Room::open_journal() {
    if (!config_.journal) return;
    journaled_ = host_.match().tick();
    config_.journal->open([weak = weak_from_this()](const RoomJournal::Status& status) {
        const auto self = weak.lock();
        if (!self) return;
        if (!status.is_fenced) return self->held_.send_until(status.committed);
        self->strand_.post([self, owner = status.owner] { self->leave_to(owner); });
    });
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
    is_unprotected_ =
        !is_new && now >= status.leased_until && config_.journal->on_loss() == OnJournalLoss::unprotected;
    if (is_unprotected_) {
        held_.send_until(tick());
        return {};
    }
    send_notice(now);
    if (now < status.leased_until) {
        if (is_paused_.exchange(false)) log_.info("room_resumed", {{"room", config_.name}, {"tick", tick()}});
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
    if (!config_.journal) return;
    if (is_unprotected_) ++metrics_.ticks_unprotected;
    if (host_.match().tick() % setup().facts.snapshot_every != 0) return;
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
    if (!config_.journal || is_unprotected_) return connection->send(message);
    held_.add(host_.match().tick(), connection, message);
}

// To clients that wait for snapshots. What they get next is a snapshot, and it says that play goes on.
void Room::send_notice(Time now) {
    const auto oldest = held_.oldest();
    const bool waits = oldest && now - due_at(*oldest) > notice_after;
    if ((!is_paused_ && !waits) || now < next_notice_) return;
    next_notice_ = now + notice_interval;
    codec::Bytes message;
    net::write(net::Notice{decltype(net::Notice::text)::of(notice_text)}, message);
    for (const auto& [player, seat] : seats_)
        if (seat.connection && !seat.is_original) seat.connection->send(message);
    for (const auto& [id, watcher] : watchers_) watcher.connection->send(message);
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
