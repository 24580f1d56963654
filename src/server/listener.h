// SPDX-License-Identifier: MIT
// The server's one port, which speaks HTTP and WebSocket, with or without TLS.
#pragma once

#include <cstdint>
#include <memory>

#include <instep/server/connection.h>
#include <instep/server/log.h>
#include <instep/server/loop.h>
#include <instep/server/metrics.h>
#include <instep/server/settings.h>

namespace instep::server {

class Listener {
public:
    // Listens at once, or returns why it cannot.
    static state::Result<std::unique_ptr<Listener>> open(Loop& loop, RequestHandler& handler,
                                                         const Settings& settings, Metrics& metrics,
                                                         Log& log);
    virtual ~Listener() = default;
    virtual std::uint16_t port() const = 0;
    // Reads the certificate's files, for connections that begin from now on. A refusal leaves the old one.
    virtual state::Result<void> reload_certificate() = 0;
    // Leaves new connections to the other processes that share the socket. Open ones go on, but serve one
    // more request at most: the next one is for another process.
    virtual void stop_accepting() = 0;
    // Accepts no more connections, and closes the open ones with code 1001.
    virtual void stop() = 0;
    // Closes the connections of clients in that network.
    virtual void drop(const IpNetwork& network, const Refusal& refusal) = 0;
    virtual bool has_connections() const = 0;
};

}  // namespace instep::server
