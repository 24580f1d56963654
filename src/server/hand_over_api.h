// SPDX-License-Identifier: MIT
// The admin port's endpoints for draining a server, and for taking the rooms of one that drains. Successor is
// the other end of /admin/hand-over.
#pragma once

#include <expected>
#include <functional>
#include <string>

#include <instep/server/drain.h>
#include <instep/server/operations.h>
#include <instep/server/room_receiver.h>
#include <instep/server/signing_keys.h>

namespace instep::server {

class HandOverApi {
public:
    template <class T>
    using Answer = std::expected<T, Refusal>;
    // Begins to drain, to that admin port; empty: to none.
    using BeginDrain = std::function<state::Result<void>(const std::string& successor)>;
    using DrainStatus = std::function<Drain::Status()>;

    // The references must outlive it.
    HandOverApi(Loop& loop, Lobby& lobby, SigningKeys& keys, const ServerSettings& settings,
                Operations& operations, BeginDrain begin_drain, DrainStatus drain_status);

    // What this server tells its successor first: the keys of its tickets, or a proof that both have the same
    // secrets, and how many rooms it has named.
    std::string introduction() const;

    Answer<Response> show_drain(const Request& request);
    Answer<Response> drain(const Request& request);
    Answer<Response> introduce(const Request& request);
    Answer<Response> receive_room(const Request& request);
    Answer<Response> start_room(const Request& request);
    Answer<Response> cancel_room(const Request& request);

private:
    Answer<void> accept_keys(const class RequestBody& body);

    Loop& loop_;
    Lobby& lobby_;
    SigningKeys& keys_;
    const ServerSettings& settings_;
    RoomReceiver receiver_;
    BeginDrain begin_drain_;
    DrainStatus drain_status_;
    Strand strand_;  // on which rooms that wait for too long are dropped
};

}  // namespace instep::server
