// SPDX-License-Identifier: MIT
// The server: a listener, the API that it asks, and the lobby with the rooms. docs/server.md describes it.
#pragma once

#include <atomic>
#include <memory>

#include <instep/server/admin_api.h>
#include <instep/server/api.h>
#include <instep/server/drain.h>
#include <instep/server/listener.h>
#include <instep/server/lobby.h>

namespace instep::server {

class Server {
public:
    // Listens and serves at once, or returns why it cannot.
    static state::Result<std::unique_ptr<Server>> start(const ServerSettings& settings, Levels levels,
                                                        Log& log);
    ~Server();  // stops

    std::uint16_t port() const { return listener_->port(); }
    std::uint16_t admin_port() const { return admin_listener_ ? admin_listener_->port() : 0; }  // 0: none
    const Metrics& metrics() const { return operations_->metrics; }
    // From now on readiness is 503, no room is opened and no player joins. Rooms are handed to the server
    // with that admin port ("http://..."), or play on here until all have left; empty: all of them do.
    state::Result<void> drain(const std::string& successor);
    Drain::Status drain_status() const { return drain_->status(); }
    // Drains, waits until rooms have moved or ended, for those that stay at most `drain-ms`, and until
    // clients have followed.
    void drain_and_wait(const std::string& successor);

    // Replaces the signing keys, and reads the certificate again; connections stay as they are. If something
    // is wrong with the certificate, it and the keys stay the old ones. A server without keys goes on
    // without.
    state::Result<void> reload(KeyList keys);

    // Opens the room of an image; the answer is its name. Refuses an image that cannot be played here.
    state::Result<std::string> open_room(const RoomImage& image);

    // Finishes ticks, closes all connections with code 1001, and waits for them for at most three seconds.
    void stop();

private:
    Server(const ServerSettings& settings, Levels levels, std::unique_ptr<Operations> operations,
           std::shared_ptr<Recordings> recordings, std::optional<Page> page, Log& log);
    void check_descriptors() const;
    void find_public_address();
    state::Result<void> learn_certificate_names();
    state::Result<void> open_admin_port();

    ServerSettings settings_;
    Log& log_;
    const std::unique_ptr<Operations> operations_;
    const std::shared_ptr<Recordings> recordings_;  // null: matches are not recorded
    Lobby lobby_;
    std::shared_ptr<RoomDirectory> directory_;  // null: this process is alone
    Api api_;
    std::atomic<bool> stopping_{false};
    Loop loop_;  // after everything that its threads use, and before what has a strand
    std::shared_ptr<Drain> drain_;
    HandOverApi hand_over_;
    AdminApi admin_api_;
    std::unique_ptr<Listener> listener_;
    std::unique_ptr<Listener> admin_listener_;
};

}  // namespace instep::server
