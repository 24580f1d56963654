// SPDX-License-Identifier: MIT
// A byte stream over TCP or TLS, chosen at run time, so that everything above is compiled once for both. It
// counts the bytes that it reads and stops reading beyond the rate limit: a limit on messages alone would
// miss control frames and empty fragments, which Beast handles inside one read.
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

#include <instep/server/metrics.h>
#include <instep/server/rate_limit.h>

namespace instep::server {

namespace asio = boost::asio;
using boost::system::error_code;
using SocketExecutor = asio::io_context::executor_type;  // of one thread: Loop::assign_io_thread
using Socket = asio::basic_stream_socket<asio::ip::tcp, SocketExecutor>;
using Tls = asio::ssl::stream<Socket&>;

struct TlsLayer {
    TlsLayer(Socket& socket, asio::ssl::context& context) : tls(socket, context) {}

    Tls tls;
    std::array<std::byte, 4096> record{};  // the one that is being written
};

struct StreamParts {
    StreamParts(Socket given, RateLimit limit, Count& count)
        : socket(std::move(given)), rate(limit), bytes_in(count) {}

    Socket socket;
    std::unique_ptr<TlsLayer> tls_layer;  // null: plain TCP, which then needs less memory
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
        if (tls) parts_->tls_layer = std::make_unique<TlsLayer>(parts_->socket, *tls);
    }

    executor_type get_executor() { return parts_->socket.get_executor(); }
    Socket& socket() { return parts_->socket; }
    Tls* tls() { return parts_->tls_layer ? &parts_->tls_layer->tls : nullptr; }
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
                else if (!parts->tls_layer)
                    // Into one buffer: a system call with several costs more.
                    parts->socket.async_read_some(first_of(into), std::move(counted));
                else
                    read_tls(parts->tls_layer->tls, first_of(into), erase(std::move(counted)));
            },
            handler, buffers);
    }

    template <class Buffers, class Handler>
    auto async_write_some(const Buffers& buffers, Handler&& handler) {
        return asio::async_initiate<Handler, void(error_code, std::size_t)>(
            [parts = parts_.get()](auto&& done, const Buffers& from) {
                if (!parts->tls_layer)
                    return parts->socket.async_write_some(from, std::forward<decltype(done)>(done));
                // One TLS record for a frame's header and content.
                auto& record = parts->tls_layer->record;
                const std::size_t size = asio::buffer_copy(asio::buffer(record), from);
                write_tls(parts->tls_layer->tls, asio::buffer(record.data(), size),
                          erase(std::forward<decltype(done)>(done)));
            },
            handler, buffers);
    }

private:
    // The handler's type is erased so that TLS is not compiled again for each operation above it. All
    // handlers of a stream run on one thread, so their other associations need not be kept, and their memory
    // is recycled.
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

// Beast calls these to end a connection.
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

// A counted handler has the executor and the allocator of the handler inside it.
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
