// SPDX-License-Identifier: MIT
// The server's end of a room: steps the match with the inputs that came, and writes to each client what it
// must know. Knows no sockets and reads no clock. `now` is the room's time in seconds by the wall: tick t is
// due at t / tick_rate, and whoever calls step() late still passes the true time to receive().
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string_view>

#include <instep/net/desync.h>
#include <instep/net/input_queue.h>
#include <instep/net/messages.h>
#include <instep/net/snapshot_encoder.h>

namespace instep::net {

// What a room has seen so far.
struct HostStats {
    std::uint64_t inputs_accepted = 0;
    std::uint64_t inputs_duplicate = 0;
    std::uint64_t inputs_late = 0;
    std::uint64_t inputs_early = 0;
    std::uint64_t inputs_illegal = 0;
    std::uint64_t messages_malformed = 0;
    std::uint64_t reports_ignored = 0;  // that came within a second of another, or after a later one
    std::uint64_t ticks_starved = 0;    // a player's tick for which nothing had come
    std::uint64_t ticks_played = 0;     // a player's ticks in all
    std::uint64_t own_exact = 0;        // snapshots that had to carry the exact own player
    std::uint64_t own_confirmed = 0;
    std::uint64_t keyframes = 0;  // snapshots told whole
    std::uint64_t parts = 0;      // room parts made, and those in which some correction had to wait
    std::uint64_t deltas_over_budget = 0;
    std::uint32_t longest_wait = 0;  // snapshots that any correction waited
    std::uint64_t desyncs = 0;       // reports that were judged, whatever was found
};

class Host {
public:
    static constexpr double hold_seconds = 0.5;    // how long a silent player's last input goes on
    static constexpr double window_seconds = 1.0;  // how far ahead an input may be
    static constexpr std::uint32_t most_desyncs = 8;
    static constexpr std::uint32_t most_watchers = 64;
    static constexpr double default_budget = 9'000;      // bytes a second, where the caller names none
    static constexpr double patience_with_budget = 1.0;  // s without enough of it until the room is cut up
    static constexpr double rest_between_moves = 5.0;    // s for which a player stays in a cell at least
    static constexpr std::uint32_t cells_a_side = 4;

    // `budget`: bytes of a snapshot's room part beyond which corrections wait their turn, nearest first.
    Host(match::SharedSetup setup, std::uint64_t seed, ReplicationMode room, std::uint32_t budget = 0);

    // A free slot, which the player enters with the next tick; refused if the room is full.
    state::Result<contract::Slot> join(std::string_view name, LinkKind link);
    // A player without a link, whose inputs are those of the world's own bot.
    state::Result<contract::Slot> join_bot(std::string_view name);
    // A seat beyond those of players: is told all that they are told, and asks for nothing.
    state::Result<contract::Slot> watch(LinkKind link);
    // The same player over a new link: all that it is told begins anew.
    void reconnect(contract::Slot slot, LinkKind link);
    void leave(contract::Slot slot);

    // Any bytes from this player.
    void receive(contract::Slot slot, codec::ByteView message, double now);

    void step();
    const match::Match& match() const { return match_; }
    const codec::TickLog& ticks() const { return log_; }

    // What this player is to be sent after the last step; false if nothing is due. A link on which as much as
    // full_line() waits is not `free`: the player misses this snapshot and gets a whole one when it is.
    std::size_t full_line(contract::Slot slot) const;
    bool write_message(contract::Slot slot, bool link_is_free, double now, codec::Bytes& out);

    // The last tick for which an input of this player came in time.
    std::uint64_t last_played(contract::Slot slot) const { return seats_[slot]->last_played_tick; }
    const HostStats& stats() const { return stats_; }
    const std::deque<Desync>& desyncs() const { return desyncs_; }

private:
    struct Announced {
        std::uint32_t number = 0;
        std::uint32_t hash = 0;
    };
    struct ExactOwn {
        std::uint32_t number = 0;  // of the snapshot
        codec::Bytes entities;
    };
    // Ordered links share a chain; in a room that does not fit its budget, those of one cell of the plane do.
    struct Chain {
        Chain(const match::Setup& setup, ReplicationMode room, std::uint32_t budget)
            : teller(setup, room, LinkKind::ordered, budget) {}

