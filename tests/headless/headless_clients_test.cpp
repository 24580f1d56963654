// SPDX-License-Identifier: MIT
// Bots that keep rooms from being empty: they come where people leave places, and go when people come.
#include <instep/match/bot_name.h>
#include <instep/server/server.h>

#include <tests/server/playground.h>

using namespace instep;
using namespace instep::headless;
using namespace instep::server;
using test::ask;
using test::eventually;
using test::Playground;

namespace {

ServerSettings with_bots(std::uint32_t count) {
    ServerSettings settings = test::loopback();
    settings.bots = count;
    settings.limits.empty_room_ms = 60'000;
    return settings;
}

HeadlessPlan people(const Playground& playground, const std::string& room, std::uint32_t count) {
    HeadlessPlan plan;
    plan.url = playground.url();
    plan.setup = *match::load_builtin_setup("bounce", "billiards");  // takes 4
    plan.room = room;
    plan.count = count;
    plan.thin = true;
    static std::uint64_t crowds = 0;
    plan.seed = ++crowds;  // or they would be the same people
    return plan;
}

void open_room(const Playground& playground, const std::string& name) {
    const std::string body = R"({"world": "bounce", "level": "billiards", "name": ")" + name + "\"}";
    REQUIRE(ask(playground.server->port(), "POST", "/api/rooms", body).status == 201);
}

bool holds(const Playground& playground, const std::string& room, int players, int bots) {
    const std::string body = ask(playground.server->port(), "GET", "/api/rooms/" + room).body;
    return body.find("\"players\":" + std::to_string(players) + ",\"bots\":" + std::to_string(bots) + ",") !=
           std::string::npos;
}

}  // namespace

TEST_CASE("bots fill a room up to the number asked for and make place as people come") {
    const Playground playground(with_bots(3));
    open_room(playground, "ours");
    CHECK(eventually([&] { return holds(playground, "ours", 0, 3); }));
    Loop loop(1);
    {
        const HeadlessClients one(loop, people(playground, "ours", 1));
        CHECK(eventually([&] { return holds(playground, "ours", 1, 2); }));
        const HeadlessClients two(loop, people(playground, "ours", 2));
        CHECK(eventually([&] { return holds(playground, "ours", 3, 0); }));
        const HeadlessClients last(loop, people(playground, "ours", 1));
        CHECK(eventually([&] { return holds(playground, "ours", 4, 0); }));
    }
    CHECK(eventually([&] { return holds(playground, "ours", 0, 3); }));
    CHECK(playground.server->figures().players == 0);  // bots are nobody
}

TEST_CASE("a room full of bots lets everybody in who would fit without them") {
    const Playground playground(with_bots(64));
    open_room(playground, "ours");
    CHECK(eventually([&] { return holds(playground, "ours", 0, 4); }));
    Loop loop(1);
    const HeadlessClients swarm(loop, people(playground, "ours", 4));  // all at once
    CHECK(eventually([&] { return holds(playground, "ours", 4, 0); }));
    CHECK(eventually([&] { return swarm.figures().playing == 4; }));
    CHECK(swarm.figures().lost == 0);
    CHECK(playground.refused(Cause::room_full) == 0);
    const HeadlessClients late(loop, people(playground, "ours", 1));
    CHECK(eventually([&] { return playground.refused(Cause::room_full) > 0; }));
    CHECK(holds(playground, "ours", 4, 0));
}

TEST_CASE("a room full of bots that stands still lets everybody in") {
    const Playground playground(with_bots(64));
    open_room(playground, "ours");
    const auto tick = [&] {
        const auto room =
            state::parse_json(ask(playground.server->port(), "GET", "/api/rooms/ours").body, "room");
        return room ? room->find("tick")->number() : -1;
    };
    CHECK(eventually([&] {
        const double before = tick();
        std::this_thread::sleep_for(std::chrono::milliseconds(400));
        return before > 0 && tick() == before;
    }));
    Loop loop(1);
    const HeadlessClients swarm(loop, people(playground, "ours", 2));
    CHECK(eventually([&] { return swarm.figures().playing == 2; }));
    CHECK(swarm.figures().lost == 0);
}

TEST_CASE("a room with nobody but bots in it ends like an empty one") {
    ServerSettings settings = with_bots(2);
    settings.limits.empty_room_ms = 200;
    const Playground playground(settings);
    open_room(playground, "ours");
    CHECK(eventually([&] { return playground.server->figures().rooms == 0; }));
}

TEST_CASE("no two bots of a room have the same name") {
    CHECK(match::bot_name(0) == "Ada");
    CHECK(match::bot_name(15) == "Pip");
    CHECK(match::bot_name(16) == "Ada 2");
    std::set<std::string> names;
    for (std::uint32_t i = 0; i < contract::most_slots; ++i) {
        const std::string name = match::bot_name(i);
        CHECK(contract::PlayerName::of(name).view() == name);  // fits
        names.insert(name);
    }
    CHECK(names.size() == contract::most_slots);
}
