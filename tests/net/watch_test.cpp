// SPDX-License-Identifier: MIT
// A watcher gets a player's snapshots, takes no player's slot and sends no inputs.
#include <instep/net/client.h>
#include <instep/net/host.h>

#include <tests/net/logged_match.h>

#include <algorithm>
#include <bit>

using namespace instep;
using namespace instep::net;
using contract::Slot;

namespace {

// A host with bots and one watching client, over a link without delay.
struct WatchedHost {
    WatchedHost(const match::SharedSetup& level, ReplicationMode mode, LinkKind link)
        : setup(level), host(level, 5, mode), client(level, link), picture(level->layout) {
        for (std::uint32_t i = 0; i < std::min(2u, level->facts.most_players); ++i)
            REQUIRE(host.join_bot("bot"));
        const auto watcher = host.watch(link);
        REQUIRE(watcher);
        slot = *watcher;
    }
    double now() const { return static_cast<double>(host.match().tick()) / setup->facts.tick_rate; }
    void step() {
        host.step();
        codec::Bytes message;
        while (host.write_message(slot, true, now(), message)) {
            client.receive(message, now());
            message.clear();
        }
        CHECK(!client.wants_tick(now()));
        while (client.write_message(now(), message)) {
            host.receive(slot, message, now());
            message.clear();
        }
        draws += client.draw(now(), picture.data()) ? 1 : 0;
    }

    match::SharedSetup setup;
    Host host;
    Client client;
    state::Block picture;
    Slot slot = 0;
    int draws = 0;
};

}  // namespace

TEST_CASE("watcher: on every level it gets every snapshot and draws them") {
    test::for_each_level([](const match::SharedSetup& setup) {
        for (const ReplicationMode mode : {ReplicationMode::snapshots, ReplicationMode::relay})
            for (const LinkKind link : {LinkKind::ordered, LinkKind::datagram}) {
                WatchedHost watched(setup, mode, link);
                for (std::uint32_t i = 0; i < 4 * setup->facts.tick_rate; ++i) watched.step();
                CHECK(watched.client.watches());
                CHECK(watched.client.refusal().empty());
                CHECK(watched.client.stats().snapshots + 3 >=
                      watched.host.match().tick() / setup->facts.snapshot_every);
                CHECK(watched.client.stats().messages_malformed == 0);
                CHECK(watched.client.stats().desyncs == 0);
                CHECK(watched.client.stats().ticks == 0);
                CHECK(watched.draws > static_cast<int>(setup->facts.tick_rate));
                CHECK(setup->world->live_slots(setup->layout, watched.client.base()) ==
                      watched.host.match().live_slots());
                CHECK(std::popcount(watched.host.match().live_slots()) <= 2);
            }
    });
}

TEST_CASE("watcher: nothing that it sends changes the match") {
    const match::SharedSetup setup = test::level("flail", "plain");
    WatchedHost watched(setup, ReplicationMode::snapshots, LinkKind::ordered);
    Host alone(setup, 5, ReplicationMode::snapshots);
    REQUIRE(alone.join_bot("bot"));
    REQUIRE(alone.join_bot("bot"));
    for (std::uint32_t i = 1; i < 200; ++i) {
        InputMessage forged{.first_tick = i + 2, .first_sequence = i, .count = 1};
        forged.inputs.assign(setup->world->input->size, std::byte{1});
        forged.predicted_hash = 7;
        codec::Bytes bytes;
        write(forged, *setup->world->input, bytes);
        watched.host.receive(watched.slot, bytes, watched.now());
        std::vector<std::byte> input(setup->world->input->size);
        if (watched.client.joined()) watched.client.tick(input.data());  // no effect: it has no player
        watched.step();
        alone.step();
        CHECK(watched.host.match().hash() == alone.match().hash());
    }
    CHECK(watched.host.stats().inputs_accepted == 0);
    CHECK(watched.client.stats().ticks == 0);
}

TEST_CASE("watcher: a room has a limited number, and one that leaves frees its slot") {
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
