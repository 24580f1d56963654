// SPDX-License-Identifier: MIT
#include <instep/server/channel.h>

#include <boost/asio/steady_timer.hpp>
#include <boost/beast/websocket.hpp>

namespace instep::server {
namespace {

constexpr std::chrono::milliseconds most_goodbye{2000};  // for the closing handshake
constexpr std::size_t most_reason = 123;                 // bytes of a close frame's text (RFC 6455, 5.5)

std::chrono::milliseconds ms(std::uint32_t count) { return std::chrono::milliseconds(count); }

}  // namespace

void Stream::read_tls(Tls& tls, asio::mutable_buffer into, Done done) {
    tls.async_read_some(into, std::move(done));
}

void Stream::write_tls(Tls& tls, asio::const_buffer from, Done done) {
    tls.async_write_some(from, std::move(done));
}

Channel::Channel(Stream stream, const Limits& limits, Figures& figures, Log* log, std::string address)
    : websocket_(std::move(stream)),
      outgoing_(asio::use_service<Outgoing>(websocket_.get_executor().context())),
      limits_(limits),
      figures_(figures),
      log_(log),
      address_(std::move(address)),
      message_rate_(limits.messages_per_second, Clock::now()),
      opened_at_(Clock::now()),
      silent_since_(opened_at_.load()) {
    websocket_.binary(true);
    websocket_.read_message_max(limits.message_bytes);
    // They are answered for us; here they count as messages. What is read must not be closed from within.
    websocket_.control_callback([this](websocket::frame_type, beast::string_view) {
        silent_since_ = Clock::now();
        if (!message_rate_.take(1, Clock::now()) && !std::exchange(too_many_, true))
            refuse(too_many_messages());
    });
}

void Channel::begin(std::unique_ptr<Visitor> visitor) {
    visitor_ = std::move(visitor);
    opened_at_ = Clock::now();
    silent_since_ = opened_at_.load();
    if (visitor_) visitor_->opened(shared_from_this());
    read();
}

void Channel::read() {
    if (has_ended_) return;
    websocket_.async_read(heard_, [self = shared_from_this()](error_code error, std::size_t) {
        if (error) return self->ended(error);
        self->take_message();
        self->read();
    });
}

void Channel::take_message() {
    const Time now = Clock::now();
    silent_since_ = now;
    has_spoken_ = true;
    figures_.messages_in.fetch_add(1, std::memory_order_relaxed);
    if (!is_closing_) {
        if (!message_rate_.take(1, now))
            refuse_now(too_many_messages());
        else if (!websocket_.got_binary())
            refuse_now({Cause::not_binary, "only binary messages are spoken here; this was text"});
        else if (visitor_)
            visitor_->heard({static_cast<const std::byte*>(heard_.data().data()), heard_.size()});
    }
    heard_.consume(heard_.size());
}

Refusal Channel::too_many_messages() const {
    return {Cause::too_many_messages, "more than " + std::to_string(limits_.messages_per_second) +
                                          " messages a second came from this connection; send fewer"};
}

// --- Sending

void Channel::send(codec::ByteView message) {
    bool must_post = false;
    {
        const std::lock_guard lock(mutex_);
        pending_.bytes.insert(pending_.bytes.end(), message.begin(), message.end());
        pending_.sizes.push_back(message.size());
        waiting_ += message.size();
        must_post = !std::exchange(flush_posted_, true);
    }
    if (must_post) outgoing_.add(shared_from_this());
    if (waiting_ > limits_.buffered_bytes)
        asio::post(websocket_.get_executor(), [self = shared_from_this()] { self->cut_off(); });
}

void Channel::flush() {
    if (!is_writing_) write_next();
}

void Outgoing::flush() {
    {
        const std::lock_guard lock(mutex_);
        std::swap(ready_, flushed_);
        is_posted_ = false;
    }
    for (const auto& channel : flushed_) channel->flush();
    flushed_.clear();
}

void Channel::write_next() {
    if (has_ended_ || goodbye_sent_) return;
    if (next_ == writing_.sizes.size()) {
        writing_.bytes.clear();
        writing_.sizes.clear();
        next_ = offset_ = 0;
        const std::lock_guard lock(mutex_);
        std::swap(writing_, pending_);
        flush_posted_ = !writing_.sizes.empty();  // while there is something to write nobody need ask for it
    }
    if (writing_.sizes.empty()) return close_if_ready();
    is_writing_ = true;
    write_began_ = Clock::now();
    const std::size_t size = writing_.sizes[next_];
    websocket_.async_write(
        asio::buffer(writing_.bytes.data() + offset_, size),
        asio::bind_allocator(SlotAllocator<void>(write_slot_),
                             [self = shared_from_this(), size](error_code error, std::size_t) {
                                 self->written(error, size);
                             }));
}

void Channel::written(error_code error, std::size_t size) {
    is_writing_ = false;
    write_began_ = Time::max();
    waiting_ -= size;
    offset_ += size;
    ++next_;
    figures_.messages_out.fetch_add(1, std::memory_order_relaxed);
    figures_.bytes_out.fetch_add(size, std::memory_order_relaxed);
    if (!error) write_next();
}

// --- Ending

void Channel::refuse(Refusal refusal) {
    asio::post(websocket_.get_executor(),
               [self = shared_from_this(), refusal = std::move(refusal)] { self->refuse_now(refusal); });
}

void Channel::refuse_now(const Refusal& refusal) {
    if (is_closing_ || has_ended_) return;
    const CauseInfo& info = info_of(refusal.cause);
    figures_.count(refusal.cause);
    if (log_) log_->refusal(info.word, refusal.sentence, address_);
    say_goodbye(info.close_code, std::string(info.word) + ": " + refusal.sentence);
}

void Channel::close() {
    asio::post(websocket_.get_executor(),
               [self = shared_from_this()] { self->say_goodbye(websocket::close_code::normal, ""); });
}

void Channel::cut() {
    asio::post(websocket_.get_executor(), [self = shared_from_this()] { self->abort(); });
}

void Channel::say_goodbye(std::uint16_t code, const std::string& reason) {
    if (is_closing_ || has_ended_) return;
    is_closing_ = true;
    closing_since_ = Clock::now();
    std::size_t size = std::min(reason.size(), most_reason);
    while (size < reason.size() && (reason[size] & 0xC0) == 0x80) --size;  // whole letters alone
    goodbye_ = websocket::close_reason(static_cast<websocket::close_code>(code),
                                       beast::string_view(reason.data(), size));
    if (!is_writing_) write_next();  // what was sent before comes first
}

void Channel::close_if_ready() {
    if (!is_closing_ || goodbye_sent_) return;
    goodbye_sent_ = true;
    websocket_.async_close(
        goodbye_, [self = shared_from_this()](error_code) { self->ended(websocket::error::closed); });
}

void Channel::check(Time now) {
    const bool is_slow =
        write_began_.load() != Time::max() && now - write_began_.load() > ms(limits_.slow_ms);
    const bool takes_long =
        closing_since_.load() != Time::max() && now - closing_since_.load() > most_goodbye;
    if (is_slow || takes_long) {
        asio::post(websocket_.get_executor(),
                   [self = shared_from_this(), is_slow] { is_slow ? self->cut_off() : self->abort(); });
        return;
    }
    const bool has_spoken = has_spoken_;
    const std::uint32_t patience = has_spoken ? limits_.idle_ms : limits_.handshake_ms;
    const Time since = has_spoken ? silent_since_ : opened_at_;  // pings are no hello
    if (now - since <= ms(patience)) return;
    if (has_spoken)
        refuse({Cause::idle_timeout, "nothing was heard for " + std::to_string(patience) + " ms"});
    else
        refuse({Cause::handshake_timeout, "no hello came within " + std::to_string(patience) + " ms"});
}

void Channel::abort() {
    error_code ignored;
    websocket_.next_layer().socket().close(ignored);
}

// One who does not read would not read a goodbye either.
void Channel::cut_off() {
    refuse_now({Cause::slow_reader, "what was sent was not read in time"});
    abort();
}

// Beast takes a line that was read no further for broken, so the close frame (RFC 6455, 5.5.1) is written by
// hand. The socket stays a while, unread: closed at once it would take back what was just written.
void Channel::stop_flood() {
    const CauseInfo& info = info_of(Cause::too_many_bytes);
    const std::string sentence =
        "more than " + std::to_string(limits_.bytes_per_second) + " bytes a second came; send less";
    figures_.count(Cause::too_many_bytes);
    if (log_) log_->refusal(info.word, sentence, address_);
    Stream& stream = websocket_.next_layer();
    if (is_writing_ || stream.tls()) return abort();
    const std::string reason = std::string(info.word) + ": " + sentence;
    std::string frame{'\x88', static_cast<char>(reason.size() + 2), static_cast<char>(info.close_code >> 8),
                      static_cast<char>(info.close_code & 255)};
    frame += reason;
    error_code ignored;
    stream.socket().non_blocking(true, ignored);
    stream.socket().write_some(asio::buffer(frame), ignored);
    stream.socket().shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
    auto timer = std::make_shared<asio::steady_timer>(stream.get_executor(), most_goodbye / 2);
    timer->async_wait([self = shared_from_this(), timer](error_code) { self->abort(); });
}

void Channel::ended(error_code error) {
    if (std::exchange(has_ended_, true)) return;
    Parting parting;
    if (error == websocket::error::closed) {
        parting.code = websocket_.reason().code;
        parting.reason.assign(websocket_.reason().reason.data(), websocket_.reason().reason.size());
    } else if (error == websocket::error::message_too_big) {
        figures_.count(Cause::too_large);
        if (log_)
            log_->refusal(info_of(Cause::too_large).word,
                          "a message had more than " + std::to_string(limits_.message_bytes) + " bytes",
                          address_);
    }
    websocket_.next_layer().has_read_too_much() ? stop_flood() : abort();
    if (visitor_) visitor_->closed(parting);
    visitor_.reset();
}

}  // namespace instep::server
