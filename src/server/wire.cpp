// SPDX-License-Identifier: MIT
// Accepts, speaks HTTP, and hands a connection that asks for it over to a Channel. One sweep a quarter of a
// second looks at all that wait, instead of a timer for each.
#include <instep/server/wire.h>

#include <atomic>
#include <map>
#include <mutex>

#include <boost/asio/steady_timer.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket/rfc6455.hpp>

#include <instep/server/channel.h>

namespace instep::server {
namespace {

namespace http = boost::beast::http;
using asio::ip::tcp;

constexpr std::chrono::milliseconds sweep_every{250};
constexpr std::chrono::milliseconds accept_pause{100};  // when there are no descriptors left
constexpr std::size_t slowest_reader = 8 * 1024;        // bytes a second, of whoever is sent a large answer
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

// Who holds a connection, and how many they are.
class Places {
public:
    Places(const Limits& limits, Figures& figures) : limits_(limits), figures_(figures) {}

    std::expected<std::shared_ptr<void>, Refusal> take(const std::string& address) {
        const std::lock_guard lock(mutex_);
        if (all_ >= limits_.most_connections)
            return std::unexpected(Refusal{Cause::too_many_connections,
                                           "the server holds all the connections it may; try again later"});
        std::uint32_t& of_address = by_address_[address];
        if (of_address >= limits_.most_connections_per_address)
            return std::unexpected(
                Refusal{Cause::too_many_from_address, "your address holds " + std::to_string(of_address) +
                                                          " connections, which is all it may; close some"});
        ++of_address;
        ++all_;
        ++figures_.connections;
        ++figures_.connections_total;
        return std::shared_ptr<void>(nullptr, [this, address](void*) { release(address); });
    }
    bool empty() const {
        const std::lock_guard lock(mutex_);
        return all_ == 0;
    }

private:
    void release(const std::string& address) {
        const std::lock_guard lock(mutex_);
        --all_;
        --figures_.connections;
        const auto found = by_address_.find(address);
        if (--found->second == 0) by_address_.erase(found);
    }

    const Limits& limits_;
    Figures& figures_;
    mutable std::mutex mutex_;
    std::uint32_t all_ = 0;
    std::map<std::string, std::uint32_t> by_address_;
};

struct Shared {  // by all connections
    Shared(Gate& the_gate, const Settings& given, Figures& counts, Log& the_log)
        : gate(the_gate), settings(given), figures(counts), log(the_log), places(settings.limits, counts) {}

    Gate& gate;
    Settings settings;
    Figures& figures;
    Log& log;
    Places places;
    std::optional<asio::ssl::context> tls;
    std::atomic<bool> stopping{false};
};

// A connection that speaks HTTP so far.
class Caller : public std::enable_shared_from_this<Caller> {
public:
    Caller(std::shared_ptr<Shared> shared, Socket socket, std::string address, std::shared_ptr<void> place)
        : shared_(std::move(shared)),
          stream_(std::in_place, std::move(socket), shared_->tls ? &*shared_->tls : nullptr,
                  RateLimit(shared_->settings.limits.bytes_per_second, Clock::now()),
                  shared_->figures.bytes_in),
          address_(std::move(address)),
          place_(std::move(place)),
          rate_(shared_->settings.limits.messages_per_second, Clock::now()),
          deadline_(Clock::now() + patience()) {}

    const SocketExecutor& executor() const { return executor_; }

    void begin() {
        if (!stream_->tls()) return read();
        stream_->tls()->async_handshake(asio::ssl::stream_base::server,
                                        [self = shared_from_this()](error_code error) {
                                            if (error) return self->abort();
                                            self->read();
                                        });
    }

    // From any thread: how long it may take, and a channel that came of it.
    void check(Time now) {
        if (const auto channel = this->channel()) return channel->check(now);
        if (now <= deadline_.load()) return;
        asio::post(executor_, [self = shared_from_this()] { self->time_out(); });
    }
    void stop() {
        asio::post(executor_, [self = shared_from_this()] {
            if (const auto channel = self->channel())
                channel->refuse({Cause::stopping, "the server is being stopped; come back in a moment"});
            else
                self->abort();
        });
    }

private:
    using Parser = http::request_parser<http::string_body>;

