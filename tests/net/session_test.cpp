// SPDX-License-Identifier: MIT
// Laws of a host and its clients over simulated links.
#include <instep/net/own_player.h>
#include <instep/present/own_entities.h>

#include <tests/net/peers.h>
#include <tests/support/allocations.h>

#include <instep/state/raw_pool.h>

#include <bit>

using namespace instep;
using namespace instep::net;
using test::Peer;
using test::Room;

TEST_CASE("session: a player's own entities are the same on client and server, to the bit") {
    test::for_each_level([](const match::SharedSetup& setup) {
        for (const LinkKind kind : {LinkKind::ordered, LinkKind::datagram}) {
            Room room(setup, ReplicationMode::snapshots, kind);
            Peer& peer = room.add();
            if (setup->facts.most_players > 1) room.add(0.05);
            // The player's entities on the server after each tick, to compare with the client's later base.
            std::vector<std::uint32_t> hashes(1, 0);
            std::uint64_t compared = 0;
            std::uint64_t wrong = 0;
            std::uint64_t last_count = 0;
            room.run(4, [&] {
                while (hashes.size() <= room.host.match().tick())
                    hashes.push_back(hash_own(setup->layout, room.host.match().state(), peer.slot));
                if (!peer.client.joined() || peer.client.stats().snapshots == last_count) return;
                last_count = peer.client.stats().snapshots;
                ++compared;
                if (hash_own(setup->layout, peer.client.base(), peer.slot) != hashes[peer.client.base_tick()])
                    ++wrong;
            });
            CHECK(compared > 30);
            CHECK(wrong == 0);
        }
    });
}

TEST_CASE("session: a client that is alone on a clean link is never corrected") {
    struct Level {
        const char* world;
        const char* name;
        double warmup = 5;  // s
    };
    // bounce's ball hits others that the client knows only quantised, so its lead must first become small: it
    // is too long until the clock forgets how late the first inputs were.
    constexpr Level levels[] = {{"flail", "plain"},   {"orbit", "belt"},      {"bounce", "box", 12},
                                {"arena", "belt"},    {"arena", "load"},      {"foothold", "town"},
                                {"foothold", "lake"}, {"creature", "garden"}, {"creature", "terrarium"}};
    for (const auto& [world, name, warmup] : levels) {
        CAPTURE(std::string(world));
        CAPTURE(std::string(name));
        const match::SharedSetup setup = test::level(world, name);
        Room room(setup, default_replication(setup->facts), LinkKind::ordered);
        Peer& peer = room.add();
        room.run(warmup);
        const std::uint64_t before = peer.client.stats().corrections;
        const std::uint64_t late = room.host.stats().inputs_late;
        room.run(40);
        CHECK(peer.client.stats().corrections == before);
        CHECK(peer.client.stats().ticks > 40 * room.setup->facts.tick_rate);
        CHECK(room.host.stats().inputs_late == late);
    }
}

TEST_CASE("session: an input shows in the drawn state in the same frame") {
    Room room(test::level("orbit", "belt"), ReplicationMode::snapshots, LinkKind::ordered);
    Peer& peer = room.add();
    room.run(2);
    room.peers.front().asleep = true;
    room.run(0.05);
    REQUIRE(peer.client.wants_tick(room.time + 1000));
    const float push[2] = {1, 1};
    peer.client.tick(reinterpret_cast<const std::byte*>(push));
    state::Block shown(room.setup->layout);
    REQUIRE(peer.client.draw(room.time + 1000, shown.data()));
    // The drawn position lies between this tick and the next.
    const state::Layout& layout = room.setup->layout;
    state::Block next(layout);
    std::memcpy(next.data(), peer.client.predicted(), layout.size);
    WorldStepper(*room.setup).step_holding(next.data(), peer.slot, reinterpret_cast<const std::byte*>(push));
    const math::Vec2 from = *present::own_position(layout, peer.client.predicted(), peer.slot);
    const math::Vec2 drawn = *present::own_position(layout, shown.data(), peer.slot);
    const math::Vec2 to = *present::own_position(layout, next.data(), peer.slot);
    CHECK(math::distance(from, drawn) + math::distance(drawn, to) ==
          doctest::Approx(math::distance(from, to)));
    const state::Field* turn = room.setup->world->player->find("input.turn");
    REQUIRE(turn);
    CHECK(number_at(*turn, state::RawPool::looking_at(room.setup->layout, 0, shown.data()).element(0)) == 1);
}

