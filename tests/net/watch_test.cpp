// SPDX-License-Identifier: MIT
// Watching without playing: the same snapshots, no place taken, nothing asked for.
#include <instep/net/client.h>
#include <instep/net/host.h>

#include <tests/net/rooms.h>

#include <algorithm>
#include <bit>

using namespace instep;
using namespace instep::net;
using contract::Slot;

namespace {

// A host with bots in it, and one client over a line without delay.
struct Theatre {
    Theatre(const match::SharedSetup& level, ReplicationMode kind, LinkKind link)
        : setup(level), host(level, 5, kind), client(level, link), picture(level->layout) {
        for (std::uint32_t i = 0; i < std::min(2u, level->facts.most_players); ++i)
            REQUIRE(host.join_bot("bot"));
        const auto given = host.watch(link);
        REQUIRE(given);
        seat = *given;
    }
    double now() const { return static_cast<double>(host.match().tick()) / setup->facts.tick_rate; }
    void step() {
        host.step();
        codec::Bytes message;
        while (host.write_message(seat, true, now(), message)) {
            client.receive(message, now());
            message.clear();
        }
        CHECK(!client.wants_tick(now()));
        while (client.write_message(now(), message)) {
            host.receive(seat, message, now());
            message.clear();
        }
        draws += client.draw(now(), picture.data()) ? 1 : 0;
    }

    match::SharedSetup setup;
    Host host;
    Client client;
    state::Block picture;
    Slot seat = 0;
    int draws = 0;
};

}  // namespace

TEST_CASE("a watcher of every level is told every snapshot and draws what it sees") {
    test::for_each_level([](const match::SharedSetup& setup) {
        for (const ReplicationMode kind : {ReplicationMode::snapshots, ReplicationMode::relay})
            for (const LinkKind link : {LinkKind::ordered, LinkKind::datagram}) {
                Theatre theatre(setup, kind, link);
                for (std::uint32_t i = 0; i < 4 * setup->facts.tick_rate; ++i) theatre.step();
                CHECK(theatre.client.watches());
                CHECK(theatre.client.refusal().empty());
                CHECK(theatre.client.stats().snapshots + 3 >=
                      theatre.host.match().tick() / setup->facts.snapshot_every);
                CHECK(theatre.client.stats().messages_malformed == 0);
                CHECK(theatre.client.stats().desyncs == 0);
                CHECK(theatre.client.stats().ticks == 0);
                CHECK(theatre.draws > static_cast<int>(setup->facts.tick_rate));
                CHECK(setup->world->live_slots(setup->layout, theatre.client.base()) ==
                      theatre.host.match().live_slots());
                CHECK(std::popcount(theatre.host.match().live_slots()) <= 2);
            }
    });
}

TEST_CASE("whatever a watcher sends, the match is the one without it") {
    const match::SharedSetup setup = test::level("flail", "plain");
    Theatre watched(setup, ReplicationMode::snapshots, LinkKind::ordered);
    Host alone(setup, 5, ReplicationMode::snapshots);
    REQUIRE(alone.join_bot("bot"));
    REQUIRE(alone.join_bot("bot"));
    for (std::uint32_t i = 1; i < 200; ++i) {
        InputMessage forged{.first_tick = i + 2, .first_sequence = i, .count = 1};
        forged.inputs.assign(setup->world->input->size, std::byte{1});
        forged.predicted_hash = 7;
        codec::Bytes bytes;
        write(forged, *setup->world->input, bytes);
        watched.host.receive(watched.seat, bytes, watched.now());
        std::vector<std::byte> input(setup->world->input->size);
        if (watched.client.joined()) watched.client.tick(input.data());  // it has no player to move
        watched.step();
        alone.step();
        CHECK(watched.host.match().hash() == alone.match().hash());
    }
    CHECK(watched.host.stats().inputs_accepted == 0);
    CHECK(watched.client.stats().ticks == 0);
}

TEST_CASE("a room takes so many watchers and one that goes makes place for another") {
    const match::SharedSetup setup = test::level("bounce", "billiards");
    Host host(setup, 1, ReplicationMode::snapshots);
    for (std::uint32_t i = 0; i < setup->facts.most_players; ++i) REQUIRE(host.join("x", LinkKind::ordered));
    for (std::uint32_t i = 0; i < Host::max_watchers; ++i) REQUIRE(host.watch(LinkKind::ordered));
    const auto refused = host.watch(LinkKind::ordered);
    REQUIRE(!refused);
    CHECK(refused.error().text().find("64 watchers") != std::string::npos);
    host.step();
    host.leave(contract::most_slots + 3);
    const auto again = host.watch(LinkKind::ordered);
    REQUIRE(again);
    CHECK(*again == contract::most_slots + 3);
    CHECK(std::popcount(host.match().live_slots()) == 4);
}
