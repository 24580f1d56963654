// SPDX-License-Identifier: MIT
#include <instep/server/settings.h>

#include <doctest/doctest.h>

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

TEST_CASE("settings: each limit's default is within its bounds, and its name is unique") {
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

TEST_CASE("settings: limits are read from a file, and errors name the key") {
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

TEST_CASE("settings: limits are read from the environment") {
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

TEST_CASE("rate limit: allows the rate over time and two seconds' worth at once") {
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
