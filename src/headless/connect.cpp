// SPDX-License-Identifier: MIT
#include <instep/headless/connect.h>

#include <boost/asio/connect.hpp>
#include <boost/beast/websocket.hpp>

#include <instep/server/websocket_session.h>

namespace instep::headless {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using server::error_code;
using server::SocketExecutor;

// Limits of the client's end, high since it trusts the server, and metrics that are not read.
struct ClientSettings {
    ClientSettings() {
        limits.messages_per_second = 1'000'000;
        limits.bytes_per_second = 1u << 30;
        limits.message_bytes = 1u << 20;
    }
    server::Limits limits;
    server::Metrics metrics;
};
ClientSettings& client_settings() {
    static ClientSettings settings;
    return settings;
}

class Connector : public std::enable_shared_from_this<Connector> {
public:
    Connector(server::Loop& loop, Url url, std::unique_ptr<server::SessionHandler> handler,
              bool check_certificate)
        : thread_(loop.assign_io_thread()),
          executor_(thread_.context.get_executor()),
          resolver_(executor_),
          url_(std::move(url)),
          handler_(std::move(handler)) {
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
            self->begin_tls();
        });
    }

    void begin_tls() {
        ClientSettings& settings = client_settings();
        error_code ignored;
        socket_->set_option(tcp::no_delay(true), ignored);
        session_ = std::make_shared<server::WebSocketSession>(
            server::Stream(std::move(*socket_), tls_.get(),
                           server::RateLimit(settings.limits.bytes_per_second, server::Clock::now()),
                           settings.metrics.bytes_in),
            settings.limits, settings.metrics, nullptr, url_.host);
        session_->keep(
            std::make_shared<std::pair<std::shared_ptr<void>, std::shared_ptr<void>>>(tls_, thread_.lease));
        server::Tls* tls = session_->stream().next_layer().tls();
        if (!tls) return begin_websocket();
        SSL_ctrl(tls->native_handle(), SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name,
                 url_.host.data());
        tls->async_handshake(asio::ssl::stream_base::client, [self = shared_from_this()](error_code error) {
            if (error) return self->fail(error);
            self->begin_websocket();
        });
    }

    void begin_websocket() {
        session_->stream().async_handshake(url_.host + ":" + std::to_string(url_.port), url_.target,
                                           [self = shared_from_this()](error_code error) {
                                               if (error) return self->fail(error);
                                               self->session_->begin(std::move(self->handler_));
                                           });
    }

    void fail(error_code error) {
        if (handler_) handler_->closed({1006, error.message()});
        handler_.reset();
    }

    server::Loop::IoThread thread_;
    SocketExecutor executor_;
    Resolver resolver_;
    Url url_;
    std::unique_ptr<server::SessionHandler> handler_;
    std::shared_ptr<asio::ssl::context> tls_;
    std::optional<server::Socket> socket_;
    std::shared_ptr<server::WebSocketSession> session_;
};

}  // namespace

void connect(server::Loop& loop, const Url& url, std::unique_ptr<server::SessionHandler> handler,
             bool check_certificate) {
    auto connector = std::make_shared<Connector>(loop, url, std::move(handler), check_certificate);
    connector->begin();
}

}  // namespace instep::headless
