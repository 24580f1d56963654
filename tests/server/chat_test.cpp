// SPDX-License-Identifier: MIT
// Chat over real connections. What a message may be: tests/net/messages_test.cpp.
#include <instep/server/server.h>

#include <tests/server/test_server.h>

using namespace instep;
using namespace instep::server;
using test::ask;
using test::RawSocket;
using test::TestServer;

namespace {

template <class Message>
std::string bytes_of(const Message& message) {
    codec::Bytes bytes;
    net::write(message, bytes);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

net::Say line(std::string_view text) { return {.text = decltype(net::Say::text)::of(text)}; }

// A client that has been welcomed.
struct Visitor {
    Visitor(const TestServer& fixture, const std::string& target) : socket(fixture.server->port()) {
        socket.send(test::upgrade_request(target));
        REQUIRE(socket.receive("\r\n\r\n").starts_with("HTTP/1.1 101"));
        const auto setup = match::load_builtin_setup("bounce", "billiards");
        REQUIRE(setup);
        const net::Hello hello{.fingerprint = (*setup)->fingerprint, .name = contract::PlayerName::of("Ann")};
        socket.send(test::frame(0x82, bytes_of(hello)));
        REQUIRE(!socket.receive("\x82").empty());
    }
    void say(const net::Say& what) { socket.send(test::frame(0x82, bytes_of(what))); }
    // Everything that came up to and with this message.
    std::string hears(const net::Said& said) {
        const std::string wanted = bytes_of(said);
        const std::string all = socket.receive(wanted);
        CHECK(all.find(wanted) != std::string::npos);
        return all;
    }

    RawSocket socket;
};

std::size_t count(const std::string& all, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = all.find(part); at != std::string::npos; at = all.find(part, at + 1)) ++found;
    return found;
}

constexpr const char* there = "/play?world=bounce&level=billiards&room=ours&key=";

}  // namespace

TEST_CASE("chat: players and watchers hear what a player says, and too much of it is dropped") {
    const TestServer fixture;
    Visitor ann(fixture, std::string(there) + "0123456789abcdef");
    Visitor bob(fixture, std::string(there) + "fedcba9876543210");
    Visitor watcher(fixture, "/watch?room=ours");
    ann.say(line("good game \xe2\x80\x93 <b>all</b>"));
    for (Visitor* each : {&ann, &bob, &watcher})
        each->hears({.slot = 0, .what = line("good game \xe2\x80\x93 <b>all</b>")});
    watcher.say(line("from the stands"));

    const net::Said wave{.slot = 0, .what = {.emote = net::Emote::wave, .text = {}}};
    for (int i = 0; i < 40; ++i) ann.say(wave.what);
    // Ann's come before Bob's, or in the same tick at the latest.
    ann.hears(wave);
    bob.say(line("enough"));
    const std::string received = bob.hears({.slot = 1, .what = line("enough")});
    CHECK(count(received, bytes_of(wave)) >= 1);
    CHECK(count(received, bytes_of(wave)) < 20);
    CHECK(received.find("from the stands") == std::string::npos);
    CHECK(fixture.server->metrics().players == 2);
}

TEST_CASE("chat: a server can switch it off") {
    server::ServerSettings settings = test::loopback();
    settings.has_chat = false;
    const TestServer fixture(settings);
    Visitor ann(fixture, std::string(there) + "0123456789abcdef");
    CHECK(ask(fixture.server->port(), "GET", "/api/rooms/ours").body.find(R"("chat":false)") !=
          std::string::npos);
    for (int i = 0; i < 4; ++i) ann.say(line("hello"));
    CHECK(ann.socket.receive(bytes_of(net::Said{.slot = 0, .what = line("hello")}), 300)
              .find(bytes_of(net::Said{.slot = 0, .what = line("hello")})) == std::string::npos);
}
