// SPDX-License-Identifier: MIT
#include <instep/server/caller.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include <boost/asio/write.hpp>
#include <boost/beast/websocket/rfc6455.hpp>

namespace instep::server {
namespace {

namespace http = boost::beast::http;
using asio::ip::tcp;

constexpr std::size_t slowest_reader = 8 * 1024;  // bytes a second, of whoever is sent a large answer
constexpr std::size_t piece_size = 64 * 1024;     // bytes of a file that are in memory at a time

}  // namespace

Caller::Caller(std::shared_ptr<CallerShare> shared, Socket socket, std::string address,
               std::shared_ptr<void> held)
    : shared_(std::move(shared)),
      stream_(std::in_place, std::move(socket), shared_->tls ? &*shared_->tls : nullptr,
              RateLimit(shared_->settings.limits.bytes_per_second, Clock::now()), shared_->figures.bytes_in),
      address_(std::move(address)),
      held_(std::move(held)),
      rate_(shared_->settings.limits.messages_per_second, Clock::now()),
      deadline_(Clock::now() + patience()) {}

std::chrono::milliseconds Caller::patience() const {
    return std::chrono::milliseconds(shared_->settings.limits.handshake_ms);
}

std::shared_ptr<Channel> Caller::channel() const {
    const std::lock_guard lock(mutex_);
    return channel_.lock();
}

void Caller::begin() {
    if (!stream_->tls()) return read();
    stream_->tls()->async_handshake(asio::ssl::stream_base::server,
                                    [self = shared_from_this()](error_code error) {
                                        if (error) return self->abort();
                                        self->read();
                                    });
}

void Caller::check(Time now) {
    if (const auto channel = this->channel()) return channel->check(now);
    if (now <= deadline_.load()) return;
    asio::post(executor_, [self = shared_from_this()] { self->time_out(); });
}

void Caller::stop() {
    asio::post(executor_, [self = shared_from_this()] {
        if (const auto channel = self->channel())
            channel->refuse({Cause::stopping, "the server is being stopped; come back in a moment"});
        else
            self->abort();
    });
}

// --- Requests

// Whoever says nothing over plain TCP is given no memory to say it in.
void Caller::read() {
    is_answering_ = false;
    parser_.reset();
    const bool has_more = stream_->tls() || buffer_.size() > 0;  // that no socket would tell of
    if (has_more) return read_request();
    stream_->socket().async_wait(tcp::socket::wait_read, [self = shared_from_this()](error_code error) {
        if (!error && self->stream_ && !self->is_answering_) self->read_request();
    });
}

void Caller::read_request() {
    const Limits& limits = shared_->settings.limits;
    parser_.emplace();
    parser_->header_limit(limits.request_bytes);
    parser_->body_limit(limits.request_bytes);
    is_reading_ = true;
    http::async_read(*stream_, buffer_, *parser_, [self = shared_from_this()](error_code error, std::size_t) {
        self->take_request(error);
    });
}

void Caller::take_request(error_code error) {
    is_reading_ = false;
    if (is_answering_) {  // it was too late
        if (is_leaving_) drain(error, 0);
        return;
    }
    if (error == http::error::end_of_stream) return abort();
    if (error == http::error::body_limit || error == http::error::header_limit)
        return refuse({Cause::too_large, "a request's header and its body may each have " +
                                             std::to_string(shared_->settings.limits.request_bytes) +
                                             " bytes"});
    const bool is_malformed =
        error && error.category() == make_error_code(http::error::bad_method).category();
    if (is_malformed && stream_->has_read_anything())
        return refuse({Cause::bad_request, "this is no HTTP request: " + error.message()});
    if (error) return abort();
    if (stream_->has_read_too_much() || !rate_.take(1, Clock::now()))
        return refuse({Cause::too_many_messages, "too many requests came from this connection; send fewer"});

    const auto& message = parser_->get();
    Request request;
    request.method = std::string(message.method_string());
    request.host = std::string(message[http::field::host]);
    request.origin = std::string(message[http::field::origin]);
    request.accept_encoding = std::string(message[http::field::accept_encoding]);
    request.if_none_match = std::string(message[http::field::if_none_match]);
    request.body = message.body();
    request.address = address_;
    if (!read_target({message.target().data(), message.target().size()}, request))
        return refuse({Cause::bad_request, "the address that was asked for is not well-formed"});
    if (websocket::is_upgrade(message)) return upgrade(std::move(request));
    ++shared_->figures.requests;
    answer(shared_->gate.answer(request), message.keep_alive());
}

// --- Answers

void Caller::answer(Reply reply, bool keep_alive) {
    is_answering_ = true;
    reply_ = std::move(reply);
    if (reply_.file) return open_file(keep_alive);
    write_response(reply_.content().size(), keep_alive);
}

void Caller::write_response(std::uint64_t size, bool keep_alive) {
    response_ = {};
    response_.version(11);
    response_.result(reply_.status);
    response_.set(http::field::server, "instep");
    response_.set(http::field::content_type, reply_.type);
    response_.set("X-Content-Type-Options", "nosniff");
    response_.set(http::field::cache_control, reply_.cache);
    for (const auto& [name, value] : reply_.headers) response_.set(name, value);
    response_.keep_alive(keep_alive && !shared_->stopping);
    if (response_.result() != http::status::not_modified) response_.content_length(size);
    const bool wants_head = parser_ && parser_->get().method() == http::verb::head;
    if (wants_head) file_.reset();
    if (const std::string_view content = reply_.content(); !wants_head)
        response_.body() = {content.data(), content.size()};
    set_deadline_for(response_.body().size());
    http::async_write(*stream_, response_, [self = shared_from_this()](error_code error, std::size_t) {
        if (error) return self->hang_up();
        self->file_ ? self->send_next_piece() : self->end_answer();
    });
}

// However large a file is, whoever reads nothing of it is not waited for any longer than others.
void Caller::set_deadline_for(std::size_t size) {
    deadline_ = Clock::now() + patience() + std::chrono::seconds(size / slowest_reader);
}

void Caller::end_answer() {
    file_.reset();
    piece_ = {};
    reply_ = {};
    buffer_.shrink_to_fit();
    if (!response_.keep_alive()) return hang_up();
    deadline_ = Clock::now() + patience();
    read();
}

// A disk may be slow, so that opening and reading are no work for the thread of sockets.
void Caller::open_file(bool keep_alive) {
    set_deadline_for(0);
    shared_->loop.post_aside([self = shared_from_this(), keep_alive] {
        self->file_.reset(std::fopen(self->reply_.file->path.c_str(), "rb"));
        const error_code error(self->file_ ? 0 : errno, boost::system::system_category());
        asio::post(self->executor_, [self, keep_alive, error] {
            if (!self->file_) {
                if (error != boost::system::errc::no_such_file_or_directory)  // else it has just gone
                    self->shared_->log.error("file_not_opened", {{"error", error.message()}});
                return self->refuse({Cause::not_found, "what was asked for cannot be read any more"});
            }
            self->left_ = self->reply_.file->size;
            self->write_response(self->left_, keep_alive);
        });
    });
}

void Caller::send_next_piece() {
    if (left_ == 0) return end_answer();
    shared_->loop.post_aside([self = shared_from_this()] {
        self->piece_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(self->left_, piece_size)));
        const std::size_t size = std::fread(self->piece_.data(), 1, self->piece_.size(), self->file_.get());
        asio::post(self->executor_, [self, size] { self->send_piece(size); });
    });
}

