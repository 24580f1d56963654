// SPDX-License-Identifier: MIT
// The rooms of all processes of a cluster, as one process sees them. src/cluster keeps it in Redis; a server
// alone has none.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <instep/net/messages.h>
#include <instep/server/room_journal.h>

namespace instep::server {

// A room of another process.
struct RoomListing {
    std::string name;
    std::string address;  // of its process, as net::is_server_address has it
    std::string facts;    // JSON, as facts_of(room)
    std::string world;
    std::string level;
    std::string fingerprint;
    std::string replication;
    std::uint32_t players = 0;
    std::uint32_t held = 0;  // seats, for parties that are not complete
    std::uint32_t most_players = 0;
};

// Shared and never changed, so that neither joins nor the room list copy texts.
using RoomListings = std::vector<std::shared_ptr<const RoomListing>>;

// All functions may be called from any thread, and return at once.
class RoomDirectory {
public:
    virtual ~RoomDirectory() = default;
    // Other processes find this one at that address; from now on it takes rooms of dead ones over.
    virtual void start(std::string address) = 0;
    // Takes no more rooms.
    virtual void drain() = 0;
    // For a new room.
    virtual std::shared_ptr<RoomJournal> open_journal(const std::string& room) = 0;
    // The address of another process that has the room; "": it has no process at the moment. Empty: no room.
    virtual std::optional<std::string> find(const std::string& room) const = 0;
    // By name, at most a fraction of a second old.
    virtual std::shared_ptr<const RoomListings> rooms() const = 0;
    // Part of the names that this process gives to rooms, so that no other gives the same.
    virtual const std::string& process_id() const = 0;

    // Where a new room should open: at a process of the same build that has clearly less to do. Empty: here.
    struct Place {
        std::string address;
        std::string process_id;
    };
    virtual std::optional<Place> place_room() = 0;

    // Uses a token up in all processes. `answer` is called once, on any thread, within a bounded time.
    enum class Spent : std::uint8_t {
        now,      // by this call
        before,   // by another one, of any process
        unknown,  // the cluster does not answer
    };
    virtual void spend(const std::string& token, std::chrono::milliseconds valid_for,
                       std::function<void(Spent)> answer) = 0;
    virtual void give_back(const std::string& token) = 0;

    // Where a party plays: the first proposal of any process counts for all of them while seats are held.
    // Empty address: this process. `answer` is called once, on any thread; empty: the cluster does not
    // answer.
    virtual void place_party(const std::string& party, const std::string& address, const std::string& room,
                             std::function<void(const std::optional<net::Moved>&)> answer) = 0;
};

class Lobby;
struct Metrics;
class Log;
// Makes the directory of a server, before it listens.
using MakeDirectory = std::function<std::shared_ptr<RoomDirectory>(Loop&, Lobby&, Metrics&, Log&)>;

}  // namespace instep::server
