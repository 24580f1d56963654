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
                 &counts.connections),
          rates(given.limits) {}

    bool is_trusted_proxy(const IpAddress& address) const {
        return contains(settings.trusted_proxies, address);
    }

    Loop& loop;
    RequestHandler& handler;
    Settings settings;
    Metrics& metrics;
    Log& log;
    ConnectionLimits limits;
    AddressRates rates;
    TlsCertificate tls;
    std::atomic<bool> stopping{false};
    std::atomic<bool> accepting{true};  // false: another process has taken the socket over
};

inline Refusal too_many_from_address(const ConnectionLimits& limits) {
    return {RefusalReason::too_many_from_address, "your address has " +
                                                      std::to_string(limits.most_per_address()) +
                                                      " connections, which is the limit; close some"};
}

class HttpSession : public std::enable_shared_from_this<HttpSession> {
public:
    using Permits = std::vector<std::shared_ptr<void>>;
    // `held` is released when the connection has ended. A trusted proxy's address has not been counted.
    HttpSession(std::shared_ptr<SessionContext> shared, Socket socket, const IpAddress& peer, Permits held);

    const SocketExecutor& executor() const { return executor_; }
    void begin();

    // From any thread. Both reach the WebSocket session too, if the connection has become one.
    void check(Time now);  // closes it if its time is over
    void stop();
    // Closes the connection if its client is in that network.
    void drop(const IpNetwork& network, const Refusal& refusal);

private:
    using Parser = boost::beast::http::request_parser<boost::beast::http::string_body>;
    using BeastResponse = boost::beast::http::response<boost::beast::http::span_body<const char>>;

    std::chrono::milliseconds request_timeout() const;
    std::shared_ptr<WebSocketSession> websocket() const;

    void read_proxy_header();
    void take_proxy_header(const std::optional<IpAddress>& client);
    void set_client(const IpAddress& client);
    std::optional<Refusal> count_client();
    void begin_tls();
    void read();
    void read_request();
    void take_header(error_code error);
    std::optional<Request> head_of(const Parser::value_type& message) const;
    void take_request(error_code error);
    IpAddress client_of(const Parser::value_type& message) const;
    std::optional<Refusal> check_client(bool is_upgrade);
    void answer(Response response, bool keep_alive);
    void reply_later(bool keep_alive);
    void open_file(bool keep_alive);
    void write_response(std::uint64_t size, bool keep_alive);
    void set_deadline_for(std::size_t size);
    void read_piece(std::function<void(int error)> then);
    void send_next_piece();
    void send_piece();
    void end_answer();
    void refuse(const Refusal& refusal);
    void refuse_raw(const Refusal& refusal);
    void upgrade(Request request);
    void begin_websocket(WebSocketSession& websocket, const Request& request);
    void time_out();
    void hang_up();
    void drain(error_code error, std::size_t size);
    void abort();

    std::shared_ptr<SessionContext> shared_;
    std::optional<Stream> stream_;  // until the WebSocket session takes it over
    SocketExecutor executor_{stream_->get_executor()};
    IpAddress peer_;       // the other end of the connection, or the client that its PROXY header names
    bool is_counted_;      // towards the limit of connections per address
    IpAddress client_;     // of the latest request: peer_, or whom it forwards the request for
    std::string address_;  // of client_, as limits count it
    Permits held_;
    std::vector<std::uint8_t> proxy_header_;  // as far as it is read
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
