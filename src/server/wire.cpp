// SPDX-License-Identifier: MIT
// Listens and accepts. One sweep a quarter of a second looks at all connections, instead of a timer for each.
#include <instep/server/wire.h>

#include <boost/asio/steady_timer.hpp>

#include <instep/server/caller.h>

namespace instep::server {
namespace {

using asio::ip::tcp;

constexpr std::chrono::milliseconds sweep_every{250};
constexpr std::chrono::milliseconds accept_pause{100};  // when there are no descriptors left
constexpr int send_buffer =
    64 * 1024;  // bytes in the kernel; it would keep megabytes for one who does not read

// Whose connections count together: an IPv6 network of 64 bits belongs to one customer.
std::string key_of(const asio::ip::address& address) {
    if (address.is_v4()) return address.to_string();
    if (address.to_v6().is_v4_mapped())
        return asio::ip::make_address_v4(asio::ip::v4_mapped, address.to_v6()).to_string();
    auto bytes = address.to_v6().to_bytes();
    std::fill(bytes.begin() + 8, bytes.end(), std::uint8_t{0});
    return asio::ip::address_v6(bytes).to_string() + "/64";
}

class ListeningWire final : public Wire {
public:
    ListeningWire(Loop& loop, std::shared_ptr<CallerShare> shared)
        : shared_(std::move(shared)), state_(std::make_shared<State>(loop)) {}
    ~ListeningWire() override { stop(); }  // NOLINT(bugprone-exception-escape): for want of memory alone

    state::Result<void> listen() {
        const Settings& settings = shared_->settings;
        const std::string where = settings.address + ":" + std::to_string(settings.port);
        error_code error;
        const auto address = asio::ip::make_address(settings.address, error);
        if (error)
            return state::refuse(where, "expected an address to listen at, like 127.0.0.1, 0.0.0.0 or ::");
        tcp::acceptor::reuse_address reuse(true);
        auto& acceptor = state_->acceptor;
        const tcp::endpoint endpoint(address, settings.port);
        if (!error) acceptor.open(endpoint.protocol(), error);
        if (!error) acceptor.set_option(reuse, error);
        if (!error) acceptor.bind(endpoint, error);
        if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
        if (error) return state::refuse(where, "cannot listen there: " + error.message());
        port_ = acceptor.local_endpoint().port();
        asio::post(state_->executor, [shared = shared_, state = state_] {
            accept(shared, state);
            sweep(shared, state);
        });
        return {};
    }

    std::uint16_t port() const override { return port_; }
    bool is_quiet() const override { return shared_->places.empty(); }

    void stop() override {
        if (shared_->stopping.exchange(true)) return;
        asio::post(state_->executor, [state = state_] {
            error_code ignored;
            state->acceptor.close(ignored);
            for (const auto& caller : state->callers)
                if (const auto there = caller.lock()) there->stop();
        });
    }

private:
    using SharedPtr = std::shared_ptr<CallerShare>;
    struct State {
        explicit State(Loop& the_loop)
            : loop(the_loop),
              sockets(loop.take_sockets()),
              executor(sockets.context.get_executor()),
              acceptor(executor),
              timer(executor),
              pause(executor) {}

        Loop& loop;
        Loop::Sockets sockets;
        SocketExecutor executor;
        asio::basic_socket_acceptor<tcp, SocketExecutor> acceptor;
        asio::steady_timer timer;
        asio::steady_timer pause;
        std::vector<std::weak_ptr<Caller>> callers;
    };

    static void accept(const SharedPtr& shared, const std::shared_ptr<State>& state) {
        auto sockets = state->loop.take_sockets();
        state->acceptor.async_accept(
            sockets.context.get_executor(),
            [shared, state, held = std::move(sockets.held)](error_code error, Socket socket) mutable {
                if (!state->acceptor.is_open()) return;
                if (!error) {
                    welcome(shared, *state, std::move(socket), std::move(held));
                    return accept(shared, state);
                }
                shared->log.error("accept_failed", {{"error", error.message()}});
                state->pause.expires_after(accept_pause);
                state->pause.async_wait([shared, state](error_code) {
                    if (state->acceptor.is_open()) accept(shared, state);
                });
            });
    }

