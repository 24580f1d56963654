// SPDX-License-Identifier: MIT
#include <instep/headless/connect.h>

#include <boost/asio/connect.hpp>
#include <boost/beast/websocket.hpp>

#include <instep/server/channel.h>

namespace instep::headless {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using server::error_code;
using server::SocketExecutor;

// What a client asks of its own end: it trusts the server not to flood it.
struct ClientSide {
    ClientSide() {
        limits.messages_per_second = 1'000'000;
        limits.bytes_per_second = 1u << 30;
        limits.message_bytes = 1u << 20;
    }
    server::Limits limits;
    server::Figures figures;
};
ClientSide& client_side() {
    static ClientSide side;
    return side;
}

class Connector : public std::enable_shared_from_this<Connector> {
public:
    Connector(server::Loop& loop, Url url, std::unique_ptr<server::Visitor> visitor, bool check_certificate)
        : sockets_(loop.take_sockets()),
          executor_(sockets_.context.get_executor()),
          resolver_(executor_),
          url_(std::move(url)),
          visitor_(std::move(visitor)) {
        if (!url_.tls) return;
        tls_ = std::make_shared<asio::ssl::context>(asio::ssl::context::tls_client);
        error_code ignored;
        if (check_certificate) tls_->set_default_verify_paths(ignored);
        tls_->set_verify_mode(check_certificate ? asio::ssl::verify_peer : asio::ssl::verify_none, ignored);
        if (check_certificate)
            tls_->set_verify_callback(asio::ssl::host_name_verification(url_.host), ignored);
    }

    void begin() {
        resolver_.async_resolve(url_.host, std::to_string(url_.port),
                                [self = shared_from_this()](error_code error, const Endpoints& endpoints) {
                                    if (error) return self->fail(error);
                                    self->connect(endpoints);
                                });
    }

private:
    using Resolver = asio::ip::basic_resolver<tcp, SocketExecutor>;
    using Endpoints = Resolver::results_type;

    void connect(const Endpoints& endpoints) {
        socket_.emplace(executor_);
        asio::async_connect(*socket_, endpoints, [self = shared_from_this()](error_code error, const auto&) {
            if (error) return self->fail(error);
            self->secure();
        });
    }

    void secure() {
        ClientSide& side = client_side();
        error_code ignored;
        socket_->set_option(tcp::no_delay(true), ignored);
        channel_ = std::make_shared<server::Channel>(
            server::Stream(std::move(*socket_), tls_.get(),
                           server::RateLimit(side.limits.bytes_per_second, server::Clock::now()),
                           side.figures.bytes_in),
            side.limits, side.figures, nullptr, url_.host);
        channel_->keep(
            std::make_shared<std::pair<std::shared_ptr<void>, std::shared_ptr<void>>>(tls_, sockets_.held));
        server::Tls* tls = channel_->websocket().next_layer().tls();
        if (!tls) return shake_hands();
        SSL_ctrl(tls->native_handle(), SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name,
                 url_.host.data());
        tls->async_handshake(asio::ssl::stream_base::client, [self = shared_from_this()](error_code error) {
            if (error) return self->fail(error);
            self->shake_hands();
        });
    }

    void shake_hands() {
        channel_->websocket().async_handshake(url_.host + ":" + std::to_string(url_.port), url_.target,
                                              [self = shared_from_this()](error_code error) {
                                                  if (error) return self->fail(error);
                                                  self->channel_->begin(std::move(self->visitor_));
                                              });
    }

    void fail(error_code error) {
        if (visitor_) visitor_->closed({1006, error.message()});
        visitor_.reset();
    }

    server::Loop::Sockets sockets_;
    SocketExecutor executor_;
    Resolver resolver_;
    Url url_;
    std::unique_ptr<server::Visitor> visitor_;
    std::shared_ptr<asio::ssl::context> tls_;
    std::optional<server::Socket> socket_;
    std::shared_ptr<server::Channel> channel_;
};

}  // namespace

void connect(server::Loop& loop, const Url& url, std::unique_ptr<server::Visitor> visitor,
             bool check_certificate) {
    auto dialer = std::make_shared<Connector>(loop, url, std::move(visitor), check_certificate);
    dialer->begin();
}

}  // namespace instep::headless
