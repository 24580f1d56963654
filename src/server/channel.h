// SPDX-License-Identifier: MIT
// An open WebSocket of either end: reads whole messages for its visitor, writes what is sent, and ends. For
// the few files that speak to sockets; everybody else sees it as a Line.
//
// All of it runs on the thread of its socket, but for what a Line allows from anywhere and for `check`.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket/stream.hpp>

#include <instep/server/outgoing.h>
#include <instep/server/stream.h>
#include <instep/server/wire.h>

namespace instep::server {

namespace beast = boost::beast;
namespace websocket = boost::beast::websocket;

class Channel final : public Line, public std::enable_shared_from_this<Channel> {
public:
    using WebSocket = websocket::stream<Stream, false>;  // without compression: messages are entropy coded

    Channel(Stream stream, const Limits& limits, Figures& figures, Log* log, std::string address);

    WebSocket& websocket() { return websocket_; }
    // After the opening handshake. Null: only to be refused.
    void begin(std::unique_ptr<Visitor> visitor);
    // Let go of when the line is.
    void keep(std::shared_ptr<void> held) { held_ = std::move(held); }
    // Lets go of whoever is silent or does not read. From any thread.
    void check(Time now);
    void abort();  // without a word
    void flush();  // what was sent; on its thread

    void send(codec::ByteView message) override;
    std::size_t bytes_waiting() const override { return waiting_; }
    void refuse(Refusal refusal) override;
    void close() override;
    void cut() override;

private:
    struct Outbox {  // messages one after the other, so that none is allocated
        codec::Bytes bytes;
        std::vector<std::size_t> sizes;
    };

    void read();
    void take_message();
    Refusal too_many_messages() const;
    void write_next();
    void written(error_code error, std::size_t size);
    void refuse_now(const Refusal& refusal);
    void say_goodbye(std::uint16_t code, const std::string& reason);
    void close_if_ready();
    void ended(error_code error);
    void cut_off();
    void stop_flood();

    HandlerSlot write_slot_;  // outlives what is written over the line
    WebSocket websocket_;
    Outgoing& outgoing_;
    const Limits& limits_;
    Figures& figures_;
    Log* log_;
    std::string address_;
    std::shared_ptr<void> held_;
    std::unique_ptr<Visitor> visitor_;
    beast::flat_buffer heard_;
    RateLimit message_rate_;
    bool too_many_ = false;  // control frames, and it has been refused for that

    std::mutex mutex_;  // of pending_ and flush_posted_
    Outbox pending_;
    bool flush_posted_ = false;
    Outbox writing_;
    std::size_t next_ = 0;  // of writing_.sizes
    std::size_t offset_ = 0;
    bool is_writing_ = false;
    std::atomic<std::size_t> waiting_{0};

    bool is_closing_ = false;
    bool goodbye_sent_ = false;
    bool has_ended_ = false;
    websocket::close_reason goodbye_;

    std::atomic<Time> opened_at_;
    std::atomic<Time> silent_since_;
    std::atomic<bool> has_spoken_{false};
    std::atomic<Time> write_began_{Time::max()};
    std::atomic<Time> closing_since_{Time::max()};
};

}  // namespace instep::server
