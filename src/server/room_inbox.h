// SPDX-License-Identifier: MIT
// Where connections, on any thread, leave events for a room until its next tick takes them out. It also
// reserves seats: a connection gets one before its hello has come, so that a room never accepts more than it
// has.
#pragma once

#include <atomic>
#include <cstdint>
#include <expected>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include <instep/net/messages.h>
#include <instep/server/connection.h>
#include <instep/server/loop.h>
#include <instep/server/mutex.h>
#include <instep/server/party.h>
#include <instep/server/player_id.h>
#include <instep/server/resume_ticket.h>

namespace instep::server {

// One connection to a room; a number that is never used again.
using ConnectionId = std::uint64_t;

// Which messages a client sends and understands.
enum class Protocol : std::uint8_t {
    instep,    // docs/wire-format.md
    original,  // that of the world's original game, as contract/original_protocol.h has it
};

class RoomInbox {
public:
    struct Event {
        enum class Kind : std::uint8_t { enter, message, leave, disconnect } kind;
        ConnectionId from;
        Time at;           // when it came
        std::size_t size;  // of a message
    };
    struct Batch {
        std::vector<Event> events;
        codec::Bytes bytes;  // of messages, one after the other
    };
    using Participant = std::optional<PlayerId>;  // empty: a watcher
    struct Arrival {
        Participant participant;
        std::shared_ptr<Connection> connection;
        net::Hello hello;
        net::TicketText ticket;  // for the welcome; empty: it cannot resume
        Protocol protocol = Protocol::instep;
    };
    struct SeatReservation {
        ConnectionId id;
        SeatKey seat;  // the same for all connections of a player while it keeps its seat
    };

    RoomInbox(std::string room, std::uint32_t most_players, std::uint32_t most_watchers);

    // --- From any thread

    // Whether the kept seat of a lost player is given to another if no seat is free.
    enum class LostSeats : std::uint8_t { keep, give_up };
    // The first of a party holds seats for the others; they get one of these while they are held, and any
    // free one later.
    std::expected<SeatReservation, Refusal> reserve_seat(const PlayerId& player,
                                                         LostSeats lost = LostSeats::give_up,
                                                         const Party& party = {}, Time now = Clock::now());
    bool knows_party(const std::string& id) const;
    std::uint32_t held_seats(Time now = Clock::now()) const;
    std::uint32_t held_seats(const std::string& address, Time now = Clock::now()) const;
    // The seat of a player that is here, or whose seat is kept.
    std::expected<SeatReservation, Refusal> resume_seat(const SeatKey& seat);
    std::expected<ConnectionId, Refusal> reserve_watcher();
    bool has_seat(const PlayerId& player) const;
    // False: the room has been closed.
    bool enter(ConnectionId id, std::shared_ptr<Connection> connection, const net::Hello& hello,
               std::string_view ticket, Protocol protocol = Protocol::instep);
    void deliver(ConnectionId id, codec::ByteView message);
    void leave(ConnectionId id, bool on_purpose);
    bool is_closed() const { return is_closed_; }

    // --- For the room

    // Takes a seat for a player of an image; before the room is open. False: the player has one.
    bool take_seat(const PlayerId& player, const SeatKey& seat);
    // What tickets call the player's seat; empty: it cannot be resumed.
    SeatKey key_of(const PlayerId& player) const;
    bool has_events() const;
    // Replaces the batch by the events that came, and keeps its memory for the next ones.
    void take(Batch& batch);
    Arrival take_arrival(ConnectionId id);
    // Whose reservation it was; empty: the connection had none, or has entered.
    std::optional<Participant> cancel_reservation(ConnectionId id);
    // Frees the player's seat, unless another connection of the same player has reserved it.
    void release_seat(const PlayerId& player);
    // The player's connection broke. Its seat is kept until another player wants one and no other is free.
    void mark_lost(const PlayerId& player);
    void release_watcher();
    // Calls `turn_away` for all that have arrived, and refuses everything that comes later.
    void close(const std::function<void(Connection&)>& turn_away);
    // Closes only if no seat is taken or reserved, by a watcher either. False: some are.
    bool close_if_unused();

private:
    // Kept after its time, so that a member that comes late finds the room.
    struct PartySeats {
        std::uint32_t size;
        std::uint32_t left;  // not taken yet
        Time until;
        std::string address;  // of the client that held them

        std::uint32_t held(Time now) const { return now < until ? left : 0; }
    };
    static constexpr std::size_t most_parties = 64;  // remembered

    Refusal closed_refusal() const;
    std::uint32_t count_held(Time now) const REQUIRES(mutex_);
    // How many seats have to be free for this player: none if one is held for it.
    std::expected<std::uint32_t, Refusal> seats_needed(const Party& party, Time now) const REQUIRES(mutex_);
    void use_party_seat(const Party& party, Time now) REQUIRES(mutex_);
    ConnectionId add_reservation(Participant participant) REQUIRES(mutex_);
    void add(Event::Kind kind, ConnectionId id, codec::ByteView message = {}) REQUIRES(mutex_);

    std::string room_;
    std::uint32_t most_players_;
    std::uint32_t most_watchers_;
    std::atomic<bool> is_closed_{false};  // written with mutex_ held

    mutable Mutex mutex_;
    Batch batch_ GUARDED_BY(mutex_);
    std::unordered_map<ConnectionId, Participant> reservations_ GUARDED_BY(mutex_);
    std::unordered_map<ConnectionId, Arrival> arrivals_ GUARDED_BY(mutex_);
    std::map<PlayerId, SeatKey> players_ GUARDED_BY(mutex_);  // with a seat, taken or reserved
    std::set<PlayerId> lost_ GUARDED_BY(mutex_);              // of these, the ones without a connection
    std::map<std::string, PartySeats> parties_ GUARDED_BY(mutex_);
    std::uint32_t watchers_ GUARDED_BY(mutex_) = 0;  // there, or with a reservation
};

}  // namespace instep::server
