// SPDX-License-Identifier: MIT
#include <instep/server/settings.h>

#include <doctest/doctest.h>

#include <instep/server/dial.h>
#include <instep/server/rate_limit.h>
#include <tests/support/property.h>

using namespace instep;
using namespace instep::server;

namespace {

state::Json json(const char* text) {
    const auto parsed = state::parse_json(text, "text");
    REQUIRE(parsed);
    return *parsed;
}

std::string refusal_of(const char* text) {
    Limits limits;
    const auto read = read_limits(json(text), "file.json", limits);
    return read ? "" : read.error().text();
}

}  // namespace

TEST_CASE("every limit's default lies within its own bounds, and its name is unlike any other") {
    const Limits defaults;
    for (const LimitInfo& limit : limit_table()) {
        CAPTURE(limit.name);
        CHECK(defaults.*limit.member >= limit.low);
        CHECK(defaults.*limit.member <= limit.high);
        int same = 0;
        for (const LimitInfo& other : limit_table())
            same += other.name == limit.name || other.member == limit.member;
        CHECK(same == 1);
    }
    CHECK(limit_table().size() * sizeof(std::uint32_t) == sizeof(Limits));  // none was forgotten
}

TEST_CASE("limits are read from a file, and what is wrong with it is named") {
    Limits limits;
    CHECK(read_limits(json(R"({"most-rooms": 7, "idle-ms": 2500})"), "file.json", limits));
    CHECK(limits.most_rooms == 7);
    CHECK(limits.idle_ms == 2500);
    CHECK(limits.slow_ms == Limits{}.slow_ms);
    CHECK(refusal_of("[]") == "file.json: expected an object, got an array");
    CHECK(refusal_of(R"({"most-rooms": 0})") ==
          "file.json: most-rooms: expected a whole number from 1 to 100000, got 0");
    CHECK(refusal_of(R"({"most-rooms": "many"})").find("got \"many\"") != std::string::npos);
    CHECK(refusal_of(R"({"most-room": 1})").find("most-rooms") != std::string::npos);
}

TEST_CASE("limits are read from the environment") {
    CHECK(variable_of("most-connections-per-address") == "INSTEP_MOST_CONNECTIONS_PER_ADDRESS");
    Limits limits;
    CHECK(read_environment(
        [](const char* name) { return std::string_view(name) == "INSTEP_SLOW_MS" ? "99" : nullptr; },
        limits));
    CHECK(limits.slow_ms == 99);
    for (const auto lookup :
         {+[](const char*) { return "1e3"; }, +[](const char*) { return ""; },
          +[](const char*) { return "-1"; }, +[](const char*) { return "99999999999999999999"; }}) {
        const auto read = read_environment(lookup, limits);
        REQUIRE(!read);
        CHECK(read.error().text().starts_with("INSTEP_MOST_CONNECTIONS: expected a whole number from 1 to "));
    }
}

TEST_CASE("a rate limit lets through what may be, twice as much at once, and never more over time") {
    test::for_each_seed(200, [](math::Random& random) {
        const Time start{};
        RateLimit limit(100, start);
        double seconds = 0;
        double taken = 0;
        for (int i = 0; i < 300; ++i) {
            seconds += random.uniform(0, 0.05);
            const double amount = random.uniform(0, 10);
            if (limit.take(amount,
                           start + std::chrono::nanoseconds(static_cast<std::int64_t>(seconds * 1e9))))
                taken += amount;
            else
                limit.give_back(amount);
        }
        CHECK(taken <= 200 + 100 * seconds + 1e-6);
        CHECK(taken >= std::min(100 * seconds, 300.0) * 0.5);
    });
}

TEST_CASE("addresses of servers are taken apart, and what is none is refused") {
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

TEST_CASE("a query holds what was escaped into it, whatever that was") {
    test::for_each_seed(300, [](math::Random& random) {
        std::string text;
        for (std::uint32_t i = random.below(20); i > 0; --i) text += static_cast<char>(32 + random.below(95));
        Request request;
        REQUIRE(read_target("/a%20b?x=1&key=" + escape_query(text), request));
        CHECK(request.path == "/a b");
        REQUIRE(request.find("key"));
        CHECK(*request.find("key") == text);
        CHECK(!request.find("y"));
    });
    Request request;
    for (const char* bad : {"", "play", "*", "/%", "/%4", "/%zz", "/%00", "/?a=%ff", "/%0a"}) {
        CAPTURE(bad);
        CHECK(!read_target(bad, request));
    }
    std::string many = "/?";
    for (int i = 0; i < 40; ++i) many += "a=b&";
    CHECK(!read_target(many, request));
}
