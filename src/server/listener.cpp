// SPDX-License-Identifier: MIT
// Accepts connections. One sweep every 250 ms checks the deadlines of all of them, instead of a timer for
// each.
#include <instep/server/listener.h>

#include <sys/socket.h>

#include <boost/asio/steady_timer.hpp>

#include <instep/server/http_session.h>

namespace instep::server {
namespace {

using asio::ip::tcp;

constexpr std::chrono::milliseconds sweep_every{250};
constexpr std::chrono::milliseconds accept_pause{100};  // after accept failed, mostly for want of descriptors
// Bytes in the kernel. By default it would buffer megabytes for a client that does not read.
constexpr int send_buffer = 64 * 1024;

IpAddress address_of(const tcp::endpoint& peer) {
    const asio::ip::address address = peer.address();
    return address.is_v4() ? IpAddress::v4(address.to_v4().to_bytes())
                           : IpAddress(address.to_v6().to_bytes());
}

class TcpListener final : public Listener {
public:
    TcpListener(Loop& loop, std::shared_ptr<SessionContext> shared)
        : shared_(std::move(shared)), state_(std::make_shared<State>(loop)) {}
    ~TcpListener() override { stop(); }  // NOLINT(bugprone-exception-escape): only if memory runs out

    state::Result<void> listen() {
        const Settings& settings = shared_->settings;
        if (settings.socket) return adopt(*settings.socket);
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
        begin();
        return {};
    }

    std::uint16_t port() const override { return port_; }
    state::Result<void> reload_certificate() override {
        const Settings& settings = shared_->settings;
        if (settings.certificate.empty() && settings.private_key.empty()) return {};
        if (settings.certificate.empty() || settings.private_key.empty())
            return state::refuse("", "TLS needs both a certificate and its private key");
        auto context = load_certificate(settings.certificate, settings.private_key);
        if (!context) return std::unexpected(context.error());
        shared_->tls.replace(std::move(*context));
        return {};
    }
    bool has_connections() const override { return !shared_->limits.empty(); }

    void stop_accepting() override {
        shared_->accepting = false;
        asio::post(state_->executor, [state = state_] {
            error_code ignored;
            state->acceptor.close(ignored);
        });
    }

    void stop() override {
        if (shared_->stopping.exchange(true)) return;
        asio::post(state_->executor, [state = state_] {
            error_code ignored;
            state->acceptor.close(ignored);
            for (const auto& weak : state->sessions)
                if (const auto session = weak.lock()) session->stop();
        });
    }

