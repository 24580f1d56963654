// SPDX-License-Identifier: MIT
#include <instep/server/http_session.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

#include <boost/asio/write.hpp>
#include <boost/beast/websocket/rfc6455.hpp>

namespace instep::server {
namespace {

namespace http = boost::beast::http;
using asio::ip::tcp;

constexpr std::size_t slowest_reader =
    8 * 1024;                                  // bytes a second that a client of a large response must read
constexpr std::size_t piece_size = 64 * 1024;  // bytes of a file that are in memory at a time
constexpr std::chrono::seconds most_disk_wait{60};

}  // namespace

HttpSession::HttpSession(std::shared_ptr<SessionContext> shared, Socket socket, std::string address,
                         std::shared_ptr<void> held)
    : shared_(std::move(shared)),
      stream_(std::in_place, std::move(socket), shared_->tls.current().get(),
              RateLimit(shared_->settings.limits.bytes_per_second, Clock::now()), shared_->metrics.bytes_in),
      address_(std::move(address)),
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
    parser_->body_limit(limits.request_bytes);
    is_reading_ = true;
    http::async_read(*stream_, buffer_, *parser_, [self = shared_from_this()](error_code error, std::size_t) {
        self->take_request(error);
    });
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

    const auto& message = parser_->get();
    Request request;
    request.method = std::string(message.method_string());
    request.host = std::string(message[http::field::host]);
    request.origin = std::string(message[http::field::origin]);
    request.accept_encoding = std::string(message[http::field::accept_encoding]);
    request.if_none_match = std::string(message[http::field::if_none_match]);
    request.body = message.body();
    request.address = address_;
    if (!parse_target({message.target().data(), message.target().size()}, request))
        return refuse({RefusalReason::bad_request, "the request's target is malformed"});
    if (ws::is_upgrade(message)) return upgrade(std::move(request));
    ++shared_->metrics.requests;
    answer(shared_->handler.answer(request), message.keep_alive());
}

// --- Responses

void HttpSession::answer(Response response, bool keep_alive) {
    is_answering_ = true;
    response_ = std::move(response);
    if (response_.file) return open_file(keep_alive);
    write_response(response_.content().size(), keep_alive);
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
    beast_response_.keep_alive(keep_alive && !shared_->stopping);
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
    websocket->keep(std::make_shared<std::pair<std::shared_ptr<HttpSession>, std::shared_ptr<void>>>(
        shared_from_this(), std::move(held_)));
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
