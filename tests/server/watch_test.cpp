// SPDX-License-Identifier: MIT
// Watching a room over real connections.
#include <instep/server/server.h>

#include <tests/server/test_server.h>

using namespace instep;
using namespace instep::headless;
using namespace instep::server;
using test::ask;
using test::eventually;
using test::find_close;
using test::RawSocket;
using test::TestServer;
using test::upgrade_request;

namespace {

HeadlessPlan crowd(const TestServer& fixture, std::uint32_t count, bool watch) {
    HeadlessPlan plan;
    plan.url = fixture.url();
    plan.setup = *match::load_builtin_setup("bounce", "billiards");  // has 4 seats
    plan.room = "ours";
    plan.count = count;
    plan.watch = watch;
    static std::uint64_t crowds = 0;
    plan.seed = ++crowds;  // other seeds give other resume keys
    return plan;
}

std::string refusal_at(const TestServer& fixture, const std::string& target) {
    RawSocket socket(fixture.server->port());
    socket.send(upgrade_request(target));
    const std::string answer = socket.receive("\x88", 5000);
    return find_close(answer + socket.receive({}, 500)).reason;
}

}  // namespace

TEST_CASE("watching: a full room can be watched, and watchers take no seat") {
    const TestServer fixture;
    Loop loop(1);
    const HeadlessClients players(loop, crowd(fixture, 4, false));
    REQUIRE(eventually([&] { return players.stats().playing == 4; }));
    {
        const HeadlessClients watchers(loop, crowd(fixture, 5, true));
        CHECK(eventually([&] {
            const HeadlessStats stats = watchers.stats();
            return stats.playing == 5 && stats.snapshots > 100;
        }));
        const HeadlessStats stats = watchers.stats();
        CHECK(stats.ticks == 0);
        CHECK(stats.malformed == 0);
        CHECK(stats.desyncs == 0);
        CHECK(stats.disconnects == 0);
        CHECK(fixture.server->metrics().players == 4);
        CHECK(fixture.server->metrics().watchers == 5);
        CHECK(ask(fixture.server->port(), "GET", "/api/rooms/ours").body.find(R"("watchers":5)") !=
              std::string::npos);
    }
    CHECK(eventually([&] { return fixture.server->metrics().watchers == 0; }));
    CHECK(fixture.server->metrics().players == 4);
    CHECK(players.stats().disconnects == 0);
}

TEST_CASE("watching: watchers are limited, and no room is opened for them") {
    ServerSettings settings = test::loopback();
    settings.limits.most_watchers = 2;
    const TestServer fixture(settings);
    CHECK(refusal_at(fixture, "/watch").starts_with("bad_request: "));
    CHECK(refusal_at(fixture, "/watch?room=none").starts_with("unknown_room: "));
    CHECK(refusal_at(fixture, "/watch?world=flail").starts_with("unknown_room: "));
    CHECK(refusal_at(fixture, "/watch?world=flial").starts_with("unknown_level: "));
    CHECK(fixture.server->metrics().rooms == 0);

    Loop loop(1);
    const HeadlessClients player(loop, crowd(fixture, 1, false));
    REQUIRE(eventually([&] { return player.stats().playing == 1; }));
    {
        const HeadlessClients watchers(loop, crowd(fixture, 2, true));
        REQUIRE(eventually([&] { return watchers.stats().playing == 2; }));
        CHECK(refusal_at(fixture, "/watch?room=ours").starts_with("room_full: "));
    }
    CHECK(eventually([&] { return fixture.server->metrics().watchers == 0; }));
    const HeadlessClients again(loop, crowd(fixture, 2, true));
    CHECK(eventually([&] { return again.stats().playing == 2; }));
}

TEST_CASE("watching: a watched room stays open, and ends after its last watcher") {
    ServerSettings settings = test::loopback();
    settings.limits.empty_room_ms = 300;
    settings.bots = 2;
    const TestServer fixture(settings);
    Loop loop(1);
    {
        const HeadlessClients player(loop, crowd(fixture, 1, false));
        const HeadlessClients watcher(loop, crowd(fixture, 1, true));
        REQUIRE(eventually([&] { return player.stats().playing == 1 && watcher.stats().playing == 1; }));
    }
    CHECK(eventually([&] { return fixture.server->metrics().rooms == 0; }));
    const std::string body = R"({"world": "bounce", "level": "billiards", "name": "ours"})";
    REQUIRE(ask(fixture.server->port(), "POST", "/api/rooms", body).status == 201);
    const HeadlessClients watcher(loop, crowd(fixture, 1, true));
    REQUIRE(eventually([&] { return watcher.stats().playing == 1; }));
    std::this_thread::sleep_for(std::chrono::milliseconds(900));
    CHECK(fixture.server->metrics().rooms == 1);
    CHECK(watcher.stats().disconnects == 0);
}

TEST_CASE("private room: neither a quick match nor a watcher without its name gets in") {
    const TestServer fixture;
    const std::string body = R"({"world": "bounce", "level": "billiards", "name": "private-abc"})";
    REQUIRE(ask(fixture.server->port(), "POST", "/api/rooms", body).status == 201);
    CHECK(refusal_at(fixture, "/watch?world=bounce&level=billiards").starts_with("unknown_room: "));
    Loop loop(1);
    HeadlessPlan plan = crowd(fixture, 1, false);
    plan.room.clear();
    const HeadlessClients player(loop, plan);
    REQUIRE(eventually([&] { return player.stats().playing == 1; }));
    CHECK(fixture.server->metrics().rooms == 2);
    CHECK(ask(fixture.server->port(), "GET", "/api/rooms").body.find("private-") == std::string::npos);
}
