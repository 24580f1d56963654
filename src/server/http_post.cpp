// SPDX-License-Identifier: MIT
#include <instep/server/http_post.h>

#include <optional>
#include <utility>

#include <boost/asio/connect.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>

#include <instep/server/stream.h>

namespace instep::server {
namespace {

namespace http = boost::beast::http;
using asio::ip::tcp;

constexpr std::uint32_t no_rate_limit = 0xFFFFFFFF;  // bytes a second: this end asked for the reply

Count& uncounted() {
    static Count count{0};
    return count;
}

class Exchange : public std::enable_shared_from_this<Exchange> {
public:
    using Done = std::function<void(const std::expected<HttpReply, HttpFailure>&)>;

    Exchange(Loop& loop, HttpPost post, Done done)
        : thread_(loop.assign_io_thread()),
          executor_(thread_.context.get_executor()),
          resolver_(executor_),
          timer_(executor_),
          post_(std::move(post)),
          done_(std::move(done)) {
        parser_.body_limit(most_reply_body);
        if (!post_.to.tls) return;
        tls_.emplace(asio::ssl::context::tls_client);
        error_code ignored;
        tls_->set_default_verify_paths(ignored);
        tls_->set_verify_mode(asio::ssl::verify_peer, ignored);
        tls_->set_verify_callback(asio::ssl::host_name_verification(post_.to.host), ignored);
    }

    void begin() {
        timer_.expires_after(post_.delay);
        timer_.async_wait([self = shared_from_this()](error_code) { self->resolve(); });
    }

private:
    using Resolver = asio::ip::basic_resolver<tcp, SocketExecutor>;
    using Endpoints = Resolver::results_type;

    void resolve() {
        timer_.expires_after(post_.timeout);
        timer_.async_wait([self = shared_from_this()](error_code error) {
            if (!error) self->fail("no answer within " + std::to_string(self->post_.timeout.count()) + " ms");
        });
        resolver_.async_resolve(post_.to.host, std::to_string(post_.to.port),
                                [self = shared_from_this()](error_code error, const Endpoints& endpoints) {
                                    error ? self->fail(error) : self->connect(endpoints);
                                });
    }

    void connect(const Endpoints& endpoints) {
        if (!done_) return;
        socket_.emplace(executor_);
        asio::async_connect(*socket_, endpoints, [self = shared_from_this()](error_code error, const auto&) {
            error ? self->fail(error) : self->begin_tls();
        });
    }

    void begin_tls() {
        if (!done_) return;
        error_code ignored;
        socket_->set_option(tcp::no_delay(true), ignored);
        stream_.emplace(std::move(*socket_), tls_ ? &*tls_ : nullptr, RateLimit(no_rate_limit, Clock::now()),
                        uncounted());
        Tls* tls = stream_->tls();
        if (!tls) return send();
        SSL_ctrl(tls->native_handle(), SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name,
                 post_.to.host.data());
        tls->async_handshake(asio::ssl::stream_base::client, [self = shared_from_this()](error_code error) {
            error ? self->fail(error) : self->send();
        });
    }

    void send() {
        if (!done_) return;
        const bool is_ipv6 = post_.to.host.find(':') != std::string::npos;
        request_.method(http::verb::post);
        request_.target(post_.target);
        request_.version(11);
        request_.set(http::field::host, (is_ipv6 ? "[" + post_.to.host + "]" : post_.to.host) + ":" +
                                            std::to_string(post_.to.port));
        request_.set(http::field::content_type, post_.type);
        if (!post_.token.empty()) request_.set(http::field::authorization, "Bearer " + post_.token);
        request_.keep_alive(false);
        request_.body() = std::move(post_.body);
        request_.prepare_payload();
        was_sent_ = true;
        http::async_write(*stream_, request_, [self = shared_from_this()](error_code error, std::size_t) {
            // A server that refuses a request need not read all of it: its answer says why.
            self->read(error);
        });
    }

    void read(error_code while_writing) {
        http::async_read(*stream_, buffer_, parser_,
                         [self = shared_from_this(), while_writing](error_code error, std::size_t) {
                             if (error) return self->fail(while_writing ? while_writing : error);
                             const auto& reply = self->parser_.get();
                             self->finish(HttpReply{reply.result_int(), reply.body()});
                         });
    }

    void fail(error_code error) {
        is_nothing_there_ = error == asio::error::connection_refused;
        fail(error.message());
    }
    void fail(const std::string& message) {
        finish(std::unexpected(HttpFailure{message, was_sent_, is_nothing_there_}));
    }
    void finish(const std::expected<HttpReply, HttpFailure>& result) {
        const auto done = std::exchange(done_, nullptr);
        if (!done) return;
        timer_.cancel();
        resolver_.cancel();
        error_code ignored;
        if (socket_) socket_->close(ignored);
        if (stream_) stream_->socket().close(ignored);
        done(result);
    }

    Loop::IoThread thread_;
    SocketExecutor executor_;
    Resolver resolver_;
    asio::steady_timer timer_;
    HttpPost post_;
    Done done_;
    std::optional<asio::ssl::context> tls_;
    std::optional<Socket> socket_;
    std::optional<Stream> stream_;
    http::request<http::string_body> request_;
    boost::beast::flat_buffer buffer_;
    http::response_parser<http::string_body> parser_;
    bool was_sent_ = false;
    bool is_nothing_there_ = false;
};

}  // namespace

void post(Loop& loop, HttpPost request,
          std::function<void(const std::expected<HttpReply, HttpFailure>&)> done) {
    std::make_shared<Exchange>(loop, std::move(request), std::move(done))->begin();
}

}  // namespace instep::server
