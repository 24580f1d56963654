// SPDX-License-Identifier: MIT
// Watching over real connections.
#include <instep/server/server.h>

#include <tests/server/playground.h>

using namespace instep;
using namespace instep::headless;
using namespace instep::server;
using test::ask;
using test::eventually;
using test::find_close;
using test::Playground;
using test::RawSocket;
using test::upgrade_request;

namespace {

HeadlessPlan crowd(const Playground& playground, std::uint32_t count, bool watch) {
    HeadlessPlan plan;
    plan.url = playground.url();
    plan.setup = *match::load_builtin_setup("bounce", "billiards");  // takes 4
    plan.room = "ours";
    plan.count = count;
    plan.watch = watch;
    static std::uint64_t crowds = 0;
    plan.seed = ++crowds;  // or they would be the same people
    return plan;
}

std::string refusal_at(const Playground& playground, const std::string& target) {
    RawSocket socket(playground.server->port());
    socket.send(upgrade_request(target));
    return find_close(socket.receive("\x88", 5000) + socket.receive({}, 500)).reason;
}

}  // namespace

TEST_CASE("a full room can be watched, and watchers take nobody's place") {
    const Playground playground;
    Loop loop(1);
    const HeadlessClients players(loop, crowd(playground, 4, false));
    REQUIRE(eventually([&] { return players.figures().playing == 4; }));
    {
        const HeadlessClients watchers(loop, crowd(playground, 5, true));
        CHECK(eventually([&] {
            const HeadlessStats figures = watchers.figures();
            return figures.playing == 5 && figures.snapshots > 100;
        }));
        const HeadlessStats figures = watchers.figures();
        CHECK(figures.ticks == 0);
        CHECK(figures.broken == 0);
        CHECK(figures.desyncs == 0);
        CHECK(figures.lost == 0);
        CHECK(playground.server->figures().players == 4);
        CHECK(playground.server->figures().watchers == 5);
        CHECK(ask(playground.server->port(), "GET", "/api/rooms/ours").body.find(R"("watchers":5)") !=
              std::string::npos);
    }
    CHECK(eventually([&] { return playground.server->figures().watchers == 0; }));
    CHECK(playground.server->figures().players == 4);
    CHECK(players.figures().lost == 0);
}

TEST_CASE("only so many watch a room, and nothing is opened to be watched") {
    ServerSettings settings = test::loopback();
    settings.limits.most_watchers = 2;
    const Playground playground(settings);
    CHECK(refusal_at(playground, "/watch").starts_with("bad_request: "));
    CHECK(refusal_at(playground, "/watch?room=none").starts_with("unknown_room: "));
    CHECK(refusal_at(playground, "/watch?world=flail").starts_with("unknown_room: "));
    CHECK(refusal_at(playground, "/watch?world=flial").starts_with("unknown_level: "));
    CHECK(playground.server->figures().rooms == 0);

    Loop loop(1);
    const HeadlessClients player(loop, crowd(playground, 1, false));
    REQUIRE(eventually([&] { return player.figures().playing == 1; }));
    {
        const HeadlessClients watchers(loop, crowd(playground, 2, true));
        REQUIRE(eventually([&] { return watchers.figures().playing == 2; }));
        CHECK(refusal_at(playground, "/watch?room=ours").starts_with("room_full: "));
    }
    CHECK(eventually([&] { return playground.server->figures().watchers == 0; }));
    const HeadlessClients again(loop, crowd(playground, 2, true));
    CHECK(eventually([&] { return again.figures().playing == 2; }));
}

TEST_CASE("a room that is watched stays open and one that nobody watches any more does not") {
    ServerSettings settings = test::loopback();
    settings.limits.empty_room_ms = 300;
    settings.bots = 2;
    const Playground playground(settings);
    Loop loop(1);
    {
        const HeadlessClients player(loop, crowd(playground, 1, false));
        const HeadlessClients watcher(loop, crowd(playground, 1, true));
        REQUIRE(eventually([&] { return player.figures().playing == 1 && watcher.figures().playing == 1; }));
    }
    CHECK(eventually([&] { return playground.server->figures().rooms == 0; }));
    const std::string body = R"({"world": "bounce", "level": "billiards", "name": "ours"})";
    REQUIRE(ask(playground.server->port(), "POST", "/api/rooms", body).status == 201);
    const HeadlessClients watcher(loop, crowd(playground, 1, true));
    REQUIRE(eventually([&] { return watcher.figures().playing == 1; }));
    std::this_thread::sleep_for(std::chrono::milliseconds(900));
    CHECK(playground.server->figures().rooms == 1);
    CHECK(watcher.figures().lost == 0);
}
