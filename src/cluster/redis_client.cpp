// SPDX-License-Identifier: MIT
// hiredis's own asynchronous interface resolves names with a blocking call and has no TLS, so the sockets are
// Asio's (docs/decisions/cluster.md).
#include <instep/cluster/redis_client.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <chrono>
#include <deque>
#include <optional>

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/steady_timer.hpp>

#include <instep/server/mutex.h>

namespace instep::cluster {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;
using server::LockGuard;

namespace {

constexpr std::chrono::milliseconds first_pause{20};  // before the next attempt; doubles up to the last
constexpr std::chrono::milliseconds last_pause{1000};
constexpr std::chrono::milliseconds most_connecting{3000};
// Redis answers in microseconds. One that is silent for longer is stopped, or its machine is gone.
constexpr std::chrono::milliseconds most_silence{5000};
constexpr std::chrono::milliseconds silence_check{500};
constexpr std::size_t read_size = 1u << 16;

// What operations that are under way use, so that it lives until the last one is over.
struct Transport {
    Transport(asio::io_context& context, asio::ssl::context* tls_context) : socket(context) {
        if (tls_context) tls.emplace(socket, *tls_context);
    }
    tcp::socket socket;
    std::optional<asio::ssl::stream<tcp::socket&>> tls;
    std::array<char, read_size> read_buffer{};
};

}  // namespace

// All on its I/O thread, but for what the mutex guards.
class RedisClient::Session : public std::enable_shared_from_this<Session> {
public:
    Session(server::Loop& loop, RedisUrl url, RedisLogin login, Events events)
        : thread_(loop.assign_io_thread()),
          resolver_(thread_.context),
          timer_(thread_.context),
          watchdog_(thread_.context),
          url_(std::move(url)),
          login_(std::move(login)),
          events_(std::move(events)) {
        if (!url_.tls) return;
        tls_context_.emplace(asio::ssl::context::tls_client);
        error_code error;
        tls_context_->set_verify_mode(asio::ssl::verify_peer, error);
        if (url_.authorities.empty())
            tls_context_->set_default_verify_paths(error);
        else
            tls_context_->load_verify_file(url_.authorities, error);
        if (error) tls_failure_ = url_.authorities + " holds no certificates: " + error.message();
    }

    void begin() {
        asio::post(thread_.context, [self = shared_from_this()] { self->connect(); });
    }

    // The owner is gone: its events are not called any more.
    void close() {
        is_closed_ = true;
        asio::post(thread_.context, [self = shared_from_this()] {
            self->timer_.cancel();
            self->resolver_.cancel();
            self->drop_connection("closed");
        });
    }

    void send(const Command& command, Answer answer) {
        bool must_post = false;
        {
            const LockGuard lock(mutex_);
            if (waiting_ < most_waiting) {
                ++waiting_;
                write_command(command, unsent_);
                unsent_answers_.push_back(std::move(answer));
                must_post = !std::exchange(is_posted_, true);
            } else {
                asio::post(thread_.context,
                           [answer = std::move(answer)] { answer_lost(answer, "too many commands wait"); });
            }
        }
        if (must_post) asio::post(thread_.context, [self = shared_from_this()] { self->flush(); });
    }

    bool is_connected() const { return is_ready_; }

private:
    static void answer_lost(const Answer& answer, const std::string& why) {
        if (answer) answer(Reply::make_error(std::string(lost) + " " + why));
    }

    // --- Connecting

    void connect() {
        if (is_closed_) return;
        const std::size_t attempt = ++connection_;
        if (!tls_failure_.empty()) return fail(tls_failure_);
        at_sentinel_ = !url_.master.empty() && !master_;
        const RedisHost& host = master_ ? *master_ : url_.hosts[next_host_++ % url_.hosts.size()];
        timer_.expires_after(most_connecting);
        timer_.async_wait([self = shared_from_this(), attempt](error_code error) {
            if (!error && attempt == self->connection_ && !self->is_ready_)
                self->fail("no connection within " + std::to_string(most_connecting.count()) + " ms");
        });
        resolver_.async_resolve(
            host.name, std::to_string(host.port),
            [self = shared_from_this(), attempt](error_code error, const tcp::resolver::results_type& found) {
                if (attempt != self->connection_) return;
                if (error) return self->fail(error.message());
                const auto transport = std::make_shared<Transport>(
                    self->thread_.context, self->tls_context_ ? &*self->tls_context_ : nullptr);
                self->transport_ = transport;
                asio::async_connect(transport->socket, found,
                                    [self, attempt, transport](error_code failed, const auto&) {
                                        if (attempt != self->connection_) return;
                                        if (failed) return self->fail(failed.message());
                                        self->begin_tls(attempt);
                                    });
            });
    }

