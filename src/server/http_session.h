// SPDX-License-Identifier: MIT
// One connection that speaks HTTP: reads requests, answers them, and becomes a WebSocketSession when the
// client asks for a WebSocket. Threads of the disk read files, piece by piece.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <boost/beast/http.hpp>

#include <instep/server/connection_limits.h>
#include <instep/server/mutex.h>
#include <instep/server/tls_certificate.h>
#include <instep/server/websocket_session.h>

namespace instep::server {

struct SessionContext {  // shared by all sessions of a listener
    SessionContext(Loop& the_loop, RequestHandler& the_handler, const Settings& given, Metrics& counts,
                   Log& the_log)
        : loop(the_loop),
          handler(the_handler),
          settings(given),
          metrics(counts),
          log(the_log),
          limits(given.limits.most_connections, given.limits.most_connections_per_address,
                 &counts.connections) {}

    Loop& loop;
    RequestHandler& handler;
    Settings settings;
    Metrics& metrics;
    Log& log;
    ConnectionLimits limits;
    TlsCertificate tls;
    std::atomic<bool> stopping{false};
};

class HttpSession : public std::enable_shared_from_this<HttpSession> {
public:
    // `held` is released when the connection has ended.
    HttpSession(std::shared_ptr<SessionContext> shared, Socket socket, std::string address,
                std::shared_ptr<void> held);

    const SocketExecutor& executor() const { return executor_; }
    void begin();

    // From any thread. Both reach the WebSocket session too, if the connection has become one.
    void check(Time now);  // closes it if its time is over
    void stop();

private:
    using Parser = boost::beast::http::request_parser<boost::beast::http::string_body>;
    using BeastResponse = boost::beast::http::response<boost::beast::http::span_body<const char>>;

    std::chrono::milliseconds request_timeout() const;
    std::shared_ptr<WebSocketSession> websocket() const;

    void read();
    void read_request();
    void take_request(error_code error);
    void answer(Response response, bool keep_alive);
    void open_file(bool keep_alive);
    void write_response(std::uint64_t size, bool keep_alive);
    void set_deadline_for(std::size_t size);
    void read_piece(std::function<void(int error)> then);
    void send_next_piece();
    void send_piece();
    void end_answer();
    void refuse(const Refusal& refusal);
    void upgrade(Request request);
    void begin_websocket(WebSocketSession& websocket, const Request& request);
    void time_out();
    void hang_up();
    void drain(error_code error, std::size_t size);
    void abort();

    std::shared_ptr<SessionContext> shared_;
    std::optional<Stream> stream_;  // until the WebSocket session takes it over
    SocketExecutor executor_{stream_->get_executor()};
    std::string address_;
    std::shared_ptr<void> held_;
    RateLimit rate_;
    beast::flat_buffer buffer_;
    std::optional<Parser> parser_;
    Response response_;             // the one that is being sent
    BeastResponse beast_response_;  // refers to the bytes of response_
    bool is_answering_ = false;
    bool is_reading_ = false;
    bool is_draining_ = false;  // the response is sent; waiting for the client to close
    std::size_t drained_ = 0;   // bytes read since then

    std::uint64_t left_ = 0;  // bytes of the file that is being sent
    std::vector<std::byte> piece_;

    mutable Mutex mutex_;
    std::weak_ptr<WebSocketSession> websocket_ GUARDED_BY(mutex_);
    std::atomic<Time> deadline_;
};

}  // namespace instep::server
