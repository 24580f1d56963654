// SPDX-License-Identifier: MIT
// Bots of the server itself (--bots): they fill empty seats, and leave as people come.
#include <instep/match/bot_name.h>
#include <instep/server/server.h>

#include <set>

#include <tests/server/test_server.h>

using namespace instep;
using namespace instep::headless;
using namespace instep::server;
using test::ask;
using test::eventually;
using test::TestServer;

namespace {

ServerSettings with_bots(std::uint32_t count) {
    ServerSettings settings = test::loopback();
    settings.bots = count;
    settings.limits.empty_room_ms = 60'000;
    return settings;
}

HeadlessPlan people(const TestServer& fixture, const std::string& room, std::uint32_t count) {
    HeadlessPlan plan;
    plan.url = fixture.url();
    plan.setup = *match::load_builtin_setup("bounce", "billiards");  // has 4 seats
    plan.room = room;
    plan.count = count;
    plan.thin = true;
    static std::uint64_t crowds = 0;
    plan.seed = ++crowds;  // other seeds give other resume keys
    return plan;
}

void open_room(const TestServer& fixture, const std::string& name) {
    const std::string body = R"({"world": "bounce", "level": "billiards", "name": ")" + name + "\"}";
    REQUIRE(ask(fixture.server->port(), "POST", "/api/rooms", body).status == 201);
}

bool holds(const TestServer& fixture, const std::string& room, int players, int bots) {
    const std::string body = ask(fixture.server->port(), "GET", "/api/rooms/" + room).body;
    return body.find("\"players\":" + std::to_string(players) + ",\"bots\":" + std::to_string(bots) + ",") !=
           std::string::npos;
}

}  // namespace

TEST_CASE("bots: fill a room up to the number, and leave as people come") {
    const TestServer fixture(with_bots(3));
    open_room(fixture, "ours");
    CHECK(eventually([&] { return holds(fixture, "ours", 0, 3); }));
    Loop loop(1);
    {
        const HeadlessClients one(loop, people(fixture, "ours", 1));
        CHECK(eventually([&] { return holds(fixture, "ours", 1, 2); }));
        const HeadlessClients two(loop, people(fixture, "ours", 2));
        CHECK(eventually([&] { return holds(fixture, "ours", 3, 0); }));
        const HeadlessClients last(loop, people(fixture, "ours", 1));
        CHECK(eventually([&] { return holds(fixture, "ours", 4, 0); }));
    }
    CHECK(eventually([&] { return holds(fixture, "ours", 0, 3); }));
    CHECK(fixture.server->metrics().players == 0);  // bots do not count
}

TEST_CASE("bots: a room full of them admits as many people as without") {
    const TestServer fixture(with_bots(64));
    open_room(fixture, "ours");
    CHECK(eventually([&] { return holds(fixture, "ours", 0, 4); }));
    Loop loop(1);
    const HeadlessClients clients(loop, people(fixture, "ours", 4));  // all at once
    CHECK(eventually([&] { return holds(fixture, "ours", 4, 0); }));
    CHECK(eventually([&] { return clients.stats().playing == 4; }));
    CHECK(clients.stats().disconnects == 0);
    CHECK(fixture.refused(RefusalReason::room_full) == 0);
    const HeadlessClients late(loop, people(fixture, "ours", 1));
    CHECK(eventually([&] { return fixture.refused(RefusalReason::room_full) > 0; }));
    CHECK(holds(fixture, "ours", 4, 0));
}

TEST_CASE("bots: a sleeping room full of them admits people") {
    const TestServer fixture(with_bots(64));
    open_room(fixture, "ours");
    const auto tick = [&] {
        const auto room =
            state::parse_json(ask(fixture.server->port(), "GET", "/api/rooms/ours").body, "room");
        return room ? room->find("tick")->number() : -1;
    };
    CHECK(eventually([&] {
        const double before = tick();
        std::this_thread::sleep_for(std::chrono::milliseconds(400));
        return before > 0 && tick() == before;
    }));
    Loop loop(1);
    const HeadlessClients clients(loop, people(fixture, "ours", 2));
    CHECK(eventually([&] { return clients.stats().playing == 2; }));
    CHECK(clients.stats().disconnects == 0);
}

TEST_CASE("bots: a room with bots alone ends like an empty one") {
    ServerSettings settings = with_bots(2);
    settings.limits.empty_room_ms = 200;
    const TestServer fixture(settings);
    open_room(fixture, "ours");
    CHECK(eventually([&] { return fixture.server->metrics().rooms == 0; }));
}

TEST_CASE("bots: names in a room are unique") {
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
