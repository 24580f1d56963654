// SPDX-License-Identifier: MIT
// The times of the drawn state. What is drawn at them: draw_test.cpp.
#include <tests/net/peers.h>

using namespace instep;
using namespace instep::net;
using test::Peer;
using test::Room;

TEST_CASE("presentation: others are drawn a delay ago, the own player at the client's time") {
    test::for_each_level([](const match::SharedSetup& setup) {
        Room room(setup, default_replication(setup->facts), LinkKind::ordered);
        Peer& peer = room.add();
        state::Block picture(setup->layout);
        CHECK(!peer.client.draw(room.time + 1000, picture.data()));
        std::uint64_t drawn = 0;
        double last_present = 0;
        room.run(5, [&] {
            const double now = room.time + 1000;
            const auto times = peer.client.draw(now, picture.data());
            if (!times || room.time < 3) return;
            const double rate = setup->facts.tick_rate;
            const double delay = peer.client.interpolation_delay().wanted();
            REQUIRE(times->own == peer.slot);
            REQUIRE(times->past ==
                    doctest::Approx((peer.client.clock().room_time(now) - delay) * rate).epsilon(1e-6));
            REQUIRE(times->present == doctest::Approx(peer.client.clock().time() * rate).epsilon(1e-6));
            REQUIRE(times->present >= last_present);
            last_present = times->present;
            ++drawn;
        });
        CHECK(drawn > 100);
    });
}

TEST_CASE("presentation: the past is the time that is drawn, also where snapshots are missing") {
    Room room(test::level("arena", "belt"), ReplicationMode::snapshots, LinkKind::ordered);
    Peer& peer = room.add();
    state::Block picture(room.setup->layout);
    room.run(3);
    peer.reads = false;
    room.run(2);
    const auto times = peer.client.draw(room.time + 1000, picture.data());
    REQUIRE(times);
    // Half an interval beyond the last snapshot.
    const double last = static_cast<double>(peer.client.decoder()->tick());
    CHECK(times->past == doctest::Approx(last + room.setup->facts.snapshot_every * 0.5));
    // A second beyond it at most.
    CHECK(times->present <= last + room.setup->facts.tick_rate + 1);
}

TEST_CASE("presentation: a watcher draws everything in the past") {
    const match::SharedSetup setup = test::level("orbit", "belt");
    Room room(setup, ReplicationMode::snapshots, LinkKind::ordered);
    room.add();
    Peer& watcher = room.peers.emplace_back(setup, LinkKind::ordered, LinkConditions{});
    const auto slot = room.host.watch(LinkKind::ordered);
    REQUIRE(slot);
    watcher.slot = *slot;
    room.run(3);
    state::Block picture(setup->layout);
    const auto times = watcher.client.draw(room.time + 1000, picture.data());
    REQUIRE(times);
    CHECK(times->own == contract::DrawTimes{}.own);
    CHECK(times->past == times->present);
    CHECK(times->of(0) == times->past);
}