void Caller::send_piece(std::size_t size) {
    if (size == 0) {  // the disk fails, or the file has become shorter than it was said to be
        shared_->log.error("file_cut_off", {{"missing_bytes", static_cast<double>(left_)}});
        return abort();
    }
    left_ -= size;
    // What it has left of its patience goes on; new patience with each piece would be a pace of its own.
    deadline_ =
        std::min(deadline_.load(), Clock::now() + patience()) + std::chrono::seconds(size / slowest_reader);
    asio::async_write(*stream_, asio::buffer(piece_.data(), size),
                      [self = shared_from_this()](error_code error, std::size_t) {
                          error ? self->hang_up() : self->send_next_piece();
                      });
}

void Caller::refuse(const Refusal& refusal) {
    shared_->figures.count(refusal.cause);
    shared_->log.refusal(info_of(refusal.cause).word, refusal.sentence, address_);
    answer(reply_of(refusal), false);
}

void Caller::upgrade(Request request) {
    if (buffer_.size() > 0)
        return refuse({Cause::bad_request, "wait for the answer to an upgrade before you send more"});
    if (const auto allowed = shared_->gate.may_upgrade(request); !allowed) return refuse(allowed.error());
    auto channel = std::make_shared<Channel>(std::move(*stream_), shared_->settings.limits, shared_->figures,
                                             &shared_->log, address_);
    stream_.reset();
    buffer_ = {};
    channel->keep(std::make_shared<std::pair<std::shared_ptr<Caller>, std::shared_ptr<void>>>(
        shared_from_this(), std::move(held_)));
    {
        const std::lock_guard lock(mutex_);
        channel_ = channel;
    }
    channel->websocket().set_option(websocket::stream_base::decorator(
        [](websocket::response_type& response) { response.set(http::field::server, "instep"); }));
    auto& accepting = channel->websocket();
    accepting.async_accept(
        parser_->get(), [self = shared_from_this(), channel, request = std::move(request)](error_code error) {
            self->parser_.reset();
            if (error) return channel->abort();
            self->settle(*channel, request);
        });
}

void Caller::settle(Channel& channel, const Request& request) {
    auto visitor = shared_->gate.admit(request);
    channel.begin(visitor ? std::move(*visitor) : nullptr);
    if (!visitor) channel.refuse(visitor.error());
}

void Caller::time_out() {
    if (!stream_ || Clock::now() <= deadline_.load()) return;  // it is there just in time
    const bool has_begun = parser_ && parser_->got_some();     // or just keeps the line
    if (!has_begun || is_answering_) return abort();
    refuse({Cause::handshake_timeout, "the request was not whole within " +
                                          std::to_string(shared_->settings.limits.handshake_ms) + " ms"});
}

// What was written arrives only if the other end has time to read it, and if nothing of what it still sends
// is left unread when the socket is closed. Until its deadline that may be as much as a header and a body.
void Caller::hang_up() {
    if (!stream_) return;
    error_code ignored;
    stream_->socket().shutdown(tcp::socket::shutdown_send, ignored);
    deadline_ = Clock::now() + patience();
    is_leaving_ = true;
    if (!is_reading_) drain({}, 0);
}

void Caller::drain(error_code error, std::size_t size) {
    drained_ += size;
    if (error || !stream_ || drained_ > 2 * std::size_t{shared_->settings.limits.request_bytes})
        return abort();
    static thread_local std::array<std::byte, 4096> unwanted;
    stream_->socket().async_read_some(
        asio::buffer(unwanted),
        [self = shared_from_this()](error_code failed, std::size_t more) { self->drain(failed, more); });
}

void Caller::abort() {
    if (!stream_) return;
    error_code ignored;
    stream_->socket().close(ignored);
}

}  // namespace instep::server
