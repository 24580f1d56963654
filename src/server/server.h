// SPDX-License-Identifier: MIT
// The server: rooms that are opened when somebody asks for them, the lobby in which they are found, and what
// it says over HTTP. docs/server.md has the addresses and what they answer.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include <instep/server/levels.h>
#include <instep/server/page.h>
#include <instep/server/recordings.h>
#include <instep/server/room.h>
#include <instep/server/token.h>
#include <instep/server/wire.h>

namespace instep::server {

// What a port need not know.
struct ServerSettings : Settings {
    std::string secret;      // nobody comes in without a token signed with it; empty: everybody does
    std::string recordings;  // the folder that matches are recorded to; empty: they are not
    std::uint32_t recordings_mb = 1024;
    std::uint32_t bots = 0;  // play in every room where people leave places, up to so many players
    std::string page;        // the folder of a built web page; empty: there is none
};

class Server final : private Gate {
public:
    // Listens and serves at once, or says why it cannot.
    static state::Result<std::unique_ptr<Server>> start(const ServerSettings& settings, Levels levels,
                                                        Log& log);
    ~Server() override;  // stops

    std::uint16_t port() const { return wire_->port(); }
    const Figures& figures() const { return figures_; }

    // Takes nobody in, finishes ticks, tells everybody, and waits until they are gone, but not for long.
    void stop();

private:
    using RoomPtr = std::shared_ptr<Room>;
    template <class T>
    using Answer = std::expected<T, Refusal>;
    struct Wanted {  // what somebody asks for; what is empty is left to us
        std::string room;
        std::string world;
        std::string level;
        std::optional<net::ReplicationMode> replication;
        std::string address;  // who asks
    };

    Server(const ServerSettings& settings, Levels levels, Log& log);

    Reply answer(const Request& request) override;
    Answer<void> may_upgrade(const Request& request) override;
    Answer<std::unique_ptr<Visitor>> admit(const Request& request) override;

    static Answer<std::optional<net::ReplicationMode>> read_replication(std::string_view text);
    Answer<match::SharedSetup> find_level(const std::string& world, const std::string& level);
    Answer<std::pair<RoomPtr, Guest>> find_place(const Wanted& wanted, const std::string& key);
    Answer<std::pair<RoomPtr, Guest>> find_view(const Wanted& wanted);
    Answer<RoomPtr> find_room(const std::string& name);
    // A place in a room that is open, or why there is none; nothing: one has to be opened.
    std::optional<Answer<std::pair<RoomPtr, Guest>>> find_open_place(const Wanted& wanted,
                                                                     const match::Setup& setup,
                                                                     const std::string& key);
    // Both with opening_ held. Without a name it is given one. Nobody finds it until it is published.
    Answer<RoomPtr> make_room(const Wanted& wanted, const match::SharedSetup& setup);
    Answer<void> publish(const RoomPtr& room);

    Answer<Reply> route(const Request& request);
    Answer<Reply> create_room(const Request& request);
    Answer<void> check_origin(const Request& request) const;
    Answer<void> take_token(const Request& request, Wanted& wanted, std::string& key);
    Reply list_worlds() const;
    Answer<Reply> show_level(std::string_view name) const;  // "world/level"
    Reply list_rooms();
    Answer<Reply> show_recordings(const Request& request) const;

    ServerSettings settings_;
    Levels levels_;
    Log& log_;
    Figures figures_;
    std::atomic<bool> stopping_{false};
    std::optional<TokenBook> tokens_;
    std::shared_ptr<Recordings> recordings_;
    std::optional<Page> page_;

    std::mutex opening_;  // held by whoever opens a room; before mutex_, for which nobody waits that long
    std::mutex mutex_;    // of what follows
    std::map<std::string, RoomPtr> rooms_;
    std::map<std::pair<std::string, std::string>, match::SharedSetup> setups_;
    std::uint64_t rooms_ever_ = 0;
    std::uint64_t seed_;

    Loop loop_;  // its threads use all of the above
    std::unique_ptr<Wire> wire_;
};

}  // namespace instep::server
