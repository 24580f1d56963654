// SPDX-License-Identifier: MIT
// The interfaces between sockets and the rest of the server. Sockets, TLS and Beast stay behind them. The
// sockets' side enforces the limits on connections, rates, sizes and times, so that handlers get only whole
// messages of bounded size.
//
//     RequestHandler  answers HTTP requests, and accepts or refuses WebSockets; there is one for a server
//     SessionHandler  gets the messages of one WebSocket
//     Connection      sends messages over that WebSocket, and closes it
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <string>

#include <instep/codec/bytes.h>
#include <instep/server/http.h>
#include <instep/server/ip_address.h>
#include <instep/server/refusal.h>

namespace instep::server {

// All functions may be called from any thread.
class Connection {
public:
    virtual ~Connection() = default;
    virtual const std::string& address() const = 0;  // of the client, as limits and bans count it
    virtual void send(codec::ByteView message) = 0;
    // Bytes passed to send() and not yet accepted by the operating system.
    virtual std::size_t bytes_waiting() const = 0;
    virtual void refuse(Refusal refusal) = 0;  // closes with the refusal's close code and message
    virtual void close() = 0;                  // closes with code 1000
    virtual void cut() = 0;                    // closes the socket without a close frame
};

struct CloseReason {
    std::uint16_t code = 1006;  // of WebSocket; 1006: the connection broke without a close frame
    std::string text;
};

// Its functions are called one after the other. The connection owns its handler, so a handler refers to the
// connection by a weak pointer only; the connection exists during each call.
class SessionHandler {
public:
    virtual ~SessionHandler() = default;
    virtual void opened(std::shared_ptr<Connection> connection) = 0;
    virtual void received(codec::ByteView message) = 0;
    virtual void closed(const CloseReason& reason) = 0;
};

// Called from any thread.
class RequestHandler {
public:
    virtual ~RequestHandler() = default;
    // Before anything else is done for an address.
    virtual std::expected<void, Refusal> may_connect(const IpAddress&) { return {}; }
    // Bodies of requests have at most `request-bytes`; larger ones, up to this many bytes, only if may_send()
    // says so for the request's header. 0: none.
    virtual std::size_t largest_body() const { return 0; }
    virtual bool may_send(const Request& /*head*/, std::uint64_t /*size*/) { return false; }
    virtual Response answer(const Request& request) = 0;
    // Before the WebSocket handshake: a refusal is sent as an HTTP response.
    virtual std::expected<void, Refusal> may_upgrade(const Request& request) = 0;
    // After the handshake: a refusal is sent as a close frame, whose text a web page can read.
    virtual std::expected<std::unique_ptr<SessionHandler>, Refusal> accept(const Request& request) = 0;
};

}  // namespace instep::server