    static void welcome(const SharedPtr& shared, State& state, Socket socket, std::shared_ptr<void> thread) {
        error_code error;
        const auto peer = socket.remote_endpoint(error);
        if (error) return;  // gone already
        socket.set_option(tcp::no_delay(true), error);
        socket.set_option(asio::socket_base::send_buffer_size(send_buffer), error);
        const std::string address = key_of(peer.address());
        auto place = shared->places.take(address);
        if (!place) return turn_away(*shared, socket, address, place.error());
        auto held = std::make_shared<std::pair<std::shared_ptr<void>, std::shared_ptr<void>>>(
            std::move(*place), std::move(thread));
        // Not make_shared: the weak pointer that waits for the next sweep would keep all of its memory.
        std::shared_ptr<Caller> caller(new Caller(shared, std::move(socket), address, std::move(held)));
        state.callers.push_back(caller);
        asio::post(caller->executor(), [caller] { caller->begin(); });
    }

    // One write that either fits or does not: nothing is kept for those there is no place for.
    static void turn_away(CallerShare& shared, Socket& socket, const std::string& address,
                          const Refusal& refusal) {
        const CauseInfo& info = info_of(refusal.cause);
        shared.figures.count(refusal.cause);
        shared.log.refusal(info.word, refusal.sentence, address);
        if (shared.tls) return;
        const Reply reply = reply_of(refusal);
        const std::string text =
            "HTTP/1.1 " + std::to_string(info.status) +
            " Refused\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: " +
            std::to_string(reply.body.size()) + "\r\n\r\n" + reply.body;
        error_code ignored;
        socket.non_blocking(true, ignored);
        socket.write_some(asio::buffer(text), ignored);
        socket.shutdown(tcp::socket::shutdown_send, ignored);
    }

    static void sweep(const SharedPtr& shared, const std::shared_ptr<State>& state) {
        const Time now = Clock::now();
        std::erase_if(state->callers, [now](const std::weak_ptr<Caller>& caller) {
            const auto there = caller.lock();
            if (there) there->check(now);
            return !there;
        });
        if (shared->stopping && state->callers.empty()) return;
        state->timer.expires_after(sweep_every);
        state->timer.async_wait([shared, state](error_code) { sweep(shared, state); });
    }

    std::shared_ptr<CallerShare> shared_;
    std::shared_ptr<State> state_;
    std::uint16_t port_ = 0;
};

state::Result<void> load_certificate(CallerShare& shared) {
    const Settings& settings = shared.settings;
    if (settings.certificate.empty() && settings.private_key.empty()) return {};
    if (settings.certificate.empty() || settings.private_key.empty())
        return state::refuse("", "TLS needs both a certificate and its private key");
    shared.tls.emplace(asio::ssl::context::tls_server);
    error_code error;
    shared.tls->set_options(asio::ssl::context::default_workarounds | asio::ssl::context::no_tlsv1 |
                                asio::ssl::context::no_tlsv1_1,
                            error);
    shared.tls->use_certificate_chain_file(settings.certificate, error);
    if (error)
        return state::refuse(settings.certificate, "is no certificate that can be read: " + error.message());
    shared.tls->use_private_key_file(settings.private_key, asio::ssl::context::pem, error);
    if (error)
        return state::refuse(settings.private_key,
                             "is no private key of that certificate: " + error.message());
    return {};
}

}  // namespace

state::Result<std::unique_ptr<Wire>> Wire::open(Loop& loop, Gate& gate, const Settings& settings,
                                                Figures& figures, Log& log) {
    auto shared = std::make_shared<CallerShare>(loop, gate, settings, figures, log);
    if (auto loaded = load_certificate(*shared); !loaded) return std::unexpected(loaded.error());
    auto wire = std::make_unique<ListeningWire>(loop, shared);
    if (auto listening = wire->listen(); !listening) return std::unexpected(listening.error());
    return wire;
}

}  // namespace instep::server
