// SPDX-License-Identifier: MIT
#include <instep/server/http_session.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/string.hpp>
#include <boost/beast/websocket/rfc6455.hpp>

#include <instep/server/proxy.h>

namespace instep::server {
namespace {

namespace http = boost::beast::http;
using asio::ip::tcp;

constexpr std::size_t slowest_reader =
    8 * 1024;                                    // bytes a second that a client of a large response must read
constexpr std::size_t slowest_sender = 1 << 20;  // bytes a second of a large body
// JSON, which is made for a request, counts as another request for each further 4 kB. Files of the page
// do not.
constexpr double bytes_of_one_request = 4096;
constexpr std::string_view json_type = "application/json";
constexpr std::size_t piece_size = 64 * 1024;  // bytes of a file that are in memory at a time
constexpr std::chrono::seconds most_disk_wait{60};

}  // namespace

HttpSession::HttpSession(std::shared_ptr<SessionContext> shared, Socket socket, const IpAddress& peer,
                         Permits held)
    : shared_(std::move(shared)),
      stream_(std::in_place, std::move(socket), shared_->tls.current().get(),
              RateLimit(shared_->settings.limits.bytes_per_second, Clock::now()), shared_->metrics.bytes_in),
      peer_(peer),
      is_counted_(!shared_->is_trusted_proxy(peer)),
      client_(peer),
      address_(LimitedNetworks(peer).narrowest().text()),
      held_(std::move(held)),
      rate_(shared_->settings.limits.messages_per_second, Clock::now()),
      deadline_(Clock::now() + request_timeout()) {}

std::chrono::milliseconds HttpSession::request_timeout() const {
    return std::chrono::milliseconds(shared_->settings.limits.handshake_ms);
}

std::shared_ptr<WebSocketSession> HttpSession::websocket() const {
    const LockGuard lock(mutex_);
    return websocket_.lock();
}

void HttpSession::begin() {
    if (shared_->settings.proxy_protocol && shared_->is_trusted_proxy(peer_)) return read_proxy_header();
    begin_tls();
}

void HttpSession::begin_tls() {
    if (!stream_->tls()) return read();
    stream_->tls()->async_handshake(asio::ssl::stream_base::server,
                                    [self = shared_from_this()](error_code error) {
                                        if (error) return self->abort();
                                        self->read();
                                    });
}

void HttpSession::check(Time now) {
    if (const auto websocket = this->websocket()) return websocket->check(now);
    if (now <= deadline_.load()) return;
    asio::post(executor_, [self = shared_from_this()] { self->time_out(); });
}

void HttpSession::stop() {
    asio::post(executor_, [self = shared_from_this()] {
        if (const auto websocket = self->websocket())
            websocket->refuse({RefusalReason::stopping, "the server is stopping; try again in a moment"});
        else
            self->abort();
    });
}

void HttpSession::drop(const IpNetwork& network, const Refusal& refusal) {
    asio::post(executor_, [self = shared_from_this(), network, refusal] {
        if (!network.contains(self->client_)) return;
        const auto websocket = self->websocket();
        websocket ? websocket->refuse(refusal) : self->abort();
    });
}

// --- The client behind a proxy

void HttpSession::read_proxy_header() {
    const ProxyHeader header = parse_proxy_header(proxy_header_);
    if (!header.problem.empty())
        return refuse_raw({RefusalReason::bad_request,
                           "a connection from a trusted proxy must begin with a valid PROXY header: " +
                               std::string(header.problem)});
    if (header.missing == 0) return take_proxy_header(header.client);
    const std::size_t read = proxy_header_.size();
    proxy_header_.resize(read + header.missing);
    asio::async_read(stream_->socket(), asio::buffer(proxy_header_.data() + read, header.missing),
                     [self = shared_from_this()](error_code error, std::size_t) {
                         error ? self->abort() : self->read_proxy_header();
                     });
}

void HttpSession::take_proxy_header(const std::optional<IpAddress>& client) {
    proxy_header_ = {};
    if (client) set_client(peer_ = *client);
    if (!shared_->is_trusted_proxy(peer_))
        if (const auto refusal = count_client()) return refuse_raw(*refusal);
    begin_tls();
}

void HttpSession::set_client(const IpAddress& client) {
    client_ = client;
    address_ = LimitedNetworks(client).narrowest().text();
}

std::optional<Refusal> HttpSession::count_client() {
    if (is_counted_) return {};
    auto permit = shared_->limits.acquire_address(client_);
    if (!permit) return too_many_from_address(shared_->limits);
    held_.push_back(std::move(*permit));
    is_counted_ = true;
    return {};
}

// Before TLS, where no response can be read.
void HttpSession::refuse_raw(const Refusal& refusal) {
    if (!stream_->tls()) return refuse(refusal);
    shared_->metrics.count(refusal.reason);
    shared_->log.refusal(refusal, address_);
    abort();
}

IpAddress HttpSession::client_of(const Parser::value_type& message) const {
    if (!shared_->is_trusted_proxy(peer_)) return peer_;
    std::string list;  // a header may come in several lines (RFC 9110, 5.2)
    for (const auto& field : message)
        if (beast::iequals(field.name_string(), "X-Forwarded-For"))
            list += (list.empty() ? "" : ",") + std::string(field.value());
    return forwarded_client(list, peer_, shared_->settings.trusted_proxies);
}

// Whether that client may do what it asks for. A connection of a proxy is counted for its client only once it
// is a WebSocket: before that, each request may be another client's.
std::optional<Refusal> HttpSession::check_client(bool is_upgrade) {
    if (const auto allowed = shared_->handler.may_connect(client_); !allowed) return allowed.error();
    AddressRate& rate = is_upgrade ? shared_->rates.upgrades : shared_->rates.requests;
    if (const auto wait = rate.take(client_, Clock::now()); wait.count() > 0)
        return rate_limited(is_upgrade ? "connections" : "requests", wait);
    return is_upgrade ? count_client() : std::nullopt;
}

// --- Requests

// A client over plain TCP that sends nothing costs no parser and no buffer.
void HttpSession::read() {
    is_answering_ = false;
    parser_.reset();
    const bool has_more =
        stream_->tls() || buffer_.size() > 0;  // read already, so that no wait on the socket would end
    if (has_more) return read_request();
    stream_->socket().async_wait(tcp::socket::wait_read, [self = shared_from_this()](error_code error) {
        if (!error && self->stream_ && !self->is_answering_) self->read_request();
    });
}

void HttpSession::read_request() {
    const Limits& limits = shared_->settings.limits;
    parser_.emplace();
    parser_->header_limit(limits.request_bytes);
    parser_->body_limit(std::max<std::uint64_t>(limits.request_bytes, shared_->handler.largest_body()));
    is_reading_ = true;
    if (shared_->handler.largest_body() > 0) {
        http::async_read_header(
            *stream_, buffer_, *parser_,
            [self = shared_from_this()](error_code error, std::size_t) { self->take_header(error); });
        return;
    }
    http::async_read(*stream_, buffer_, *parser_, [self = shared_from_this()](error_code error, std::size_t) {
        self->take_request(error);
    });
}

// A large body is read only from a caller that may send one, which its header shows.
void HttpSession::take_header(error_code error) {
    if (error || is_answering_) return take_request(error);
    const std::uint64_t usual = shared_->settings.limits.request_bytes;
    const auto size = parser_->content_length();
    if (!size) parser_->body_limit(usual);  // in chunks
    if (size && *size > usual) {
        const auto head = head_of(parser_->get());
        if (!head || !shared_->handler.may_send(*head, *size)) return take_request(http::error::body_limit);
        deadline_ = Clock::now() + request_timeout() + std::chrono::seconds(*size / slowest_sender);
    }
    http::async_read(
        *stream_, buffer_, *parser_,
        [self = shared_from_this()](error_code failed, std::size_t) { self->take_request(failed); });
}

// Everything but the body. Empty: its target is malformed.
std::optional<Request> HttpSession::head_of(const Parser::value_type& message) const {
    Request request;
    request.method = std::string(message.method_string());
    request.host = std::string(message[http::field::host]);
    request.origin = std::string(message[http::field::origin]);
    request.accept_encoding = std::string(message[http::field::accept_encoding]);
    request.if_none_match = std::string(message[http::field::if_none_match]);
    request.authorization = std::string(message[http::field::authorization]);
    request.address = address_;
    if (!parse_target({message.target().data(), message.target().size()}, request)) return {};
    return request;
}

void HttpSession::take_request(error_code error) {
    is_reading_ = false;
    if (is_answering_) {  // it came after its time was over
        if (is_draining_) drain(error, 0);
        return;
    }
    if (error == http::error::end_of_stream) return abort();
    if (error == http::error::body_limit || error == http::error::header_limit)
        return refuse({RefusalReason::too_large, "the header and the body of a request may each have " +
                                                     std::to_string(shared_->settings.limits.request_bytes) +
                                                     " bytes"});
    const bool is_malformed =
        error && error.category() == make_error_code(http::error::bad_method).category();
    if (is_malformed && stream_->has_read_anything())
        return refuse({RefusalReason::bad_request, "this is not an HTTP request: " + error.message()});
    if (error) return abort();
    if (stream_->has_read_too_much() || !rate_.take(1, Clock::now()))
        return refuse(
            {RefusalReason::too_many_messages, "too many requests came from this connection; send fewer"});

    auto& message = parser_->get();
    const bool is_upgrade = ws::is_upgrade(message);
    set_client(client_of(message));
    if (const auto refusal = check_client(is_upgrade)) return refuse(*refusal);
    auto head = head_of(message);
    if (!head) return refuse({RefusalReason::bad_request, "the request's target is malformed"});
    Request request = std::move(*head);
    request.body = std::move(message.body());
    if (is_upgrade) return upgrade(std::move(request));
    ++shared_->metrics.requests;
    Response response = shared_->handler.answer(request);
    const double cost = static_cast<double>(response.content().size()) / bytes_of_one_request;
    if (cost > 1 && response.type == json_type)
        shared_->rates.requests.charge(client_, cost - 1, Clock::now());
    answer(std::move(response), message.keep_alive());
}

// --- Responses

void HttpSession::answer(Response response, bool keep_alive) {
    is_answering_ = true;
    response_ = std::move(response);
    if (response_.later) return reply_later(keep_alive);
    if (response_.file) return open_file(keep_alive);
    write_response(response_.content().size(), keep_alive);
}

void HttpSession::reply_later(bool keep_alive) {
    set_deadline_for(0);
    const auto ask = std::exchange(response_.later, nullptr);
    ask([self = shared_from_this(), keep_alive](Response response) {
        asio::post(self->executor_, [self, keep_alive, response = std::move(response)]() mutable {
            if (self->stream_) self->answer(std::move(response), keep_alive);
        });
    });
}

void HttpSession::write_response(std::uint64_t size, bool keep_alive) {
    beast_response_ = {};
    beast_response_.version(11);
    beast_response_.result(response_.status);
    beast_response_.set(http::field::server, "instep");
    beast_response_.set(http::field::content_type, response_.type);
    beast_response_.set("X-Content-Type-Options", "nosniff");
    beast_response_.set(http::field::cache_control, response_.cache);
    for (const auto& [name, value] : response_.headers) beast_response_.set(name, value);
    beast_response_.keep_alive(keep_alive && !shared_->stopping && shared_->accepting);
    if (beast_response_.result() != http::status::not_modified) beast_response_.content_length(size);
    const bool wants_head = parser_ && parser_->get().method() == http::verb::head;
    if (wants_head) response_.file.reset();
    if (const std::string_view content = response_.content(); !wants_head)
        beast_response_.body() = {content.data(), content.size()};
    set_deadline_for(beast_response_.body().size());
    http::async_write(*stream_, beast_response_, [self = shared_from_this()](error_code error, std::size_t) {
        if (error) return self->hang_up();
        self->response_.file ? self->send_piece() : self->end_answer();
    });
}

void HttpSession::set_deadline_for(std::size_t size) {
    deadline_ = Clock::now() + request_timeout() + std::chrono::seconds(size / slowest_reader);
}

void HttpSession::end_answer() {
    piece_ = {};
    response_ = {};
    buffer_.shrink_to_fit();
    if (!beast_response_.keep_alive()) return hang_up();
    deadline_ = Clock::now() + request_timeout();
    read();
}

// The header waits for the first piece, since the file may not be there any more.
void HttpSession::open_file(bool keep_alive) {
    left_ = response_.file->size;
    read_piece([this, keep_alive](int error) {
        if (error == 0) return write_response(left_, keep_alive);
        if (error != ENOENT)  // deleted just now
            shared_->log.error("file_not_opened", {{"error", std::generic_category().message(error)}});
        response_.file.reset();
        refuse({RefusalReason::not_found, "the file cannot be read any more"});
    });
}

// The client is not to blame for a slow disk, so its deadline waits.
void HttpSession::read_piece(std::function<void(int error)> then) {
    deadline_ = Clock::now() + most_disk_wait;
    const FileBody& file = *response_.file;
    file.source->read(
        file.size - left_, std::min<std::uint64_t>(left_, piece_size),
        [self = shared_from_this(), then = std::move(then)](int error, std::vector<std::byte> piece) {
            asio::post(self->executor_, [self, then, error, piece = std::move(piece)]() mutable {
                self->piece_ = std::move(piece);
                if (self->stream_) then(error);
            });
        });
}

void HttpSession::send_next_piece() {
    if (left_ == 0) return end_answer();
    const Time deadline = deadline_;
    const Time asked = Clock::now();
    read_piece([this, deadline, asked](int error) {
        deadline_ = deadline + (Clock::now() - asked);
        if (error != 0) piece_.clear();
        send_piece();
    });
}

void HttpSession::send_piece() {
    const std::size_t size = piece_.size();
    if (size == 0 && left_ > 0) {  // the disk failed, or the file has become shorter
        shared_->log.error("file_truncated", {{"missing_bytes", static_cast<double>(left_)}});
        return abort();
    }
    left_ -= size;
    // Each piece extends the deadline by its size alone, so that the slowest rate holds for the whole file.
    deadline_ = std::min(deadline_.load(), Clock::now() + request_timeout()) +
                std::chrono::seconds(size / slowest_reader);
    asio::async_write(*stream_, asio::buffer(piece_.data(), size),
                      [self = shared_from_this()](error_code error, std::size_t) {
                          error ? self->hang_up() : self->send_next_piece();
                      });
}

void HttpSession::refuse(const Refusal& refusal) {
    shared_->metrics.count(refusal.reason);
    shared_->log.refusal(refusal, address_);
    answer(response_to(refusal), false);
}

void HttpSession::upgrade(Request request) {
    if (buffer_.size() > 0)
        return refuse(
            {RefusalReason::bad_request, "wait for the response to the upgrade before sending more"});
    if (const auto allowed = shared_->handler.may_upgrade(request); !allowed) return refuse(allowed.error());
    auto websocket = std::make_shared<WebSocketSession>(std::move(*stream_), shared_->settings.limits,
                                                        shared_->metrics, &shared_->log, address_);
    stream_.reset();
    buffer_ = {};
    websocket->limit_hellos(shared_->rates.hellos, client_);
    websocket->keep(std::make_shared<std::pair<std::shared_ptr<HttpSession>, Permits>>(shared_from_this(),
                                                                                       std::move(held_)));
    {
        const LockGuard lock(mutex_);
        websocket_ = websocket;
    }
    websocket->stream().set_option(ws::stream_base::decorator(
        [](ws::response_type& response) { response.set(http::field::server, "instep"); }));
    websocket->stream().async_accept(parser_->get(), [self = shared_from_this(), websocket,
                                                      request = std::move(request)](error_code error) {
        self->parser_.reset();
        if (error) return websocket->abort();
        self->begin_websocket(*websocket, request);
    });
}

void HttpSession::begin_websocket(WebSocketSession& websocket, const Request& request) {
    auto handler = shared_->handler.accept(request);
    websocket.begin(handler ? std::move(*handler) : nullptr);
    if (!handler) websocket.refuse(handler.error());
}

// --- Ending

void HttpSession::time_out() {
    if (!stream_ || Clock::now() <= deadline_.load()) return;  // a request came in the meantime
    const bool has_begun = parser_ && parser_->got_some();     // false: idle between requests
    if (!has_begun || is_answering_) return abort();
    refuse({RefusalReason::handshake_timeout, "the request was not complete within " +
                                                  std::to_string(shared_->settings.limits.handshake_ms) +
                                                  " ms"});
}

// A socket that is closed with unread bytes discards what was written to it. So the client's remaining bytes
// are read, up to a header and a body, until it closes or its deadline passes.
void HttpSession::hang_up() {
    if (!stream_) return;
    error_code ignored;
    stream_->socket().shutdown(tcp::socket::shutdown_send, ignored);
    deadline_ = Clock::now() + request_timeout();
    is_draining_ = true;
    if (!is_reading_) drain({}, 0);
}

void HttpSession::drain(error_code error, std::size_t size) {
    drained_ += size;
    if (error || !stream_ || drained_ > 2 * std::size_t{shared_->settings.limits.request_bytes})
        return abort();
    static thread_local std::array<std::byte, 4096> discarded;
    stream_->socket().async_read_some(
        asio::buffer(discarded),
        [self = shared_from_this()](error_code failed, std::size_t more) { self->drain(failed, more); });
}

void HttpSession::abort() {
    if (!stream_) return;
    error_code ignored;
    stream_->socket().close(ignored);
}

}  // namespace instep::server
