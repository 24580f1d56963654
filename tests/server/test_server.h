// SPDX-License-Identifier: MIT
// A real server on a free port of the loopback interface, and helpers for tests: HTTP requests, raw sockets,
// and waiting for a condition.
#pragma once

#include <chrono>
#include <cstring>
#include <string>
#include <string_view>
#include <thread>

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <doctest/doctest.h>

#include <instep/headless/headless_clients.h>
#include <instep/server/server.h>

namespace instep::test {

inline server::Log& silent_log() {
    static server::Log log(nullptr);
    return log;
}

inline server::ServerSettings loopback() {
    server::ServerSettings settings;
    settings.port = 0;
    settings.threads = 2;
    settings.hosts = {"here"};                                    // the Host header of the requests below
    settings.limits.idle_ms = settings.limits.slow_ms = 120'000;  // so that a busy machine fails no test
    return settings;
}

struct TestServer {
    explicit TestServer(const server::ServerSettings& settings = loopback(), server::Levels levels = {},
                        server::Log& log = silent_log()) {
        auto started = server::Server::start(settings, std::move(levels), log);
        REQUIRE_MESSAGE(started.has_value(), (started ? "" : started.error().text()));
        server = std::move(*started);
    }
    // No test may make a thread of ticks or sockets touch the disk.
    ~TestServer() {
        server.reset();
        CHECK(server::forbidden_disk_calls() == forbidden_before);
    }
    TestServer(TestServer&&) = delete;
    headless::Url url() const {
        headless::Url url;
        url.host = "127.0.0.1";
        url.port = server->port();
        return url;
    }
    std::uint64_t refused(server::RefusalReason reason) const {
        return server->metrics().refusals[static_cast<std::size_t>(reason)];
    }

    const std::uint64_t forbidden_before = server::forbidden_disk_calls();
    std::unique_ptr<server::Server> server;
};

// Conditions mostly hold at once; the long timeout is for machines under load.
template <class Condition>
bool eventually(Condition condition, std::chrono::milliseconds timeout = std::chrono::seconds(30)) {
    const auto until = std::chrono::steady_clock::now() + timeout;
    while (!condition()) {
        if (std::chrono::steady_clock::now() > until) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return true;
}

// A socket on which a test writes every byte itself.
class RawSocket {
public:
    explicit RawSocket(std::uint16_t port, int receive_buffer = 0)
        : handle_(socket(AF_INET, SOCK_STREAM, 0)) {
        if (receive_buffer > 0)
            setsockopt(handle_, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(port);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        is_open_ = connect(handle_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    }
    ~RawSocket() { close(); }
    RawSocket(RawSocket&& other) noexcept
        : handle_(std::exchange(other.handle_, -1)), is_open_(other.is_open_) {}
    RawSocket& operator=(RawSocket&&) = delete;

    bool is_open() const { return is_open_; }
    void close() {
        if (handle_ >= 0) ::close(handle_);
        handle_ = -1;
    }
    bool send(std::string_view bytes) {
        while (!bytes.empty()) {
            const ssize_t sent = ::send(handle_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
            if (sent <= 0) return false;
            bytes.remove_prefix(static_cast<std::size_t>(sent));
        }
        return true;
    }
    // Everything that comes until it contains `mark`, the other end closes, or nothing came for the timeout.
    std::string receive(std::string_view mark = {}, int timeout_ms = 10'000) {
        std::string all;
        for (;;) {
            if (!mark.empty() && all.find(mark) != std::string::npos) return all;
            pollfd ready{.fd = handle_, .events = POLLIN, .revents = 0};
            if (poll(&ready, 1, timeout_ms) <= 0) return all;
            char bytes[4096];
            const ssize_t got = recv(handle_, bytes, sizeof bytes, 0);
            if (got <= 0) {
                was_closed_ = true;
                return all;
            }
            all.append(bytes, static_cast<std::size_t>(got));
        }
    }
    // Whether the other end closes within the timeout; bytes that come before are dropped.
    bool is_closed_within(int timeout_ms) {
        receive({}, timeout_ms);
        return was_closed_;
    }

private:
    int handle_;
    bool is_open_ = false;
    bool was_closed_ = false;
};

struct HttpAnswer {
    int status = 0;
    std::string head;
    std::string body;
};

inline HttpAnswer parse_answer(const std::string& all) {
    HttpAnswer answer;
    const std::size_t gap = all.find("\r\n\r\n");
    if (all.size() > 12) answer.status = std::atoi(all.c_str() + 9);
    answer.head = all.substr(0, gap);
    if (gap != std::string::npos) answer.body = all.substr(gap + 4);
    return answer;
}

inline HttpAnswer ask(std::uint16_t port, const std::string& method, const std::string& target,
                      const std::string& body = "") {
    RawSocket socket(port);
    socket.send(method + " " + target + " HTTP/1.1\r\nHost: here\r\nConnection: close\r\nContent-Length: " +
                std::to_string(body.size()) + "\r\n\r\n" + body);
    return parse_answer(socket.receive());
}

// The request that opens a WebSocket.
inline std::string upgrade_request(const std::string& target, const std::string& more = "") {
    return "GET " + target +
           " HTTP/1.1\r\nHost: here\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: "
           "13\r\n"
           "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n" +
           more + "\r\n";
}

// A client's frame: masked, with a mask of zeros.
inline std::string frame(unsigned char first, std::string_view content) {
    std::string out{static_cast<char>(first)};
    if (content.size() < 126) {
        out += static_cast<char>(0x80 | content.size());
    } else {
        out += static_cast<char>(0x80 | 126);
        out += static_cast<char>(content.size() >> 8);
        out += static_cast<char>(content.size() & 255);
    }
    out.append(4, '\0');
    out += content;
    return out;
}

// The code and the text of a close frame; 0: there was no close frame.
struct CloseFrame {
    int code = 0;
    std::string reason;
};
inline CloseFrame find_close(const std::string& bytes, std::size_t from = 0) {
    const std::size_t gap = bytes.find("\r\n\r\n", from);
    std::size_t at = gap == std::string::npos ? from : gap + 4;
    while (at + 2 <= bytes.size()) {
        const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
        std::size_t size = byte(at + 1) & 127u;
        std::size_t head = 2;
        if (size == 126 && at + 4 <= bytes.size()) {
            size = byte(at + 2) * 256u + byte(at + 3);
            head = 4;
        }
        if (byte(at) == 0x88 && size >= 2 && at + head + size <= bytes.size())
            return {byte(at + head) * 256 + byte(at + head + 1), bytes.substr(at + head + 2, size - 2)};
        at += head + size;
    }
    return {};
}

// So many clients of a built-in level.
inline headless::HeadlessPlan clients_at(const TestServer& fixture, const char* world, const char* level,
                                         std::uint32_t count) {
    const auto setup = match::load_builtin_setup(world, level);
    REQUIRE(setup);
    headless::HeadlessPlan plan;
    plan.url = fixture.url();
    plan.setup = *setup;
    plan.count = count;
    return plan;
}

}  // namespace instep::test
