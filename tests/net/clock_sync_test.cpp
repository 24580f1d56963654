// SPDX-License-Identifier: MIT
#include <instep/net/clock_sync.h>

#include <doctest/doctest.h>

using namespace instep;
using namespace instep::net;

namespace {

constexpr double tick_seconds = 1.0 / 60;

// The server's answer to a probe: its room time is the client's local time plus 100 s.
OwnPlayerPart pong(std::uint8_t probe, double local, double held = 0) {
    OwnPlayerPart part;
    part.pong = {probe, static_cast<std::uint64_t>((local + 100) * 1e6),
                 static_cast<std::uint32_t>(held * 1e6)};
    return part;
}

OwnPlayerPart margin(std::uint8_t tick, std::int16_t eighths) {
    OwnPlayerPart part;
    part.margin = {tick, eighths};
    return part;
}

}  // namespace

TEST_CASE("clock sync: the first probes come quickly, the others twice a second") {
    ClockSync sync(tick_seconds, {});
    std::uint32_t probes = 0;
    for (double now = 0; now < 10; now += 0.01)
        if (sync.wants_probe(now)) {
            sync.send_probe(now);
            ++probes;
            if (now < 0.75) CHECK(probes == static_cast<std::uint32_t>(now / 0.1 + 1.5));
        }
    CHECK(probes >= 8 + 17);
    CHECK(probes <= 8 + 19);
}

TEST_CASE("clock sync: a pong counts once, and the time that the server held it does not count") {
    ClockSync sync(tick_seconds, {});
    const std::uint8_t probe = sync.send_probe(5);
    sync.receive(pong(probe, 5.02, 0.03), 5.07);
    REQUIRE(sync.clock().known());
    CHECK(sync.clock().round_trip() == doctest::Approx(0.04));
    CHECK(sync.clock().room_time(5.07) == doctest::Approx(105.07));
    sync.receive(pong(probe, 5.02, 0.03), 9);  // a copy
    CHECK(sync.clock().round_trip() == doctest::Approx(0.04));
}

TEST_CASE("clock sync: answers to probes and inputs that were never sent are ignored") {
    ClockSync sync(tick_seconds, {});
    sync.receive(pong(9, 5), 5);
    CHECK(!sync.clock().known());
    sync.receive(pong(sync.send_probe(5), 5.02), 5.04);
    sync.advance(5.04);
    const double lead = sync.clock().wanted_lead();
    sync.receive(margin(77, -800), 5.1);
    CHECK(sync.clock().wanted_lead() == lead);
}

TEST_CASE("clock sync: a reported margin makes the lead as long as inputs take") {
    ClockSync sync(tick_seconds, {});
    sync.receive(pong(sync.send_probe(5), 5.02), 5.04);
    sync.advance(5.04);
    sync.add_input(77, 5.04);
    const double lead = sync.clock().lead(5.04);
    sync.receive(margin(77, -16), 5.2);  // two ticks late
    CHECK(sync.clock().wanted_lead() == doctest::Approx(lead + 3 * tick_seconds));
}