        SnapshotEncoder teller;
        codec::Bytes part;               // of the last snapshot, for all who have its baseline
        bool is_heard = false;           // by somebody, from the next snapshot on
        std::uint32_t last_restart = 0;  // the last snapshot after which its model began anew
    };
    struct Seat {
        Seat(const match::Setup& setup, LinkKind kind, std::uint32_t window, std::uint32_t hold)
            : link(kind), queue(setup, window, hold) {}

        LinkKind link;
        bool is_bot = false;  // is told nothing, and asks for nothing
        InputQueue queue;
        std::unique_ptr<SnapshotEncoder> teller;  // of a datagram link
        std::array<Announced, 64> announced;      // by snapshot
        std::uint32_t acknowledged = 0;           // the newest that it acknowledged
        std::uint32_t sent = 0;                   // datagram: the newest that it was sent
        std::uint32_t trusted_from = 0;           // datagram: from which on what was sent counts as heard
        std::uint32_t written = 0;   // the last snapshot that was written, or left out, for this player
        std::uint32_t whole_at = 0;  // the last one that was told whole; 0: it needs one
        std::size_t whole_size = 0;  // bytes of the message that it was in
        std::uint64_t last_input_tick = 0;   // when one came last
        std::uint64_t last_played_tick = 0;  // for which one came in time
        bool has_played = false;
        bool welcomed = false;
        bool in_chain = false;       // ordered: has the baseline of the next message
        std::uint32_t cell = 0;      // ordered: whose chain it is told
        std::uint32_t moved_at = 0;  // the snapshot from which on it is in that cell
        bool leaving = false;
        std::uint64_t next_report_tick = 0;  // from which on it is listened to again
        std::optional<Verdict> judged;       // the last one
        std::uint32_t named_until = 0;       // the snapshot up to which differences have been named
        ExactOwn checked;                    // what the last hash that it was sent is of
        std::optional<InputMargin> worst_margin;
        std::optional<Pong> pong;
        std::optional<Verdict> verdict;
    };

    std::uint32_t ticks_in(double seconds) const;
    void write_bot_input(contract::Slot slot, std::byte* row) const;
    const SnapshotEncoder& teller_of(const Seat& seat) const {
        return seat.teller ? *seat.teller : chains_[seat.cell]->teller;
    }
    std::uint32_t cell_at(math::Vec2 position) const;
    math::Vec2 middle_of(std::uint32_t cell) const;
    void cut_up_if_short();
    static bool may_restart(const Chain& chain, std::uint32_t number);
    void move_to_cells(std::uint32_t number);
    void count_part(const SnapshotEncoder& teller);
    void take_inputs(Seat& seat, const InputMessage& message, double now);
    void note_margin(Seat& seat, std::uint32_t tick, double now) const;
    void count(InputVerdict taking);
    static bool is_outdated(const Seat& seat, std::uint8_t serial);
    void take_report(contract::Slot slot, Report report);
    ExactState exact_state(contract::Slot slot) const;
    void tell_whole_soon(Seat& seat) const;
    std::optional<std::uint32_t> baseline_for(const Seat& seat, std::uint32_t number) const;
    void tell_all();
    OwnState judge_own(contract::Slot slot, Seat& seat);
    std::optional<codec::ByteView> delta_for(Seat& seat, bool link_is_free);
    bool checks_hash() const;

    match::SharedSetup setup_;
    match::Match match_;
    ReplicationMode room_;
    match::TickBuilder tick_;
    codec::TickLog log_;
    InputReader reader_;
    std::uint32_t budget_;
    std::size_t field_count_;                     // of a report
    std::vector<std::unique_ptr<Chain>> chains_;  // the whole room's, or one for each cell where somebody is
    std::uint32_t short_for_ = 0;                 // snapshots in a row
    codec::Bytes own_delta_;                      // that is not a chain's: of one player, for now
    std::array<std::unique_ptr<Seat>, contract::most_slots + most_watchers> seats_;
    std::vector<contract::Join> joins_;
    std::uint64_t seed_;
    std::uint64_t joined_ = 0;
    HostStats stats_;
    std::deque<Desync> desyncs_;
};

}  // namespace instep::net
