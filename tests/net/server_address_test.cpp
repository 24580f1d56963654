// SPDX-License-Identifier: MIT
#include <instep/net/server_address.h>

#include <string>

#include <doctest/doctest.h>

using namespace instep::net;

TEST_CASE("server address: a scheme, a host and perhaps a port") {
    for (const char* address :
         {"ws://localhost", "ws://127.0.0.1:8080", "wss://game-2.example.org", "wss://game.example:65535",
          "ws://[::1]", "wss://[2001:db8::1]:8443", "ws://[::ffff:127.0.0.1]:1"})
        CHECK_MESSAGE(is_server_address(address), address);
}

TEST_CASE("server address: it is parsed into its parts") {
    const auto address = parse_server_address("wss://[2001:db8::1]:8443");
    REQUIRE(address);
    CHECK((address->tls && address->host == "2001:db8::1" && address->port == 8443));
    const auto usual = parse_server_address("ws://game.example");
    REQUIRE(usual);
    CHECK((!usual->tls && usual->host == "game.example" && usual->port == 80));
}

TEST_CASE("server address: what could lead elsewhere is refused") {
    for (const char* address : {"",
                                "ws://",
                                "wss://:80",
                                "http://game.example",
                                "javascript://x",
                                "WS://game.example",
                                "ws://game.example/",
                                "ws://game.example/play",
                                "ws://game.example?x",
                                "ws://game.example#x",
                                "ws://user@game.example",
                                "ws://game.example:80@evil.example",
                                "ws://game.example:",
                                "ws://game.example:0",
                                "ws://game.example:65536",
                                "ws://game.example:0x50",
                                "ws://game.example:080808",
                                "ws://game example",
                                "ws://game\n.example",
                                "ws://game%2eexample",
                                "ws://\xC3\xBCnl\xC3\xBC.example",
                                "ws://[]",
                                "ws://[::1",
                                "ws://[1234]",
                                "ws://[::g]",
                                "ws://[::1]x",
                                "ws://[::1]:",
                                " ws://game.example",
                                "ws://game.example ",
                                "ws:\\\\game.example"})
        CHECK_MESSAGE(!is_server_address(address), address);
    CHECK(is_server_address("ws://" + std::string(max_server_address - 5, 'a')));
    CHECK(!is_server_address("ws://" + std::string(max_server_address - 4, 'a')));
}

TEST_CASE("server address: a client that plays over TLS does not follow to a server without it") {
    CHECK(may_follow("ws://a", "ws://b"));
    CHECK(may_follow("ws://a", "wss://b"));
    CHECK(may_follow("wss://a", "wss://b"));
    CHECK(!may_follow("wss://a", "ws://b"));
    CHECK(!may_follow("ws://a", "http://b"));
}
