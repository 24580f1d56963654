// SPDX-License-Identifier: MIT
// One open WebSocket, of the server or of a client: reads whole messages for its handler, writes messages,
// and closes. Only the few files that use sockets include it; the others see a Connection.
//
// All of it runs on the thread of its socket, except for the functions of Connection and check().
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket/stream.hpp>

#include <instep/server/address_rates.h>
#include <instep/server/connection.h>
#include <instep/server/flush_queue.h>
#include <instep/server/log.h>
#include <instep/server/mutex.h>
#include <instep/server/settings.h>
#include <instep/server/stream.h>

namespace instep::server {

namespace beast = boost::beast;
namespace ws = boost::beast::websocket;

class WebSocketSession final : public Connection, public std::enable_shared_from_this<WebSocketSession> {
public:
    using BeastStream = ws::stream<Stream, false>;  // without compression: messages are entropy coded

    WebSocketSession(Stream stream, const Limits& limits, Metrics& metrics, Log* log, std::string address);

    BeastStream& stream() { return stream_; }
    // After the opening handshake. Without a handler it can only be refused.
    void begin(std::unique_ptr<SessionHandler> handler);
    // `held` is released when the connection has ended.
    void keep(std::shared_ptr<void> held) { held_ = std::move(held); }
    // Closes the connection if the client is silent or does not read. From any thread.
    void check(Time now);
    void abort();  // closes the socket without a close frame
    void flush();  // writes what was passed to send(); on its thread

    // The first message counts towards that limit, which must outlive the session.
    void limit_hellos(AddressRate& hellos, const IpAddress& client) {
        hellos_ = &hellos;
        client_ = client;
    }

    const std::string& address() const override { return address_; }
    void send(codec::ByteView message) override;
    std::size_t bytes_waiting() const override { return waiting_; }
    void refuse(Refusal refusal) override;
    void close() override;
    void cut() override;

private:
    struct Outbox {  // messages one after the other in one buffer, so that none is allocated alone
        codec::Bytes bytes;
        std::vector<std::size_t> sizes;
    };

    void read();
    void take_message();
    std::optional<Refusal> refusal_of_message(Time now);
    Refusal too_many_messages() const;
    void write_next();
    void written(error_code error, std::size_t size);
    void refuse_now(const Refusal& refusal);
    void begin_close(std::uint16_t code, const std::string& reason);
    void send_close_if_ready();
    void ended(error_code error);
    void cut_slow_reader();
    void refuse_flood();

    HandlerMemory write_memory_;  // destroyed after stream_, whose write uses it
    BeastStream stream_;
    FlushQueue& flush_queue_;
    const Limits& limits_;
    Metrics& metrics_;
    Log* log_;
    std::string address_;
    AddressRate* hellos_ = nullptr;
    IpAddress client_;
    std::shared_ptr<void> held_;
    std::unique_ptr<SessionHandler> handler_;
    beast::flat_buffer received_;
    RateLimit message_rate_;
    bool too_many_controls_ = false;  // control frames, for which it has been refused

    Mutex mutex_;
    Outbox pending_ GUARDED_BY(mutex_);
    bool flush_posted_ GUARDED_BY(mutex_) = false;
    Outbox writing_;
    std::size_t next_ = 0;  // of writing_.sizes
    std::size_t offset_ = 0;
    bool is_writing_ = false;
    std::atomic<std::size_t> waiting_{0};

    bool is_closing_ = false;
    bool close_sent_ = false;
    bool has_ended_ = false;
    ws::close_reason close_reason_;

    std::atomic<Time> opened_at_;
    std::atomic<Time> silent_since_;
    std::atomic<bool> has_message_{false};  // at least one came
    std::atomic<Time> write_began_{Time::max()};
    std::atomic<Time> closing_since_{Time::max()};
};

}  // namespace instep::server
