// SPDX-License-Identifier: MIT
#include <instep/server/address_rates.h>

#include <algorithm>

#include <tests/server/test_server.h>
#include <tests/support/property.h>

using namespace instep;
using namespace instep::server;
using test::find_close;
using test::RawSocket;
using test::TestServer;
using test::upgrade_request;

namespace {

Time at(double seconds) {
    return Time{} + std::chrono::nanoseconds(static_cast<std::int64_t>(seconds * 1e9));
}

IpAddress address(const std::string& text) { return IpAddress::parse(text).value(); }

int taken_at_once(AddressRate& rate, const std::string& text, int tries, double seconds = 1) {
    int taken = 0;
    for (int i = 0; i < tries; ++i) taken += rate.take(address(text), at(seconds)).count() == 0;
    return taken;
}

// Opens 60 connections, sends the same over each of them, and returns what came back. A rate of one a second
// allows 30 of them, and one more for each second that this takes.
std::vector<std::string> answers_to(const TestServer& fixture, const std::string& first,
                                    const std::string& second = "") {
    std::vector<RawSocket> sockets;
    for (int i = 0; i < 60; ++i) sockets.emplace_back(fixture.server->port()).send(first);
    std::vector<std::string> answers;
    for (RawSocket& socket : sockets) answers.push_back(socket.receive("\r\n\r\n"));
    if (second.empty()) return answers;
    for (RawSocket& socket : sockets) socket.send(second);
    for (std::size_t i = 0; i < sockets.size(); ++i) answers[i] += sockets[i].receive();
    return answers;
}

std::size_t count_with(const std::vector<std::string>& answers, std::string_view text) {
    return static_cast<std::size_t>(
        std::count_if(answers.begin(), answers.end(),
                      [&](const std::string& answer) { return answer.find(text) != std::string::npos; }));
}

}  // namespace

TEST_CASE("address rates: a bucket allows its burst, then its rate, and says how long to wait") {
    test::for_each_seed(100, [](math::Random& random) {
        const double rate = random.uniform(0.5, 50);
        const double burst = random.uniform(1, 100);
        RateTable table(rate, burst, 1);
        double seconds = 1;
        double taken = 0;
        for (int i = 0; i < 500; ++i) {
            const auto wait = table.wait_for_one(7, at(seconds));
            if (wait.count() == 0) {
                table.take(7, 1, at(seconds));
                ++taken;
            } else if (random.below(2) == 0) {
                seconds += static_cast<double>(wait.count()) * 1e-9;
                CHECK(table.wait_for_one(7, at(seconds + 1e-6)).count() == 0);
            }
            seconds += random.uniform(0, 1 / rate);
            CHECK(taken <= burst + rate * (seconds - 1) + 1e-3);
        }
        CHECK(taken >= std::min(500.0, rate * (seconds - 1)) * 0.45);
    });
}

TEST_CASE("address rates: debt is at most one burst") {
    RateTable table(10, 20, 1);
    table.take(7, 1e12, at(1));
    CHECK(table.wait_for_one(7, at(1)) <= std::chrono::milliseconds(2100));
    CHECK(table.wait_for_one(7, at(3.2)).count() == 0);
}

TEST_CASE("address rates: however many addresses there are, eviction gives them nothing") {
    RateTable table(1, 5, 1);
    std::uint64_t taken = 0;
    for (std::uint64_t round = 0; round < 20; ++round)
        for (std::uint64_t key = 0; key < 20'000; ++key)
            if (table.wait_for_one(key, at(1)).count() == 0) {
                table.take(key, 1, at(1));
                ++taken;
            }
    // As many as all buckets hold, out of 400,000 tries.
    CHECK(taken == RateTable::sets * RateTable::ways * 5);
}

TEST_CASE("address rates: one that is busy does not hold up others") {
    AddressRate rate(2);
    CHECK(taken_at_once(rate, "192.0.2.1", 1000) == 60);
    for (int i = 0; i < 200; ++i) CHECK(taken_at_once(rate, "10.0.0." + std::to_string(i), 1) == 1);
}

TEST_CASE("address rates: IPv6 counts at 64, 56 and 48 bits") {
    AddressRate rate(1);
    int of_64 = 0;
    int of_56 = 0;
    int of_48 = 0;
    for (int i = 0; i < 200; ++i) {
        of_64 += taken_at_once(rate, "2001:db8:1:0:" + std::to_string(i) + "::1", 1);
        of_56 += taken_at_once(rate, "2001:db8:2:" + std::to_string(i % 100) + "::1", 1);
        of_48 += taken_at_once(rate, "2001:db8:3:" + std::to_string(i) + "0::1", 1);
    }
    CHECK(of_64 == 30);
    CHECK(of_56 == 60);
    CHECK(of_48 == 120);
}

TEST_CASE("address rates: requests beyond the rate get 429 and when to try again") {
    ServerSettings settings = test::loopback();
    settings.limits.requests_per_second = 1;
    const TestServer fixture(settings);
    const auto answers = answers_to(fixture, "GET /livez HTTP/1.1\r\nHost: here\r\n\r\n");
    CHECK(count_with(answers, " 200 ") >= 30);
    CHECK(count_with(answers, " 429 ") >= 1);
    CHECK(count_with(answers, "Retry-After: ") == count_with(answers, " 429 "));
    CHECK(count_with(answers, " 200 ") + count_with(answers, " 429 ") == 60);
    CHECK(fixture.refused(RefusalReason::rate_limited) == count_with(answers, " 429 "));
}

TEST_CASE("address rates: WebSockets beyond the rate are refused before the handshake") {
    ServerSettings settings = test::loopback();
    settings.limits.upgrades_per_second = 1;
    const TestServer fixture(settings);
    const auto answers = answers_to(fixture, upgrade_request("/play?world=bounce"));
    CHECK(count_with(answers, " 101 ") >= 30);
    CHECK(count_with(answers, " 429 ") >= 1);
    CHECK(count_with(answers, "Retry-After: ") == count_with(answers, " 429 "));
}

TEST_CASE("address rates: joins beyond the rate are closed with a sentence") {
    ServerSettings settings = test::loopback();
    settings.limits.hellos_per_second = 1;
    const TestServer fixture(settings);
    // Counts as a hello all the same.
    const auto answers =
        answers_to(fixture, upgrade_request("/play?world=bounce"), test::frame(0x82, "not a hello"));
    CHECK(count_with(answers, "wrong_hello: ") >= 30);
    CHECK(count_with(answers, "rate_limited: too many joins came from your address; try again in ") >= 1);
    CHECK(count_with(answers, "wrong_hello: ") + count_with(answers, "rate_limited: ") == 60);
    for (const std::string& answer : answers)
        if (answer.find("rate_limited") != std::string::npos) CHECK(find_close(answer).code == 4429);
}