    std::chrono::milliseconds patience() const {
        return std::chrono::milliseconds(shared_->settings.limits.handshake_ms);
    }

    std::shared_ptr<Channel> channel() const {
        const std::lock_guard lock(mutex_);
        return channel_.lock();
    }

    void read() {
        is_answering_ = false;
        const Limits& limits = shared_->settings.limits;
        parser_.emplace();
        parser_->header_limit(limits.request_bytes);
        parser_->body_limit(limits.request_bytes);
        http::async_read(
            *stream_, buffer_, *parser_,
            [self = shared_from_this()](error_code error, std::size_t) { self->take_request(error); });
    }

    void take_request(error_code error) {
        if (is_answering_) return;  // it was too late
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
            return refuse(
                {Cause::too_many_messages, "too many requests came from this connection; send fewer"});

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

    void answer(Reply reply, bool keep_alive) {
        is_answering_ = true;
        reply_ = std::move(reply);
        response_ = {};
        response_.version(11);
        response_.result(reply_.status);
        response_.set(http::field::server, "instep");
        response_.set(http::field::content_type, reply_.type);
        response_.set("X-Content-Type-Options", "nosniff");
        response_.set(http::field::cache_control, reply_.cache);
        for (const auto& [name, value] : reply_.headers) response_.set(name, value);
        const std::string_view content = reply_.content();
        response_.body() = {content.data(), content.size()};
        response_.keep_alive(keep_alive && !shared_->stopping);
        response_.prepare_payload();
        if (parser_ && parser_->get().method() == http::verb::head) response_.body() = {};
        if (response_.result() == http::status::not_modified) response_.erase(http::field::content_length);
        deadline_ = Clock::now() + patience() + std::chrono::seconds(content.size() / slowest_reader);
        http::async_write(*stream_, response_, [self = shared_from_this()](error_code error, std::size_t) {
            if (error || !self->response_.keep_alive()) return self->hang_up();
            self->deadline_ = Clock::now() + self->patience();
            self->read();
        });
    }

    void refuse(const Refusal& refusal) {
        shared_->figures.count(refusal.cause);
        shared_->log.refusal(info_of(refusal.cause).word, refusal.sentence, address_);
        answer(reply_of(refusal), false);
    }

    void upgrade(Request request) {
        if (buffer_.size() > 0)
            return refuse({Cause::bad_request, "wait for the answer to an upgrade before you send more"});
        if (const auto allowed = shared_->gate.may_upgrade(request); !allowed) return refuse(allowed.error());
        auto channel = std::make_shared<Channel>(std::move(*stream_), shared_->settings.limits,
                                                 shared_->figures, &shared_->log, address_);
        stream_.reset();
        channel->keep(std::make_shared<std::pair<std::shared_ptr<Caller>, std::shared_ptr<void>>>(
            shared_from_this(), std::move(place_)));
        {
            const std::lock_guard lock(mutex_);
            channel_ = channel;
        }
        channel->websocket().set_option(websocket::stream_base::decorator(
            [](websocket::response_type& response) { response.set(http::field::server, "instep"); }));
        auto& accepting = channel->websocket();
        accepting.async_accept(parser_->get(), [self = shared_from_this(), channel,
                                                request = std::move(request)](error_code error) {
            self->parser_.reset();
            if (error) return channel->abort();
            self->settle(*channel, request);
        });
    }

    void settle(Channel& channel, const Request& request) {
        auto visitor = shared_->gate.admit(request);
        channel.begin(visitor ? std::move(*visitor) : nullptr);
        if (!visitor) channel.refuse(visitor.error());
    }

    void time_out() {
        if (!stream_) return;
        const bool has_begun = parser_ && parser_->got_some();  // or just keeps the line
        if (!has_begun || is_answering_) return abort();
        refuse({Cause::handshake_timeout, "the request was not whole within " +
                                              std::to_string(shared_->settings.limits.handshake_ms) + " ms"});
    }

    // What was written arrives only if the other end has time to read it.
    void hang_up() {
        if (!stream_) return;
        error_code ignored;
        stream_->socket().shutdown(tcp::socket::shutdown_send, ignored);
        deadline_ = Clock::now() + patience();
        stream_->socket().async_wait(tcp::socket::wait_read,
                                     [self = shared_from_this()](error_code) { self->abort(); });
    }

    void abort() {
        if (!stream_) return;
        error_code ignored;
        stream_->socket().close(ignored);
    }

    std::shared_ptr<Shared> shared_;
    std::optional<Stream> stream_;  // until it is handed over
    SocketExecutor executor_{stream_->get_executor()};
    std::string address_;
    std::shared_ptr<void> place_;
    RateLimit rate_;
    beast::flat_buffer buffer_;
    std::optional<Parser> parser_;
    Reply reply_;                                           // what is being sent
    http::response<http::span_body<const char>> response_;  // of its bytes
    bool is_answering_ = false;
    mutable std::mutex mutex_;  // of channel_
    std::weak_ptr<Channel> channel_;
    std::atomic<Time> deadline_;
};

class ListeningWire final : public Wire {
public:
    ListeningWire(Loop& loop, std::shared_ptr<Shared> shared)
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
    using SharedPtr = std::shared_ptr<Shared>;
    struct State {
        explicit State(Loop& the_loop)
            : loop(the_loop),
              executor(loop.sockets().get_executor()),
              acceptor(executor),
              timer(executor),
              pause(executor) {}

