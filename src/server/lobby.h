// SPDX-License-Identifier: MIT
// The open rooms of a server: finds one for a player or a watcher, and opens new ones when clients ask for
// them. All functions may be called from any thread.
#pragma once

#include <expected>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <instep/server/levels.h>
#include <instep/server/mutex.h>
#include <instep/server/room.h>
#include <instep/server/room_directory.h>

namespace instep::server {

// What a client asks for. An empty field is the server's choice.
struct RoomRequest {
    std::string room;
    std::string world;
    std::string level;
    std::optional<net::ReplicationMode> replication;
    bool may_choose_replication = false;  // for a new room: another mode than the level's
    std::string address;                  // of the client
    Party party = {};                     // that it comes with
};

class Lobby {
public:
    using RoomPtr = std::shared_ptr<Room>;
    template <class T>
    using Answer = std::expected<T, Refusal>;
    struct Reservation {
        RoomPtr room;
        ConnectionId id;  // in the room's inbox
        SeatKey seat;     // empty: it cannot be resumed
    };

    // `recordings` may be null. The references must outlive the lobby and its rooms.
    Lobby(Loop& loop, const ServerSettings& settings, Levels levels, std::shared_ptr<Recordings> recordings,
          Metrics& metrics, Log& log);

    const Levels& levels() const { return levels_; }
    std::vector<RoomPtr> rooms() const;
    Answer<RoomPtr> find(const std::string& name) const;
    Answer<RoomPtr> open(const RoomRequest& request);
    // Opens the room of an image, under its name, and logs what an image of another build lost.
    Answer<RoomPtr> restore(const RoomImage& image, std::shared_ptr<RoomJournal> journal = nullptr);
    // The same in two steps. A prepared room has its name and counts as open, but does not tick, and no
    // client finds it. It is started once, or dropped.
    Answer<RoomPtr> prepare(const RoomImage& image, std::shared_ptr<RoomJournal> journal = nullptr);
    Answer<void> start(const RoomPtr& room);
    void drop(const RoomPtr& room);
    Answer<match::SharedSetup> find_setup(const RoomImage& image);
    // Before the first room: the rooms of other processes, which must outlive the lobby's.
    void use_directory(RoomDirectory& directory) { directory_ = &directory; }
    std::shared_ptr<const RoomListings> rooms_elsewhere() const;
    // Whether a room of another process could go on here now. Loads the level, so it takes long; nothing is
    // reserved. `is_at_rest`: it has no ticks to be played again, so another build may carry it over.
    Answer<void> check_hostable(const std::string& world, const std::string& level,
                                const std::string& fingerprint, bool is_at_rest);
    // Refuses a room that no process plays at the moment, with the reason: its process died and no other has
    // taken it over yet, or it stands still here.
    Answer<void> check_owned(const std::string& room) const;
    // For a request that names no room: the fullest room of another process with a free seat, if none here
    // has one.
    std::optional<net::Moved> find_elsewhere(const RoomRequest& request);
    // For a request for which a new room has to be opened: another process that has less to do.
    std::optional<net::Moved> place_elsewhere(const RoomRequest& request);
    // In a cluster, for a party whose request names no room: a room with seats for all of it, of any process,
    // or the name of a new one. Nothing is held or opened yet; an empty address is this process.
    struct PartyPlace {
        std::string address;
        std::string room;
    };
    Answer<PartyPlace> propose_place(const RoomRequest& request);
    RoomDirectory* directory() const { return directory_; }  // null: this process is alone
    std::uint32_t free_rooms() const;                        // that may still be opened
    // A seat in the room that is asked for, or in the fullest one with a free seat; otherwise in a new room.
    Answer<Reservation> join(const RoomRequest& request, const PlayerId& player);
    // The two below open no room.
    Answer<Reservation> resume(const ResumeTicket& ticket);
    Answer<Reservation> watch(const RoomRequest& request);

    // From now on no room is opened, and only players that have a seat may join.
    void drain();
    // Rooms end as soon as all have left.
    void end_rooms_when_left();
    bool is_draining() const;
    // A room that was here goes on at that address; clients that come for it are sent there.
    void add_move(const std::string& room, const std::string& address);
    std::optional<net::Moved> find_move(const std::string& room) const;
    // The number of the last room that got a name from here. Names of later rooms have higher ones.
    std::uint64_t rooms_ever() const;
    void skip_names(std::uint64_t rooms_ever);

    // Opens no more rooms, and ends the open ones.
    void close(const Refusal& refusal);
    bool empty() const;
    void clear();  // drops rooms that have not ended; only after the loop has been joined

private:
    RoomPtr find_free_room(const RoomRequest& request, const match::Setup& setup) const;
    Answer<void> check_party(const Party& party, const match::Setup& setup) const;
    Answer<match::SharedSetup> load_level(const std::string& world, const std::string& level);
    // Empty: a new room has to be opened.
    std::optional<Answer<Reservation>> join_open_room(const RoomRequest& request, const match::Setup& setup,
                                                      const PlayerId& player, RoomInbox::LostSeats lost);
    std::optional<Answer<Reservation>> join_named_room(const RoomRequest& request, const match::Setup& setup,
                                                       const PlayerId& player) REQUIRES(mutex_);
    // Makes a room that clients find only after publish(). Chooses a name if the request has none.
    Answer<RoomPtr> make_room(const RoomRequest& request, const match::SharedSetup& setup) REQUIRES(opening_);
    std::shared_ptr<RecordingFile> begin_recording(const RoomConfig& config);
    Answer<void> name_room(RoomConfig& config) REQUIRES(mutex_);
    std::optional<Answer<Reservation>> join_while_draining(const RoomRequest& request,
                                                           const PlayerId& player);
    Answer<void> check_free_name(const std::string& name) const REQUIRES(mutex_);
    Answer<void> check_room_limits(const std::string& address) const REQUIRES(mutex_);
    Answer<void> publish(const RoomPtr& room);

    Loop& loop_;
    const ServerSettings& settings_;
    const Levels levels_;
    const std::shared_ptr<Recordings> recordings_;
    Metrics& metrics_;
    Log& log_;
    RoomDirectory* directory_ = nullptr;  // null: this process is alone

    mutable Mutex mutex_;                    // held for short times only
    Mutex opening_ ACQUIRED_BEFORE(mutex_);  // held while a room is made, which takes long
    std::map<std::string, RoomPtr> rooms_ GUARDED_BY(mutex_);
    std::map<std::pair<std::string, std::string>, match::SharedSetup> setups_ GUARDED_BY(mutex_);
    std::map<std::string, RoomPtr> prepared_ GUARDED_BY(mutex_);
    std::map<std::string, std::string> moves_ GUARDED_BY(mutex_);  // where rooms went, by name
    std::uint64_t rooms_ever_ GUARDED_BY(mutex_) = 0;
    bool is_draining_ GUARDED_BY(mutex_) = false;
    bool is_closed_ GUARDED_BY(mutex_) = false;
};

}  // namespace instep::server
