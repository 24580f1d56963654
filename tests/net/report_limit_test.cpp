// SPDX-License-Identifier: MIT
// Strangers that send desync reports to stop a room: how much work the host does for them.
#include <instep/net/report_limit.h>

#include <tests/net/peers.h>

using namespace instep;
using namespace instep::net;
using test::Peer;
using test::Room;

namespace {

// A room of several players, and true reports of what they hold: all that they name must be hashed.
struct ReportedRoom {
    Room room{test::level("orbit", "belt"), ReplicationMode::snapshots, LinkKind::ordered};

    explicit ReportedRoom(int players) {
        for (int i = 0; i < players; ++i) room.add();
        room.run(4);
    }
    const HostStats& stats() const { return room.host.stats(); }
    codec::Bytes report(const Peer& peer, std::uint8_t serial) const {
        Report report = make_report(*room.setup, *peer.client.decoder());
        REQUIRE(report.states.size() == snapshots_kept + 1);
        report.serial = serial;
        codec::Bytes message;
        write(report, message);
        return message;
    }
    std::uint64_t snapshots() const { return room.host.match().tick() / room.setup->facts.snapshot_every; }
};

}  // namespace

TEST_CASE("report limit: one report of a player in a second, and eight of a room") {
    const contract::Facts facts{.tick_rate = 60};
    ReportLimit limit({}, facts);
    CHECK(limit.take(3, 100));
    CHECK(!limit.take(3, 100));
    CHECK(!limit.take(3, 159));
    CHECK(limit.take(3, 160));
    std::uint32_t taken = 0;
    for (contract::Slot slot = 4; slot < 40; ++slot) taken += limit.take(slot, 160) ? 1u : 0u;
    CHECK(taken == 7);
    for (std::uint64_t tick = 161; tick <= 160 + 600; ++tick)
        for (contract::Slot slot = 0; slot < 64; ++slot) taken += limit.take(slot, tick) ? 1u : 0u;
    CHECK(taken >= 7 + 79);
    CHECK(taken <= 7 + 80);
}

// 2,000 connections in a second, each of which sends a report of all that the server remembers.
TEST_CASE(
    "desync: a player that reconnects for each report has no more judged, and no state is hashed twice") {
    ReportedRoom reported(2);
    Host& host = reported.room.host;
    const contract::Slot slot = reported.room.peers[0].slot;
    const codec::Bytes message = reported.report(reported.room.peers[0], 1);
    const std::uint64_t before = reported.snapshots();
    const std::uint32_t ticks = reported.room.setup->facts.tick_rate;
    for (std::uint32_t tick = 0; tick < ticks; ++tick) {
        for (std::uint32_t i = 0; i < 2000 / ticks; ++i) {
            host.reconnect(slot, LinkKind::ordered);
            host.receive(slot, message, reported.room.time);
        }
        host.step();
    }
    CHECK(reported.stats().reports_judged == 1);
    CHECK(reported.stats().reports_unfounded == 1);
    CHECK(reported.stats().reports_ignored >= 1900);
    CHECK(reported.stats().messages_malformed == 0);
    CHECK(host.desyncs().empty());
    CHECK(host.states_hashed() > 10);
    CHECK(host.states_hashed() <= snapshots_kept + 1 + reported.snapshots() - before);
}

TEST_CASE("desync: players that leave and join for each report have eight a second judged together") {
    ReportedRoom reported(1);
    Host& host = reported.room.host;
    const codec::Bytes message = reported.report(reported.room.peers[0], 1);
    const std::uint32_t ticks = reported.room.setup->facts.tick_rate;
    constexpr std::uint32_t seconds = 4;
    for (std::uint32_t tick = 0; tick < seconds * ticks; ++tick) {
        std::vector<contract::Slot> slots;
        while (const auto slot = host.join("stranger", LinkKind::ordered)) {
            host.receive(*slot, message, reported.room.time);
            slots.push_back(*slot);
        }
        for (const contract::Slot slot : slots) host.leave(slot);
        host.step();
    }
    const std::uint32_t limit = HostConfig{}.reports_per_second;
    CHECK(reported.stats().reports_judged >= limit * seconds - 1);
    CHECK(reported.stats().reports_judged <= limit * (seconds + 1));
    CHECK(reported.stats().reports_ignored > 1000);
}

TEST_CASE("desync: a watcher cannot report") {
    ReportedRoom reported(1);
    Host& host = reported.room.host;
    const auto watcher = host.watch(LinkKind::ordered);
    REQUIRE(watcher);
    host.receive(*watcher, reported.report(reported.room.peers[0], 1), reported.room.time);
    CHECK(reported.stats().reports_judged == 0);
    CHECK(reported.stats().reports_ignored == 1);
    CHECK(host.states_hashed() == 0);
}

TEST_CASE("desync: a report that differs in nothing is counted apart and kept nowhere") {
    ReportedRoom reported(1);
    Host& host = reported.room.host;
    const Peer& peer = reported.room.peers[0];
    host.receive(peer.slot, reported.report(peer, 1), reported.room.time);
    CHECK(reported.stats().reports_judged == 1);
    CHECK(reported.stats().reports_unfounded == 1);
    CHECK(host.desyncs().empty());
    codec::Bytes answer;
    REQUIRE(host.write_message(peer.slot, true, reported.room.time, answer));
    const auto verdict = read_verdict(answer);
    REQUIRE(verdict);
    CHECK(!verdict->found);
}
