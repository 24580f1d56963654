// SPDX-License-Identifier: MIT
#include <instep/net/simulated_link.h>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>

using namespace instep;
using namespace instep::net;

namespace {

struct Arrival {
    std::uint32_t number = 0;
    double delay = 0;
};

// Sends one message every 10 ms for a minute and gives what arrived, in order.
std::vector<Arrival> send_a_minute(SimulatedLink& link, std::size_t size = 100) {
    std::vector<Arrival> arrivals;
    for (std::uint32_t i = 0; i < 12'000; ++i) {
        const double now = i * 0.01;
        if (i < 6000) {
            Bytes message(size);
            std::memcpy(message.data(), &i, sizeof i);
            link.send(message, now);
        }
        Bytes got;
        while (link.receive(now, got)) {
            Arrival arrival;
            std::memcpy(&arrival.number, got.data(), sizeof arrival.number);
            arrival.delay = now - arrival.number * 0.01;
            arrivals.push_back(arrival);
        }
    }
    return arrivals;
}

}  // namespace

TEST_CASE("an ordered link delivers everything once and in order, however bad it is") {
    SimulatedLink link(LinkKind::ordered, {.latency = 0.05, .jitter = 0.03, .loss = 0.2, .copies = 0.1}, 1);
    const auto arrivals = send_a_minute(link);
    REQUIRE(arrivals.size() == 6000);
    double worst = 0;
    for (std::uint32_t i = 0; i < 6000; ++i) {
        REQUIRE(arrivals[i].number == i);
        REQUIRE(arrivals[i].delay >= 0.049);
        worst = std::max(worst, arrivals[i].delay);
    }
    CHECK(worst > 0.2);
    CHECK(link.bytes_under_way() == 0);
}

TEST_CASE("a datagram link loses, doubles and reorders about as much as it is told to") {
    SimulatedLink link(LinkKind::datagram, {.latency = 0.05, .jitter = 0.03, .loss = 0.1, .copies = 0.05}, 2);
    const auto arrivals = send_a_minute(link);
    std::vector<int> times(6000);
    int overtaken = 0;
    for (std::size_t i = 0; i < arrivals.size(); ++i) {
        ++times[arrivals[i].number];
        if (i > 0 && arrivals[i].number < arrivals[i - 1].number) ++overtaken;
        REQUIRE(arrivals[i].delay >= 0.049);
        REQUIRE(arrivals[i].delay <= 0.0901);
    }
    const auto never = std::count(times.begin(), times.end(), 0);
    const auto twice = std::count(times.begin(), times.end(), 2);
    CHECK(never > 450);
    CHECK(never < 700);
    CHECK(twice > 150);
    CHECK(overtaken > 500);
}

TEST_CASE("bursts lose many in a row") {
    SimulatedLink link(LinkKind::datagram,
                       {.latency = 0.01, .burst_chance = 0.005, .burst_length = 0.3, .burst_loss = 1}, 3);
    const auto arrivals = send_a_minute(link);
    std::uint32_t longest = 0;
    for (std::size_t i = 1; i < arrivals.size(); ++i)
        longest = std::max(longest, arrivals[i].number - arrivals[i - 1].number);
    CHECK(longest > 20);
    CHECK(arrivals.size() > 4000);
}

TEST_CASE("an ordered line gets through a burst once its time is over, however rarely it tries") {
    SimulatedLink link(LinkKind::ordered,
                       {.latency = 0.01, .burst_chance = 0.005, .burst_length = 0.5, .burst_loss = 1}, 7);
    for (const Arrival& arrival : send_a_minute(link)) REQUIRE(arrival.delay < 10);
}

TEST_CASE("a limited rate is kept, by waiting or by dropping") {
    SimulatedLink ordered(LinkKind::ordered, {.latency = 0.01, .rate = 5000}, 4);
    const auto late = send_a_minute(ordered);  // 10 kB/s for a minute into 5 kB/s
    CHECK(late.size() > 5800);
    CHECK(late[4000].delay > 30);
    SimulatedLink datagram(LinkKind::datagram, {.latency = 0.01, .rate = 5000, .queue = 2000}, 5);
    const auto dropped = send_a_minute(datagram);
    CHECK(dropped.size() < 3200);
    for (const Arrival& arrival : dropped) REQUIRE(arrival.delay < 0.5);
}

TEST_CASE("the same seed makes the same network") {
    const LinkConditions conditions{.latency = 0.02, .jitter = 0.05, .loss = 0.3, .copies = 0.2};
    SimulatedLink a(LinkKind::datagram, conditions, 6);
    SimulatedLink b(LinkKind::datagram, conditions, 6);
    const auto one = send_a_minute(a);
    const auto two = send_a_minute(b);
    REQUIRE(one.size() == two.size());
    for (std::size_t i = 0; i < one.size(); ++i) REQUIRE(one[i].number == two[i].number);
}
