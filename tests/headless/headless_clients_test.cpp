// SPDX-License-Identifier: MIT
// Headless clients against a real server.
#include <instep/headless/headless_clients.h>

#include <tests/server/test_server.h>

using namespace instep;
using namespace instep::headless;
using namespace instep::server;
using test::clients_at;
using test::eventually;
using test::TestServer;

TEST_CASE("headless: bots of every world predict and agree with the server") {
    const TestServer fixture;
    Loop loop(1);
    const std::pair<const char*, const char*> levels[] = {{"bounce", "box"},
                                                          {"creature", "garden"},
                                                          {"flail", "plain"},
                                                          {"foothold", "town"},
                                                          {"orbit", "belt"}};
    for (const auto& [world, level] : levels) {
        CAPTURE(world);
        const HeadlessClients clients(loop, clients_at(fixture, world, level, 2));
        CHECK(eventually([&] {
            const HeadlessStats stats = clients.stats();
            return stats.playing == 2 && stats.snapshots > 60 && stats.ticks > 60;
        }));
        const HeadlessStats stats = clients.stats();
        CHECK(stats.disconnects == 0);
        CHECK(stats.malformed == 0);
        CHECK(stats.desyncs == 0);
        CHECK(eventually(
            [&] { return fixture.server->metrics().players == 2; }));  // those of the world before have left
    }
    CHECK(fixture.server->metrics().rooms_total == 5);
    CHECK(eventually([&] { return fixture.server->metrics().predictions_confirmed > 0; }));
    CHECK(eventually([&] { return fixture.server->metrics().players == 0; }));
    CHECK(eventually([&] { return fixture.server->metrics().connections == 0; }));
}

TEST_CASE("headless: inputs of thin bots come in time") {
    const TestServer fixture;
    Loop loop(1);
    HeadlessPlan plan = clients_at(fixture, "flail", "plain", 20);
    plan.thin = true;
    const HeadlessClients clients(loop, plan);
    CHECK(eventually([&] { return fixture.server->metrics().inputs_accepted > 2000; }));
    const Metrics& metrics = fixture.server->metrics();
    CHECK(metrics.players == 20);
    CHECK(metrics.inputs_rejected * 10 < metrics.inputs_accepted);
    CHECK(clients.stats().malformed == 0);
    CHECK(clients.stats().disconnects == 0);
}

TEST_CASE("headless: bots that leave close their connections, and their seats are free") {
    const TestServer fixture;  // keeps the seat of a client that just vanished for 30 s
    {
        Loop loop(1);
        HeadlessClients clients(loop, clients_at(fixture, "flail", "plain", 5));
        REQUIRE(eventually([&] { return clients.stats().playing == 5; }));
        clients.leave();
    }
    CHECK(eventually([&] { return fixture.server->metrics().players == 0; }, std::chrono::seconds(15)));
}
