// SPDX-License-Identifier: MIT
// A byte stream that is TCP or TLS as it was made, so that everything above is compiled once for both. It
// counts what it reads, and reads no further when that was too much: frames without content and control
// frames cost an attacker as much as any others.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>

#include <boost/asio/async_result.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/recycling_allocator.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/beast/core/role.hpp>

#include <instep/server/figures.h>
#include <instep/server/rate_limit.h>

namespace instep::server {

namespace asio = boost::asio;
using boost::system::error_code;
using SocketExecutor = asio::io_context::executor_type;  // of one thread: Loop::take_sockets
using Socket = asio::basic_stream_socket<asio::ip::tcp, SocketExecutor>;
using Tls = asio::ssl::stream<Socket&>;

struct Secrecy {
    Secrecy(Socket& socket, asio::ssl::context& context) : tls(socket, context) {}

    Tls tls;
    std::array<std::byte, 4096> record{};  // on its way out
};

struct StreamParts {
    StreamParts(Socket given, RateLimit limit, Count& count)
        : socket(std::move(given)), rate(limit), bytes_in(count) {}

    Socket socket;
    std::unique_ptr<Secrecy> secrecy;  // null: it is plain TCP, and thousands of them shall be small
    RateLimit rate;
    Count& bytes_in;
    bool too_much = false;
    bool has_read = false;
};

template <class Handler>
struct CountedHandler {
    StreamParts* parts;
    Handler handler;

    void operator()(error_code error, std::size_t size) {
        parts->bytes_in.fetch_add(size, std::memory_order_relaxed);
        parts->has_read |= size > 0;
        if (!parts->rate.take(static_cast<double>(size), Clock::now())) parts->too_much = true;
        std::move(handler)(error, size);
    }
};

class Stream {
public:
    using executor_type = SocketExecutor;  // NOLINT(readability-identifier-naming): Asio asks for this name

    Stream(Socket socket, asio::ssl::context* tls, RateLimit limit, Count& bytes_in)
        : parts_(std::make_unique<StreamParts>(std::move(socket), limit, bytes_in)) {
        if (tls) parts_->secrecy = std::make_unique<Secrecy>(parts_->socket, *tls);
    }

    executor_type get_executor() { return parts_->socket.get_executor(); }
    Socket& socket() { return parts_->socket; }
    Tls* tls() { return parts_->secrecy ? &parts_->secrecy->tls : nullptr; }
    bool has_read_too_much() const { return parts_->too_much; }
    bool has_read_anything() const { return parts_->has_read; }

    template <class Buffers, class Handler>
    auto async_read_some(const Buffers& buffers, Handler&& handler) {
        return asio::async_initiate<Handler, void(error_code, std::size_t)>(
            [parts = parts_.get()](auto&& done, const Buffers& into) {
                CountedHandler<std::decay_t<decltype(done)>> counted{parts,
                                                                     std::forward<decltype(done)>(done)};
                if (parts->too_much)
                    asio::post(parts->socket.get_executor(), [counted = std::move(counted)]() mutable {
                        counted(asio::error::operation_aborted, 0);
                    });
                else if (!parts->secrecy)
                    // Into one piece of memory, for which the system is asked more cheaply than for several.
                    parts->socket.async_read_some(first_of(into), std::move(counted));
                else
                    read_tls(parts->secrecy->tls, first_of(into), erase(std::move(counted)));
            },
            handler, buffers);
    }

    template <class Buffers, class Handler>
    auto async_write_some(const Buffers& buffers, Handler&& handler) {
        return asio::async_initiate<Handler, void(error_code, std::size_t)>(
            [parts = parts_.get()](auto&& done, const Buffers& from) {
                if (!parts->secrecy)
                    return parts->socket.async_write_some(from, std::forward<decltype(done)>(done));
                // One record for a frame's header and content.
                auto& record = parts->secrecy->record;
                const std::size_t size = asio::buffer_copy(asio::buffer(record), from);
                write_tls(parts->secrecy->tls, asio::buffer(record.data(), size),
                          erase(std::forward<decltype(done)>(done)));
            },
            handler, buffers);
    }

private:
    // All handlers of one stream run on its thread, so nothing else of a handler need be kept, and the thread
    // keeps their memory for the next ones. That it is erased keeps TLS from being compiled anew for each
    // operation above it.
    using Done = std::function<void(error_code, std::size_t)>;
    template <class Handler>
    static Done erase(Handler&& handler) {
        using Kept = std::decay_t<Handler>;
        auto kept =
            std::allocate_shared<Kept>(asio::recycling_allocator<Kept>(), std::forward<Handler>(handler));
        return [kept](error_code error, std::size_t size) { std::move (*kept)(error, size); };
    }
    template <class Buffers>
    static asio::mutable_buffer first_of(const Buffers& buffers) {
        for (auto at = asio::buffer_sequence_begin(buffers); at != asio::buffer_sequence_end(buffers); ++at)
            if (const asio::mutable_buffer buffer(*at); buffer.size() > 0) return buffer;
        return {};
    }
    static void read_tls(Tls& tls, asio::mutable_buffer into, Done done);
    static void write_tls(Tls& tls, asio::const_buffer from, Done done);

    std::unique_ptr<StreamParts> parts_;
};

// Beast asks for these to end a connection.
template <class Handler>
void async_teardown(boost::beast::role_type, Stream& stream, Handler&& handler) {
    error_code ignored;
    stream.socket().shutdown(asio::ip::tcp::socket::shutdown_both, ignored);
    asio::post(stream.get_executor(),
               [handler = std::forward<Handler>(handler)]() mutable { handler(error_code()); });
}
inline void beast_close_socket(Stream& stream) {
    error_code ignored;
    stream.socket().close(ignored);
}
inline void teardown(boost::beast::role_type, Stream& stream, error_code& error) {
    stream.socket().shutdown(asio::ip::tcp::socket::shutdown_both, error);
}

}  // namespace instep::server

// A counted handler runs where the handler runs that it counts for, and allocates as that does.
template <template <class, class> class Associator, class Handler, class Default>
struct boost::asio::associator<Associator, instep::server::CountedHandler<Handler>, Default>
    : Associator<Handler, Default> {
    using Counted = instep::server::CountedHandler<Handler>;
    static auto get(const Counted& counted) noexcept {
        return Associator<Handler, Default>::get(counted.handler);
    }
    static auto get(const Counted& counted, const Default& otherwise) noexcept {
        return Associator<Handler, Default>::get(counted.handler, otherwise);
    }
};
