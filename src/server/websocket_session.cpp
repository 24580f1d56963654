// SPDX-License-Identifier: MIT
#include <instep/server/websocket_session.h>

#include <boost/asio/steady_timer.hpp>
#include <boost/beast/websocket.hpp>

namespace instep::server {
namespace {

constexpr std::chrono::milliseconds close_timeout{2000};  // of the closing handshake
constexpr std::size_t most_reason = 123;                  // bytes of a close frame's text (RFC 6455, 5.5)

std::chrono::milliseconds ms(std::uint32_t count) { return std::chrono::milliseconds(count); }

}  // namespace

void Stream::read_tls(Tls& tls, asio::mutable_buffer into, Done done) {
    tls.async_read_some(into, std::move(done));
}

void Stream::write_tls(Tls& tls, asio::const_buffer from, Done done) {
    tls.async_write_some(from, std::move(done));
}

WebSocketSession::WebSocketSession(Stream stream, const Limits& limits, Metrics& metrics, Log* log,
                                   std::string address)
    : stream_(std::move(stream)),
      flush_queue_(asio::use_service<FlushQueue>(stream_.get_executor().context())),
      limits_(limits),
      metrics_(metrics),
      log_(log),
      address_(std::move(address)),
      message_rate_(limits.messages_per_second, Clock::now()),
      opened_at_(Clock::now()),
      silent_since_(opened_at_.load()) {
    stream_.binary(true);
    stream_.read_message_max(limits.message_bytes);
    // Beast answers control frames; they count as messages. A read must not be closed from its own callback,
    // so the refusal is posted.
    stream_.control_callback([this](ws::frame_type, beast::string_view) {
        silent_since_ = Clock::now();
        if (!message_rate_.take(1, Clock::now()) && !std::exchange(too_many_controls_, true))
            refuse(too_many_messages());
    });
}

void WebSocketSession::begin(std::unique_ptr<SessionHandler> handler) {
    handler_ = std::move(handler);
    opened_at_ = Clock::now();
    silent_since_ = opened_at_.load();
    if (handler_) handler_->opened(shared_from_this());
    read();
}

// No read begins once the close frame is under way: Beast's close reads what still comes. If a new read found
// the client's close frame in the buffer, it and the close would wait for each other for ever.
void WebSocketSession::read() {
    if (has_ended_ || close_sent_) return;
    stream_.async_read(received_, [self = shared_from_this()](error_code error, std::size_t) {
        if (error) return self->ended(error);
        self->take_message();
        self->read();
    });
}

void WebSocketSession::take_message() {
    const Time now = Clock::now();
    silent_since_ = now;
    metrics_.messages_in.fetch_add(1, std::memory_order_relaxed);
    if (!is_closing_) {
        if (const auto refusal = refusal_of_message(now))
            refuse_now(*refusal);
        else if (handler_)
            handler_->received({static_cast<const std::byte*>(received_.data().data()), received_.size()});
    }
    received_.consume(received_.size());
}

std::optional<Refusal> WebSocketSession::refusal_of_message(Time now) {
    const bool is_first = !has_message_.exchange(true);
    if (!message_rate_.take(1, now)) return too_many_messages();
    if (!stream_.got_binary())
        return Refusal{RefusalReason::not_binary, "messages must be binary; this was text"};
    if (is_first && hellos_)
        if (const auto wait = hellos_->take(client_, now); wait.count() > 0)
            return rate_limited("joins", wait);
    return {};
}

Refusal WebSocketSession::too_many_messages() const {
    return {RefusalReason::too_many_messages, "more than " + std::to_string(limits_.messages_per_second) +
                                                  " messages a second came from this connection; send fewer"};
}

// --- Sending

void WebSocketSession::send(codec::ByteView message) {
    bool must_post = false;
    {
        const LockGuard lock(mutex_);
        pending_.bytes.insert(pending_.bytes.end(), message.begin(), message.end());
        pending_.sizes.push_back(message.size());
        waiting_ += message.size();
        must_post = !std::exchange(flush_posted_, true);
    }
    if (must_post) flush_queue_.add(shared_from_this());
    if (waiting_ > limits_.buffered_bytes)
        asio::post(stream_.get_executor(), [self = shared_from_this()] { self->cut_slow_reader(); });
}

void WebSocketSession::flush() {
    if (!is_writing_) write_next();
}

void FlushQueue::flush() {
    {
        const LockGuard lock(mutex_);
        std::swap(ready_, flushing_);
        is_posted_ = false;
    }
    for (const auto& session : flushing_) session->flush();
    flushing_.clear();
}

void WebSocketSession::write_next() {
    if (has_ended_ || close_sent_) return;
    if (next_ == writing_.sizes.size()) {
        writing_.bytes.clear();
        writing_.sizes.clear();
        next_ = offset_ = 0;
        const LockGuard lock(mutex_);
        std::swap(writing_, pending_);
        flush_posted_ = !writing_.sizes.empty();  // while a write is under way no other flush is needed
    }
    if (writing_.sizes.empty()) return send_close_if_ready();
    is_writing_ = true;
    write_began_ = Clock::now();
    const std::size_t size = writing_.sizes[next_];
    stream_.async_write(
        asio::buffer(writing_.bytes.data() + offset_, size),
        asio::bind_allocator(HandlerAllocator<void>(write_memory_),
                             [self = shared_from_this(), size](error_code error, std::size_t) {
                                 self->written(error, size);
                             }));
}

void WebSocketSession::written(error_code error, std::size_t size) {
    is_writing_ = false;
    write_began_ = Time::max();
    waiting_ -= size;
    offset_ += size;
    ++next_;
    metrics_.messages_out.fetch_add(1, std::memory_order_relaxed);
    metrics_.bytes_out.fetch_add(size, std::memory_order_relaxed);
    if (!error) write_next();
}

// --- Ending

void WebSocketSession::refuse(Refusal refusal) {
    asio::post(stream_.get_executor(),
               [self = shared_from_this(), refusal = std::move(refusal)] { self->refuse_now(refusal); });
}

void WebSocketSession::refuse_now(const Refusal& refusal) {
    if (is_closing_ || has_ended_) return;
    const RefusalInfo& info = info_of(refusal.reason);
    metrics_.count(refusal.reason);
    if (log_) log_->refusal(refusal, address_);
    begin_close(info.close_code, std::string(info.name) + ": " + refusal.message);
}

void WebSocketSession::close() {
    asio::post(stream_.get_executor(),
               [self = shared_from_this()] { self->begin_close(ws::close_code::normal, ""); });
}

void WebSocketSession::cut() {
    asio::post(stream_.get_executor(), [self = shared_from_this()] { self->abort(); });
}

void WebSocketSession::begin_close(std::uint16_t code, const std::string& reason) {
    if (is_closing_ || has_ended_) return;
    is_closing_ = true;
    closing_since_ = Clock::now();
    std::size_t size = std::min(reason.size(), most_reason);
    while (size < reason.size() && (reason[size] & 0xC0) == 0x80) --size;  // cut between characters
    close_reason_ =
        ws::close_reason(static_cast<ws::close_code>(code), beast::string_view(reason.data(), size));
    if (!is_writing_) write_next();  // messages that were sent before come first
}

void WebSocketSession::send_close_if_ready() {
    if (!is_closing_ || close_sent_) return;
    close_sent_ = true;
    stream_.async_close(close_reason_,
                        [self = shared_from_this()](error_code) { self->ended(ws::error::closed); });
}

void WebSocketSession::check(Time now) {
    const bool is_slow =
        write_began_.load() != Time::max() && now - write_began_.load() > ms(limits_.slow_ms);
    const bool takes_long =
        closing_since_.load() != Time::max() && now - closing_since_.load() > close_timeout;
    if (is_slow || takes_long) {
        asio::post(stream_.get_executor(), [self = shared_from_this(), is_slow] {
            is_slow ? self->cut_slow_reader() : self->abort();
            self->ended(asio::error::timed_out);  // whatever Beast still waits for
        });
        return;
    }
    const bool has_message = has_message_;
    const std::uint32_t timeout = has_message ? limits_.idle_ms : limits_.handshake_ms;
    const Time since = has_message ? silent_since_ : opened_at_;  // a ping does not count as a hello
    if (now - since <= ms(timeout)) return;
    if (has_message)
        refuse({RefusalReason::idle_timeout, "nothing was received for " + std::to_string(timeout) + " ms"});
    else
        refuse({RefusalReason::handshake_timeout, "no hello came within " + std::to_string(timeout) + " ms"});
}

void WebSocketSession::abort() {
    error_code ignored;
    stream_.next_layer().socket().close(ignored);
    held_.reset();
}

// A client that does not read would not read a close frame either.
void WebSocketSession::cut_slow_reader() {
    refuse_now({RefusalReason::slow_reader, "the client did not read its messages in time"});
    abort();
}

// The stream stops reading when too many bytes came, which Beast takes for a broken connection. So the close
// frame (RFC 6455, 5.5.1) is written by hand. The socket stays open for a second: closed at once, with unread
// bytes, it would discard what was just written.
void WebSocketSession::refuse_flood() {
    const Refusal refusal{
        RefusalReason::too_many_bytes,
        "more than " + std::to_string(limits_.bytes_per_second) + " bytes a second came; send less"};
    const RefusalInfo& info = info_of(refusal.reason);
    metrics_.count(refusal.reason);
    if (log_) log_->refusal(refusal, address_);
    Stream& stream = stream_.next_layer();
    if (is_writing_ || stream.tls()) return abort();
    const std::string reason = std::string(info.name) + ": " + refusal.message;
    std::string frame{'\x88', static_cast<char>(reason.size() + 2), static_cast<char>(info.close_code >> 8),
                      static_cast<char>(info.close_code & 255)};
    frame += reason;
    error_code ignored;
    stream.socket().non_blocking(true, ignored);
    stream.socket().write_some(asio::buffer(frame), ignored);
    stream.socket().shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
    auto timer = std::make_shared<asio::steady_timer>(stream.get_executor(), close_timeout / 2);
    timer->async_wait([self = shared_from_this(), timer](error_code) { self->abort(); });
}

void WebSocketSession::ended(error_code error) {
    if (std::exchange(has_ended_, true)) return;
    CloseReason reason;
    if (error == ws::error::closed) {
        reason.code = stream_.reason().code;
        reason.text.assign(stream_.reason().reason.data(), stream_.reason().reason.size());
    } else if (error == ws::error::message_too_big) {
        metrics_.count(RefusalReason::too_large);
        if (log_)
            log_->refusal({RefusalReason::too_large,
                           "a message had more than " + std::to_string(limits_.message_bytes) + " bytes"},
                          address_);
    }
    stream_.next_layer().has_read_too_much() ? refuse_flood() : abort();
    if (handler_) handler_->closed(reason);
    handler_.reset();
}

}  // namespace instep::server
