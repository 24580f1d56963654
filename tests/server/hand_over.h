// SPDX-License-Identifier: MIT
// Servers that hand rooms to each other, and a successor that answers as a test wants.
#pragma once

#include <instep/server/successor.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include <tests/net/logged_match.h>
#include <tests/server/log_file.h>
#include <tests/server/test_server.h>

namespace instep::test {

using headless::HeadlessPlan;
using server::ServerSettings;

inline const std::string token = "0123456789abcdef0123456789abcdef";

inline ServerSettings with_admin(const std::string& admin_token = "") {
    ServerSettings settings = loopback();
    settings.admin_port = 0;
    settings.admin_token = admin_token;
    return settings;
}

inline std::string admin_of(const TestServer& server) {
    return "http://127.0.0.1:" + std::to_string(server.server->admin_port());
}

inline HttpAnswer ask_admin(const TestServer& fixture, const std::string& method, const std::string& target,
                            const std::string& body = "", const std::string& more = "") {
    RawSocket socket(fixture.server->admin_port());
    socket.send(method + " " + target + " HTTP/1.1\r\nHost: localhost\r\n" + more +
                "Connection: close\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
    return parse_answer(socket.receive());
}

inline std::string text_in(const HttpAnswer& answer, const char* key) {
    const auto json = state::parse_json(answer.body, "answer");
    REQUIRE_MESSAGE(json.has_value(), answer.body);
    const state::Json* found = json->find(key);
    return found && found->string() ? *found->string() : "";
}

inline HeadlessPlan players_of(const TestServer& fixture, std::uint32_t count, const char* room = "ours") {
    HeadlessPlan plan = clients_at(fixture, "flail", "plain", count);
    plan.room = room;
    return plan;
}

inline std::string image_of_room(const std::string& name) {
    net::Host host(level("bounce", "box"), 3, net::ReplicationMode::snapshots);
    REQUIRE(host.join("guest", net::LinkKind::ordered));
    for (int i = 0; i < 100; ++i) host.step();
    server::RoomImage image;
    image.name = name;
    image.host = host.save();
    image.seats = {{server::PlayerId::resume_key("0123456789abcdef"), 0, "00112233445566778899aabbccddeeff",
                    "guest", "127.0.0.1"}};
    codec::Bytes bytes;
    write(image, bytes);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// A successor that answers as a test wants: an empty answer closes the connection, and "exit" ends it too.
class FakeSuccessor {
public:
    using Answer = std::function<std::string(const std::string& target)>;

    explicit FakeSuccessor(Answer answer) : answer_(std::move(answer)) {
        listener_ = socket(AF_INET, SOCK_STREAM, 0);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        REQUIRE(bind(listener_, reinterpret_cast<const sockaddr*>(&address), size) == 0);
        REQUIRE(listen(listener_, 16) == 0);
        getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
        url_ = "http://127.0.0.1:" + std::to_string(ntohs(address.sin_port));
        thread_ = std::thread([this] { run(); });
    }
    ~FakeSuccessor() {
        stopped_ = true;
        shutdown(listener_, SHUT_RDWR);
        thread_.join();
        close(listener_);
    }
    const std::string& url() const { return url_; }

private:
    void run() {
        while (!stopped_) {
            const int client = accept(listener_, nullptr, nullptr);
            if (client < 0) return;
            const std::string reply = answer_(read_request(client));
            if (reply == "exit") shutdown(listener_, SHUT_RDWR);
            if (reply.starts_with("{")) {
                const std::string response =
                    "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(reply.size()) + "\r\n\r\n" + reply;
                send(client, response.data(), response.size(), MSG_NOSIGNAL);
            }
            close(client);
        }
    }
    static std::string read_request(int client) {
        std::string all;
        char bytes[65536];
        for (;;) {
            const std::size_t gap = all.find("\r\n\r\n");
            if (gap != std::string::npos) {
                const std::size_t at = all.find("Content-Length: ");
                const std::size_t size = at < gap ? std::strtoul(all.c_str() + at + 16, nullptr, 10) : 0;
                if (all.size() >= gap + 4 + size) break;
            }
            const ssize_t got = recv(client, bytes, sizeof bytes, 0);
            if (got <= 0) break;
            all.append(bytes, static_cast<std::size_t>(got));
        }
        const std::size_t begin = all.find(' ') + 1;
        return all.substr(begin, all.find(' ', begin) - begin);
    }

    Answer answer_;
    int listener_ = -1;
    std::string url_;
    std::atomic<bool> stopped_{false};
    std::thread thread_;
};

inline constexpr const char* welcome_answer = R"({"address": "ws://127.0.0.1:9"})";

inline double tick_of(const TestServer& fixture, const char* room) {
    const HttpAnswer answer = ask(fixture.server->port(), "GET", "/api/rooms/" + std::string(room));
    const auto json = state::parse_json(answer.body, "answer");
    return json && json->find("tick") ? json->find("tick")->number() : -1;
}

// The room goes on there: it ticks.
inline bool goes_on(const TestServer& fixture, const char* room) {
    const double before = tick_of(fixture, room);
    return before >= 0 && eventually([&] { return tick_of(fixture, room) > before + 5; });
}

inline codec::Bytes file_bytes(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
    return {bytes, bytes + text.size()};
}

}  // namespace instep::test