    void begin_tls(std::size_t attempt) {
        error_code ignored;
        transport_->socket.set_option(tcp::no_delay(true), ignored);
        if (!transport_->tls) return log_in();
        auto& tls = *transport_->tls;
        std::string host = url_.hosts.front().name;
        SSL_ctrl(tls.native_handle(), SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name, host.data());
        tls.set_verify_callback(asio::ssl::host_name_verification(host), ignored);
        tls.async_handshake(asio::ssl::stream_base::client,
                            [self = shared_from_this(), attempt, transport = transport_](error_code error) {
                                if (attempt != self->connection_) return;
                                if (error) return self->fail(error.message());
                                self->log_in();
                            });
    }

    void log_in() {
        parser_.emplace();
        received_at_ = server::Clock::now();
        read(connection_);
        watch_silence(connection_);
        if (!login_.password.empty() && !at_sentinel_) {
            Command auth{"AUTH"};
            if (!login_.user.empty()) auth.push_back(login_.user);
            auth.push_back(login_.password);
            ask(auth, [this](const Reply& reply) {
                if (reply.is_error()) return fail("login: " + reply.text);
                check_role();
            });
        } else {
            check_role();
        }
    }

    // A Sentinel says where the master is. A server must be one: a replica takes no writes.
    void check_role() {
        if (at_sentinel_) {
            return ask({"SENTINEL", "GET-MASTER-ADDR-BY-NAME", url_.master}, [this](const Reply& reply) {
                std::uint16_t port = 0;
                const bool is_address = reply.items.size() == 2;
                if (is_address) {
                    const std::string& text = reply.items[1].text;
                    std::from_chars(text.data(), text.data() + text.size(), port);
                }
                if (port == 0) return fail("a Sentinel knows no master \"" + url_.master + "\"");
                const RedisHost master{reply.items[0].text, port};
                drop_connection("the Sentinel has answered");
                master_ = master;
                connect();
            });
        }
        ask({"ROLE"}, [this](const Reply& reply) {
            if (reply.items.empty() || reply.items[0].text != "master")
                return fail(reply.is_error() ? reply.text : "this Redis is a replica, not a master");
            timer_.cancel();
            pause_ = first_pause;
            is_ready_ = true;
            if (!is_closed_ && events_.connected) events_.connected();
            flush();
        });
    }

    // Before any other command.
    void ask(const Command& command, Answer answer) {
        write_command(command, unwritten_);
        answers_.push_back({std::move(answer), false});
        write();
    }

    void fail(const std::string& why) {
        if (!is_closed_ && events_.failed) events_.failed(why);
        drop_connection(why);
        master_.reset();
        if (is_closed_) return;
        timer_.expires_after(pause_);
        pause_ = std::min(2 * pause_, last_pause);
        timer_.async_wait([self = shared_from_this()](error_code error) {
            if (!error) self->connect();
        });
    }

    void drop_connection(const std::string& why) {
        ++connection_;
        is_ready_ = false;
        watchdog_.cancel();
        error_code ignored;
        if (transport_) transport_->socket.close(ignored);
        transport_.reset();
        parser_.reset();
        unwritten_.clear();
        is_writing_ = false;
        std::deque<Expected> orphans = std::exchange(answers_, {});
        {
            const LockGuard lock(mutex_);
            unsent_.clear();
            for (Answer& answer : unsent_answers_) orphans.push_back({std::move(answer), true});
            unsent_answers_.clear();
        }
        for (const Expected& orphan : orphans) {
            if (!orphan.is_counted) continue;
            uncount();
            answer_lost(orphan.answer, why);
        }
    }

    // --- Commands and answers

    void flush() {
        std::vector<Answer> answers;
        {
            const LockGuard lock(mutex_);
            is_posted_ = false;
            if (!is_ready_) {
                unsent_.clear();
            } else if (unwritten_.empty()) {
                std::swap(unwritten_, unsent_);
            } else {
                unwritten_ += unsent_;
                unsent_.clear();
            }
            answers.swap(unsent_answers_);
        }
        for (Answer& answer : answers) {
            if (is_ready_) {
                answers_.push_back({std::move(answer), true});
            } else {
                uncount();
                answer_lost(answer, "no connection to Redis");
            }
        }
        write();
    }

