// SPDX-License-Identifier: MIT
// A connection that speaks HTTP: reads requests, answers them, and becomes a Channel when it asks for a
// WebSocket. Files are sent piece by piece, read on the loop's thread for what is slow.
#pragma once

#include <atomic>
#include <cstdio>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <boost/beast/http.hpp>

#include <instep/server/channel.h>
#include <instep/server/places.h>

namespace instep::server {

struct CallerShare {  // what all callers of a server have in common
    CallerShare(Loop& the_loop, Gate& the_gate, const Settings& given, Figures& counts, Log& the_log)
        : loop(the_loop),
          gate(the_gate),
          settings(given),
          figures(counts),
          log(the_log),
          places(settings.limits, counts) {}

    Loop& loop;
    Gate& gate;
    Settings settings;
    Figures& figures;
    Log& log;
    Places places;
    std::optional<asio::ssl::context> tls;
    std::atomic<bool> stopping{false};
};

class Caller : public std::enable_shared_from_this<Caller> {
public:
    // What is held is let go of when the connection is.
    Caller(std::shared_ptr<CallerShare> shared, Socket socket, std::string address,
           std::shared_ptr<void> held);

    const SocketExecutor& executor() const { return executor_; }
    void begin();

    // From any thread: how long it may take, and a channel that came of it.
    void check(Time now);
    void stop();

private:
    using Parser = boost::beast::http::request_parser<boost::beast::http::string_body>;
    using Response = boost::beast::http::response<boost::beast::http::span_body<const char>>;
    using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

    std::chrono::milliseconds patience() const;
    std::shared_ptr<Channel> channel() const;

    void read();
    void read_request();
    void take_request(error_code error);
    void answer(Reply reply, bool keep_alive);
    void open_file(bool keep_alive);
    void write_response(std::uint64_t size, bool keep_alive);
    void set_deadline_for(std::size_t size);
    void send_next_piece();
    void send_piece(std::size_t size);
    void end_answer();
    void refuse(const Refusal& refusal);
    void upgrade(Request request);
    void settle(Channel& channel, const Request& request);
    void time_out();
    void hang_up();
    void drain(error_code error, std::size_t size);
    void abort();

    std::shared_ptr<CallerShare> shared_;
    std::optional<Stream> stream_;  // until it is handed over
    SocketExecutor executor_{stream_->get_executor()};
    std::string address_;
    std::shared_ptr<void> held_;
    RateLimit rate_;
    beast::flat_buffer buffer_;
    std::optional<Parser> parser_;
    Reply reply_;        // what is being sent
    Response response_;  // of its bytes
    bool is_answering_ = false;
    bool is_reading_ = false;
    bool is_leaving_ = false;  // all is said; the other end shall close
    std::size_t drained_ = 0;  // bytes since then

    File file_{nullptr, std::fclose};  // that is being sent
    std::uint64_t left_ = 0;           // bytes of it
    std::vector<char> piece_;

    mutable std::mutex mutex_;  // of channel_
    std::weak_ptr<Channel> channel_;
    std::atomic<Time> deadline_;
};

}  // namespace instep::server