TEST_CASE("session: a client that joins late or reconnects gets the full state in one message") {
    for (const ReplicationMode mode : {ReplicationMode::snapshots, ReplicationMode::relay}) {
        for (const LinkKind link : {LinkKind::ordered, LinkKind::datagram}) {
            Room room(test::level("orbit", "belt"), mode, link);
            room.add();
            room.add(0.1);
            room.run(4);
            Peer& late = room.add();
            room.run(2);
            CHECK(late.client.joined());
            CHECK(late.client.stats().snapshots > 15);
            // The first player reconnects over a new link.
            Peer& back = room.peers.emplace_back(room.setup, link, LinkConditions{.latency = 0.03});
            room.peers.front().asleep = true;
            room.host.reconnect(0, link);
            room.peers.front().slot = 63;
            back.slot = 0;
            room.run(2);
            CHECK(back.client.joined());
            CHECK(back.client.slot() == 0);
            CHECK(back.client.stats().snapshots > 15);
            for (std::size_t i = 1; i < room.peers.size(); ++i) {
                CHECK(room.peers[i].client.stats().messages_malformed == 0);
                CHECK(room.peers[i].client.stats().desyncs == 0);
            }
        }
    }
}

TEST_CASE("session: a client that slept resumes in the present and replays at most a second") {
    for (const LinkKind link : {LinkKind::ordered, LinkKind::datagram}) {
        Room room(test::level("flail", "pit"), ReplicationMode::snapshots, link);
        Peer& peer = room.add();
        room.add();
        room.run(3);
        peer.asleep = true;
        room.run(20);
        peer.asleep = false;
        room.run(3);
        CHECK(peer.client.predicted_tick() > room.host.match().tick());
        CHECK(peer.client.predicted_tick() < room.host.match().tick() + 20);
        CHECK(peer.client.stats().deepest_rollback <= room.setup->facts.tick_rate);
        CHECK(peer.client.stats().skipped_ticks > 0);
    }
}

TEST_CASE("session: a client that does not read fills at most its link, and gets snapshots again later") {
    Room room(test::level("bounce", "box"), ReplicationMode::snapshots, LinkKind::ordered);
    Peer& peer = room.add();
    room.add();
    room.run(2);
    peer.reads = false;
    room.run(30);
    CHECK(peer.down.bytes_in_flight() < 8192);
    peer.reads = true;
    room.run(3);
    CHECK(peer.client.decoder()->tick() + room.setup->facts.tick_rate > room.host.match().tick());
    CHECK(peer.client.stats().messages_malformed == 0);
}

TEST_CASE("desync report: one per second is judged and the others allocate nothing") {
    Room room(test::level("creature", "garden"), ReplicationMode::snapshots, LinkKind::ordered);
    Peer& peer = room.add();
    Peer& other = room.add();
    room.run(3);
    const std::uint64_t malformed = room.host.stats().messages_malformed;
    Report report = make_report(*room.setup, *peer.client.decoder());
    codec::Bytes first;
    codec::Bytes second;
    write(report, first);
    ++report.serial;
    write(report, second);
    room.host.receive(peer.slot, first, room.time);
    CHECK(room.host.stats().reports_judged == 1);
    const test::AllocationCount allocations;
    for (int i = 0; i < 100; ++i) {
        room.host.receive(peer.slot, first, room.time);
        room.host.receive(peer.slot, second, room.time);
    }
    room.host.receive(other.slot, codec::ByteView(first).first(1),
                      room.time);  // reading it hashes nothing
    CHECK(allocations.so_far() == 0);
    CHECK(room.host.stats().reports_judged == 1);
    CHECK(room.host.stats().reports_ignored == 100);
    CHECK(room.host.stats().messages_malformed == malformed + 1);
    room.run(1.1);
    room.host.receive(peer.slot, second, room.time);
    CHECK(room.host.stats().reports_judged == 2);
}

TEST_CASE("session: a full room refuses a join, and a leave frees the slot") {
    const match::SharedSetup setup = test::level("bounce", "billiards");
    Host host(setup, 1, ReplicationMode::snapshots);
    for (std::uint32_t i = 0; i < setup->facts.most_players; ++i) REQUIRE(host.join("x", LinkKind::ordered));
    const auto refused = host.join("late", LinkKind::ordered);
    REQUIRE(!refused);
    CHECK(refused.error().text().find("full") != std::string::npos);
    host.step();
    CHECK(std::popcount(host.match().live_slots()) == 4);
    host.leave(2);
    host.step();
    CHECK(std::popcount(host.match().live_slots()) == 3);
    const auto slot = host.join("late", LinkKind::ordered);
    REQUIRE(slot);
    CHECK(*slot == 2);
}

TEST_CASE("session: the number by which a server recognises a player is in the tick of its join") {
    Host host(test::level("arena", "belt"), 1, ReplicationMode::snapshots);
    REQUIRE(host.join("known", LinkKind::ordered, 7));
    REQUIRE(host.join("unknown", LinkKind::ordered));
    host.step();
    const codec::TickRecord* record = host.ticks().find(1);
    REQUIRE(record);
    REQUIRE(record->joins.size() == 2);
    CHECK(record->joins[0].player == 7);
    CHECK(record->joins[1].player == 0);
}