    void write() {
        if (is_writing_ || unwritten_.empty() || !transport_) return;
        is_writing_ = true;
        // The bytes are the operation's own: the next connection may begin before it is over.
        const auto bytes = std::make_shared<std::string>(std::exchange(unwritten_, {}));
        const auto done = [self = shared_from_this(), here = connection_, bytes, transport = transport_](
                              error_code error, std::size_t) {
            if (here != self->connection_) return;
            self->is_writing_ = false;
            if (error) return self->fail(error.message());
            self->write();
        };
        if (transport_->tls)
            asio::async_write(*transport_->tls, asio::buffer(*bytes), done);
        else
            asio::async_write(transport_->socket, asio::buffer(*bytes), done);
    }

    void read(std::size_t here) {
        const auto done = [self = shared_from_this(), here, transport = transport_](error_code error,
                                                                                    std::size_t size) {
            if (here != self->connection_) return;
            if (error) return self->fail(error.message());
            self->received_at_ = server::Clock::now();
            self->parser_->feed({transport->read_buffer.data(), size});
            if (self->answer_complete(here)) self->read(here);
        };
        if (transport_->tls)
            transport_->tls->async_read_some(asio::buffer(transport_->read_buffer), done);
        else
            transport_->socket.async_read_some(asio::buffer(transport_->read_buffer), done);
    }

    // False: the connection was dropped.
    bool answer_complete(std::size_t here) {
        Reply reply;
        for (;;) {
            const auto parsed = parser_->next(reply);
            if (!parsed) {
                fail(parsed.error().text());
                return false;
            }
            if (!*parsed) return true;
            if (answers_.empty()) {
                fail("Redis answered what was not asked");
                return false;
            }
            const Expected expected = std::move(answers_.front());
            answers_.pop_front();
            if (expected.is_counted) uncount();
            if (expected.answer) expected.answer(reply);
            if (here != connection_) return false;
        }
    }

    void uncount() {
        const LockGuard lock(mutex_);
        --waiting_;
    }

    void watch_silence(std::size_t here) {
        watchdog_.expires_after(silence_check);
        watchdog_.async_wait([self = shared_from_this(), here](error_code error) {
            if (error || here != self->connection_) return;
            if (!self->answers_.empty() && server::Clock::now() - self->received_at_ > most_silence)
                return self->fail("Redis has not answered for " + std::to_string(most_silence.count()) +
                                  " ms");
            if (self->answers_.empty()) self->received_at_ = server::Clock::now();
            self->watch_silence(here);
        });
    }

    struct Expected {
        Answer answer;
        bool is_counted;  // in waiting_
    };

    server::Loop::IoThread thread_;
    tcp::resolver resolver_;
    asio::steady_timer timer_;
    asio::steady_timer watchdog_;
    RedisUrl url_;
    RedisLogin login_;
    Events events_;
    std::atomic<bool> is_closed_{false};
    std::atomic<bool> is_ready_{false};
    std::optional<asio::ssl::context> tls_context_;
    std::string tls_failure_;  // why there can be no connection; empty: there can
    std::shared_ptr<Transport> transport_;
    std::optional<ReplyParser> parser_;
    std::size_t connection_ = 0;  // counts connections, so that handlers of an earlier one do nothing
    std::size_t next_host_ = 0;
    bool at_sentinel_ = false;
    std::optional<RedisHost> master_;  // as a Sentinel said
    std::chrono::milliseconds pause_ = first_pause;
    server::Time received_at_;
    std::deque<Expected> answers_;  // in the order of their commands
    std::string unwritten_;
    bool is_writing_ = false;

    server::Mutex mutex_;
    std::string unsent_ GUARDED_BY(mutex_);
    std::vector<Answer> unsent_answers_ GUARDED_BY(mutex_);
    std::size_t waiting_ GUARDED_BY(mutex_) = 0;
    bool is_posted_ GUARDED_BY(mutex_) = false;
};

RedisClient::RedisClient(server::Loop& loop, RedisUrl url, RedisLogin login, Events events)
    : session_(std::make_shared<Session>(loop, std::move(url), std::move(login), std::move(events))) {
    session_->begin();
}

// Throws only for want of memory, which ends the program.
RedisClient::~RedisClient() { session_->close(); }  // NOLINT(bugprone-exception-escape)

void RedisClient::send(const Command& command, Answer answer) { session_->send(command, std::move(answer)); }
bool RedisClient::is_connected() const { return session_->is_connected(); }

}  // namespace instep::cluster
