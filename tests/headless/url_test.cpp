// SPDX-License-Identifier: MIT
#include <instep/headless/url.h>

#include <instep/server/http.h>

#include <tests/support/property.h>

#include <doctest/doctest.h>

using namespace instep;
using namespace instep::headless;
using namespace instep::server;

TEST_CASE("url: addresses are parsed, and malformed ones refused") {
    const auto url = parse_url("wss://play.example:8443/some/where?a=b");
    REQUIRE(url);
    CHECK(url->tls);
    CHECK(url->host == "play.example");
    CHECK(url->port == 8443);
    CHECK(url->target == "/some/where?a=b");
    CHECK(parse_url("ws://127.0.0.1")->port == 80);
    CHECK(parse_url("https://a")->port == 443);
    CHECK(parse_url("ws://[::1]:99")->host == "::1");
    CHECK(parse_url("ws://[::1]:99")->port == 99);
    for (const char* bad :
         {"", "play.example", "ws://", "ws://:80", "ws://a:0", "ws://a:99999", "ws://a:x", "ftp://a"}) {
        CAPTURE(bad);
        CHECK(!parse_url(bad));
    }
}

TEST_CASE("url: a query returns what was escaped into it") {
    test::for_each_seed(300, [](math::Random& random) {
        std::string text;
        for (std::uint32_t i = random.below(20); i > 0; --i) text += static_cast<char>(32 + random.below(95));
        Request request;
        REQUIRE(parse_target("/a%20b?x=1&key=" + escape_query(text), request));
        CHECK(request.path == "/a b");
        REQUIRE(request.find("key"));
        CHECK(*request.find("key") == text);
        CHECK(!request.find("y"));
    });
    Request request;
    for (const char* bad : {"", "play", "*", "/%", "/%4", "/%zz", "/%00", "/?a=%ff", "/%0a"}) {
        CAPTURE(bad);
        CHECK(!parse_target(bad, request));
    }
    std::string many = "/?";
    for (int i = 0; i < 40; ++i) many += "a=b&";
    CHECK(!parse_target(many, request));
}