    void drop(const IpNetwork& network, const Refusal& refusal) override {
        asio::post(state_->executor, [state = state_, network, refusal] {
            for (const auto& weak : state->sessions)
                if (const auto session = weak.lock()) session->drop(network, refusal);
        });
    }

private:
    // A socket that another process opened and that this one inherited. Nothing may read or write it but
    // accept.
    state::Result<void> adopt(int socket) {
        const std::string where = "the socket " + std::to_string(socket);
        int listens = 0;
        socklen_t size = sizeof listens;
        sockaddr_storage address{};
        socklen_t address_size = sizeof address;
        const bool is_known =
            getsockopt(socket, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0 && listens != 0 &&
            getsockname(socket, reinterpret_cast<sockaddr*>(&address), &address_size) == 0 &&
            (address.ss_family == AF_INET || address.ss_family == AF_INET6);
        if (!is_known)
            return state::refuse(where,
                                 "expected a TCP socket that listens, inherited from the parent process");
        error_code error;
        state_->acceptor.assign(address.ss_family == AF_INET ? tcp::v4() : tcp::v6(), socket, error);
        if (error) return state::refuse(where, "cannot be used: " + error.message());
        begin();
        return {};
    }
    void begin() {
        port_ = state_->acceptor.local_endpoint().port();
        asio::post(state_->executor, [shared = shared_, state = state_] {
            accept(shared, state);
            sweep(shared, state);
        });
    }

    using SharedPtr = std::shared_ptr<SessionContext>;
    struct State {
        explicit State(Loop& the_loop)
            : loop(the_loop),
              thread(loop.assign_io_thread()),
              executor(thread.context.get_executor()),
              acceptor(executor),
              timer(executor),
              pause(executor) {}

        Loop& loop;
        Loop::IoThread thread;
        SocketExecutor executor;
        asio::basic_socket_acceptor<tcp, SocketExecutor> acceptor;
        asio::steady_timer timer;
        asio::steady_timer pause;
        std::vector<std::weak_ptr<HttpSession>> sessions;
    };

    static void accept(const SharedPtr& shared, const std::shared_ptr<State>& state) {
        auto thread = state->loop.assign_io_thread();
        state->acceptor.async_accept(
            thread.context.get_executor(),
            [shared, state, lease = std::move(thread.lease)](error_code error, Socket socket) mutable {
                // Accepted in the moment in which accepting ended: still to be served.
                if (!error && !shared->stopping)
                    begin_session(shared, *state, std::move(socket), std::move(lease));
                if (!state->acceptor.is_open()) return;
                if (!error) return accept(shared, state);
                shared->log.error("accept_failed", {{"error", error.message()}});
                state->pause.expires_after(accept_pause);
                state->pause.async_wait([shared, state](error_code) {
                    if (state->acceptor.is_open()) accept(shared, state);
                });
            });
    }

    static void begin_session(const SharedPtr& shared, State& state, Socket socket,
                              std::shared_ptr<void> lease) {
        error_code error;
        const auto peer = socket.remote_endpoint(error);
        if (error) return;  // the client has closed it already
        socket.set_option(tcp::no_delay(true), error);
        socket.set_option(asio::socket_base::send_buffer_size(send_buffer), error);
        const IpAddress address = address_of(peer);
        auto held = admit(*shared, address);
        if (!held) return turn_away(*shared, socket, address, held.error());
        held->push_back(std::move(lease));
        ++shared->metrics.connections_total;
        // Not make_shared: the weak pointer that is kept until the next sweep would keep all of its memory.
        std::shared_ptr<HttpSession> session(
            new HttpSession(shared, std::move(socket), address, std::move(*held)));
        state.sessions.push_back(session);
        asio::post(session->executor(), [session] { session->begin(); });
    }

    // What the connection holds while it is open. The clients of a trusted proxy are counted and checked when
    // they are known.
    static std::expected<HttpSession::Permits, Refusal> admit(SessionContext& shared,
                                                              const IpAddress& address) {
        HttpSession::Permits held;
        auto total = shared.limits.acquire_total();
        if (!total)
            return refuse(RefusalReason::too_many_connections,
                          "the server has as many connections as it may; try again later");
        held.push_back(std::move(*total));
        if (shared.is_trusted_proxy(address)) return held;
        if (const auto allowed = shared.handler.may_connect(address); !allowed)
            return std::unexpected(allowed.error());
        auto of_address = shared.limits.acquire_address(address);
        if (!of_address) return std::unexpected(too_many_from_address(shared.limits));
        held.push_back(std::move(*of_address));
        return held;
    }

    // One write, and no memory kept if the kernel does not take it.
    static void turn_away(SessionContext& shared, Socket& socket, const IpAddress& address,
                          const Refusal& refusal) {
        shared.metrics.count(refusal.reason);
        shared.log.refusal(refusal, LimitedNetworks(address).narrowest().text());
        if (shared.tls.current()) return;
        const Response response = response_to(refusal);
        const std::string text =
            "HTTP/1.1 " + std::to_string(response.status) +
            " Refused\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: " +
            std::to_string(response.body.size()) + "\r\n\r\n" + response.body;
        error_code ignored;
        socket.non_blocking(true, ignored);
        socket.write_some(asio::buffer(text), ignored);
        socket.shutdown(tcp::socket::shutdown_send, ignored);
    }

    static void sweep(const SharedPtr& shared, const std::shared_ptr<State>& state) {
        const Time now = Clock::now();
        std::erase_if(state->sessions, [now](const std::weak_ptr<HttpSession>& weak) {
            const auto session = weak.lock();
            if (session) session->check(now);
            return !session;
        });
        if (shared->stopping && state->sessions.empty()) return;
        state->timer.expires_after(sweep_every);
        state->timer.async_wait([shared, state](error_code) { sweep(shared, state); });
    }

    std::shared_ptr<SessionContext> shared_;
    std::shared_ptr<State> state_;
    std::uint16_t port_ = 0;
};

}  // namespace

state::Result<std::unique_ptr<Listener>> Listener::open(Loop& loop, RequestHandler& handler,
                                                        const Settings& settings, Metrics& metrics,
                                                        Log& log) {
    auto shared = std::make_shared<SessionContext>(loop, handler, settings, metrics, log);
    auto listener = std::make_unique<TcpListener>(loop, shared);
    if (auto loaded = listener->reload_certificate(); !loaded) return std::unexpected(loaded.error());
    if (auto listening = listener->listen(); !listening) return std::unexpected(listening.error());
    return listener;
}

}  // namespace instep::server
