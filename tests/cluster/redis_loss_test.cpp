// SPDX-License-Identifier: MIT
// What players of a room see when the Redis of its cluster is killed, and when it is back.
#include <tests/cluster/cluster_member.h>
#include <tests/net/logged_match.h>

namespace instep::cluster {
namespace {

using namespace cluster_test;
using test::eventually;

// Two players, one of them a client that predicts nothing, and a watcher.
struct Clients {
    explicit Clients(const Member& member)
        : player(loop, plan(member, false, false)), thin(loop, plan(member, true, false)) {
        REQUIRE(eventually([&] { return player.stats().playing == 1 && thin.stats().playing == 1; }));
        watcher.emplace(loop, plan(member, false, true));
        REQUIRE(eventually([&] { return watcher->stats().playing == 1; }));
    }
    static headless::HeadlessPlan plan(const Member& member, bool thin, bool watch) {
        return {.url = member.server.url(),
                .setup = test::level("bounce", "box"),
                .room = "ours",
                .thin = thin,
                .watch = watch,
                .seed = thin ? 2u : 1u};
    }
    std::uint64_t connects() const {
        return player.stats().connects + thin.stats().connects + watcher->stats().connects;
    }
    std::uint32_t waiting() const {
        return player.stats().waiting + thin.stats().waiting + watcher->stats().waiting;
    }
    bool play_on() const {
        const auto count = [&] {
            return std::array{player.stats().snapshots, thin.stats().snapshots, watcher->stats().snapshots};
        };
        const auto before = count();
        return eventually([&] {
            const auto now = count();
            return now[0] > before[0] + 20 && now[1] > before[1] + 20 && now[2] > before[2] + 20;
        });
    }

    server::Loop loop{1};
    headless::HeadlessClients player;
    headless::HeadlessClients thin;
    std::optional<headless::HeadlessClients> watcher;
};

}  // namespace

TEST_CASE("redis loss: players and watchers are told that their room stands still, until it goes on") {
    Store store;
    const Member member(store, {.lease = 1500ms});
    const Clients clients(member);
    const std::uint64_t connects = clients.connects();
    CHECK(clients.play_on());
    store.process.kill_now();
    CHECK(eventually([&] { return clients.waiting() == 3; }));
    CHECK(eventually([&] { return !member.log.lines("room_paused").empty(); }));
    const std::uint64_t stands_at = clients.player.stats().snapshots;
    CHECK(clients.player.stats().snapshots == stands_at);
    store.process.start();
    CHECK(eventually([&] { return clients.waiting() == 0; }));
    CHECK(clients.play_on());
    for (const auto& stats : {clients.player.stats(), clients.thin.stats(), clients.watcher->stats()}) {
        CHECK(stats.malformed == 0);
        CHECK(stats.desyncs == 0);
    }
    CHECK(clients.connects() == connects);  // none had to come again
    CHECK(member.server.server->metrics().ticks_unprotected == 0);
}

TEST_CASE("redis loss: with continue a room plays on, its ticks are counted, and Redis has it again later") {
    Store store;
    const Member member(store, {.lease = 300ms, .on_loss = server::OnJournalLoss::unprotected});
    const Clients clients(member);
    const std::uint64_t connects = clients.connects();
    store.process.kill_now();
    CHECK(eventually([&] { return member.server.server->metrics().ticks_unprotected > 60; }));
    CHECK(clients.play_on());
    CHECK(clients.waiting() == 0);
    const auto page = test::ask(member.server.server->port(), "GET", "/metrics").body;
    CHECK(page.find("instep_ticks_unprotected_total 0\n") == std::string::npos);
    CHECK(page.find("instep_ticks_unprotected_total ") != std::string::npos);
    store.process.start();
    REQUIRE(eventually([&] { return store.client.is_connected(); }));
    const std::uint64_t kept = store.number("ours", "tick");
    CHECK(eventually([&] { return store.number("ours", "tick") > kept + 60; }));
    CHECK(clients.play_on());
    CHECK(clients.player.stats().desyncs == 0);
    CHECK(clients.connects() == connects);
}

}  // namespace instep::cluster
