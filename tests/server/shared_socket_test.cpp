// SPDX-License-Identifier: MIT
// A game that is being edited: servers that follow each other at one socket, and what they tell pages of
// their build.
#include <instep/server/listener.h>

#include <sys/socket.h>
#include <unistd.h>

#include <tests/server/test_server.h>

using namespace instep;
using namespace instep::server;
using test::ask;
using test::eventually;
using test::RawSocket;
using test::TestServer;

namespace {

// A socket that listens on a free port of the loopback interface.
struct SharedSocket {
    SharedSocket() : handle(socket(AF_INET, SOCK_STREAM, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        REQUIRE(bind(handle, reinterpret_cast<sockaddr*>(&address), size) == 0);
        REQUIRE(listen(handle, 16) == 0);
        REQUIRE(getsockname(handle, reinterpret_cast<sockaddr*>(&address), &size) == 0);
        port = ntohs(address.sin_port);
    }
    ~SharedSocket() { close(handle); }
    SharedSocket(SharedSocket&&) = delete;

    // As a child process would inherit it.
    ServerSettings settings(const std::string& build) const {
        ServerSettings settings = test::loopback();
        settings.socket = dup(handle);
        settings.admin_port = 0;
        settings.build = build;
        return settings;
    }

    int handle;
    std::uint16_t port = 0;
};

std::string build_at(std::uint16_t port) {
    const auto json = state::parse_json(ask(port, "GET", "/api/build").body, "answer");
    const state::Json* build = json ? json->find("build") : nullptr;
    return build && build->string() ? *build->string() : "";
}

}  // namespace

TEST_CASE("shared socket: a server that drains leaves new connections to the next one") {
    const SharedSocket shared;
    const TestServer old(shared.settings("first"));
    CHECK(old.server->port() == shared.port);
    CHECK(build_at(shared.port) == "first");
    RawSocket kept(shared.port);
    const std::string request = "GET /livez HTTP/1.1\r\nHost: here\r\n\r\n";
    kept.send(request);
    CHECK(kept.receive("ok\n").find("Connection: close") == std::string::npos);

    const TestServer next(shared.settings("second"));
    REQUIRE(old.server->drain(""));
    CHECK(eventually([&] { return build_at(shared.port) == "second"; }));
    for (int i = 0; i < 20; ++i) CHECK(build_at(shared.port) == "second");
    // A connection that is open gets one more answer, so that its client asks the next server afterwards.
    kept.send(request);
    CHECK(kept.receive("ok\n").find("Connection: close") != std::string::npos);
    CHECK(kept.is_closed_within(10'000));
}

TEST_CASE("shared socket: what is no socket that listens is refused") {
    ServerSettings settings = test::loopback();
    const int plain = socket(AF_INET, SOCK_STREAM, 0);
    for (const int descriptor : {plain, 1023}) {
        settings.socket = descriptor;
        const auto started = Server::start(settings, {}, test::silent_log());
        REQUIRE_FALSE(started);
        CHECK(started.error().text().find("expected a TCP socket that listens") != std::string::npos);
    }
    close(plain);
}

TEST_CASE("build status: pages are told of it only where a game is being edited") {
    const TestServer usual;
    CHECK(ask(usual.server->port(), "GET", "/api/build").status == 404);
    CHECK(ask(usual.server->port(), "GET", "/api/worlds").head.find("Instep-Build") == std::string::npos);

    const SharedSocket shared;
    const TestServer edited(shared.settings("abc"));
    CHECK(ask(shared.port, "GET", "/api/worlds").head.find("Instep-Build: abc") != std::string::npos);
    const auto tell = [&](const std::string& body) {
        RawSocket socket(edited.server->admin_port());
        socket.send("POST /admin/build HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: " +
                    std::to_string(body.size()) + "\r\n\r\n" + body);
        return test::parse_answer(socket.receive()).status;
    };
    CHECK(tell(R"({"message": "line 3:\n expected ';'"})") == 200);
    CHECK(ask(shared.port, "GET", "/api/build").body.find(R"("message":"line 3:\n expected ';'")") !=
          std::string::npos);
    CHECK(tell(R"({"message": ""})") == 200);
    CHECK(ask(shared.port, "GET", "/api/build").body.find(R"("message":"")") != std::string::npos);
    CHECK(tell(R"({"message": 7})") == 400);
    CHECK(tell(R"({})") == 400);
    CHECK(tell("x") == 400);
    CHECK(tell(R"({"message": ")" + std::string(BuildStatus::most_message + 1, 'x') + "\"}") == 400);
}