        Loop& loop;
        SocketExecutor executor;
        asio::basic_socket_acceptor<tcp, SocketExecutor> acceptor;
        asio::steady_timer timer;
        asio::steady_timer pause;
        std::vector<std::weak_ptr<Caller>> callers;
    };

    static void accept(const SharedPtr& shared, const std::shared_ptr<State>& state) {
        state->acceptor.async_accept(state->loop.sockets().get_executor(),
                                     [shared, state](error_code error, Socket socket) {
                                         if (!state->acceptor.is_open()) return;
                                         if (!error) {
                                             welcome(shared, *state, std::move(socket));
                                             return accept(shared, state);
                                         }
                                         shared->log.error("accept_failed", {{"error", error.message()}});
                                         state->pause.expires_after(accept_pause);
                                         state->pause.async_wait([shared, state](error_code) {
                                             if (state->acceptor.is_open()) accept(shared, state);
                                         });
                                     });
    }

    static void welcome(const SharedPtr& shared, State& state, Socket socket) {
        error_code error;
        const auto peer = socket.remote_endpoint(error);
        if (error) return;  // gone already
        socket.set_option(tcp::no_delay(true), error);
        socket.set_option(asio::socket_base::send_buffer_size(send_buffer), error);
        const std::string address = key_of(peer.address());
        auto place = shared->places.take(address);
        if (!place) return turn_away(*shared, socket, address, place.error());
        auto caller = std::make_shared<Caller>(shared, std::move(socket), address, std::move(*place));
        state.callers.push_back(caller);
        asio::post(caller->executor(), [caller] { caller->begin(); });
    }

    // One write that either fits or does not: nothing is kept for those there is no place for.
    static void turn_away(Shared& shared, Socket& socket, const std::string& address,
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

    std::shared_ptr<Shared> shared_;
    std::shared_ptr<State> state_;
    std::uint16_t port_ = 0;
};

state::Result<void> load_certificate(Shared& shared) {
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
    auto shared = std::make_shared<Shared>(gate, settings, figures, log);
    if (auto loaded = load_certificate(*shared); !loaded) return std::unexpected(loaded.error());
    auto wire = std::make_unique<ListeningWire>(loop, shared);
    if (auto listening = wire->listen(); !listening) return std::unexpected(listening.error());
    return wire;
}

}  // namespace instep::server
