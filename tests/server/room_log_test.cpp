// SPDX-License-Identifier: MIT
// What the log says of players, of slow ticks, and of itself.
#include <instep/server/server.h>

#include <instep/match/registry.h>
#include <tests/server/log_file.h>
#include <tests/server/test_server.h>

using namespace instep;
using namespace instep::headless;
using namespace instep::server;
using test::clients_at;
using test::eventually;
using test::LogFile;
using test::TestServer;

namespace {

// bounce, whose step takes 30 ms of wall time and next to no processor time.
match::SharedSetup slow_level() {
    static const match::WorldTable table = [] {
        match::WorldTable slow = **match::find_world("bounce");
        slow.step = [](const void* setup, const state::Layout& layout, std::byte* block,
                       const match::TickBytes& tick, match::EventBytes& events) {
            std::this_thread::sleep_for(std::chrono::milliseconds(30));
            (*match::find_world("bounce"))->step(setup, layout, block, tick, events);
        };
        return slow;
    }();
    match::Setup setup = **match::load_builtin_setup("bounce", "box");
    setup.world = &table;
    setup.level = "slow";
    return std::make_shared<const match::Setup>(std::move(setup));
}

}  // namespace

TEST_CASE("log: players that join, disconnect, resume and leave") {
    LogFile file;
    ServerSettings settings = test::loopback();
    settings.limits.resume_ms = 400;
    const TestServer fixture(settings, {}, file.log());
    {
        Loop loop(1);
        HeadlessClients clients(loop, clients_at(fixture, "flail", "plain", 2));
        REQUIRE(eventually([&] { return file.lines("player_joined").size() == 2; }));
        clients.cut_connections();
        REQUIRE(eventually(
            [&] { return file.lines("player_joined").size() + file.lines("player_resumed").size() >= 4; }));
    }
    CHECK(eventually([&] { return file.lines("player_left").size() == file.lines("player_joined").size(); }));
    for (const char* event : {"player_joined", "player_left"})
        for (const state::Json& line : file.lines(event)) {
            CHECK(*line.find("room")->string() == "flail-1");
            CHECK(*line.find("address")->string() == "127.0.0.1");
            CHECK(!line.find("name")->string()->empty());
            CHECK(line.find("slot")->is_number());
        }
}

TEST_CASE("log: a slow tick is logged with its parts, at most once a second") {
    LogFile file;
    Levels levels;
    levels.add(slow_level());
    const TestServer fixture(test::loopback(), levels, file.log());
    const Time began = Clock::now();
    REQUIRE(test::ask(fixture.server->port(), "POST", "/api/rooms", R"({"world": "bounce", "level": "slow"})")
                .status == 201);
    REQUIRE(eventually([&] { return fixture.server->metrics().slow_ticks >= 20; }));
    REQUIRE(eventually([&] { return !file.lines("slow_tick").empty(); }));
    const auto lines = file.lines("slow_tick");
    CHECK(lines.size() <= static_cast<std::size_t>((Clock::now() - began) / std::chrono::seconds(1)) + 1);
    const state::Json* parts = lines[0].find("parts_ms");
    REQUIRE(parts);
    CHECK(parts->find("step")->number() >= 30);
    CHECK(lines[0].find("ms")->number() >= parts->find("step")->number());
    for (const char* part : {"inbox", "record", "encode", "check"}) CHECK(parts->find(part)->number() >= 0);
}

TEST_CASE("log: above its level nothing is written") {
    LogFile file;
    file.log().set_level(Log::Level::error);
    file.log().info("unheard");
    file.log().set_level(Log::Level::info);
    file.log().info("heard");
    REQUIRE(eventually([&] { return file.lines("heard").size() == 1; }));
    CHECK(file.lines("unheard").empty());
}

TEST_CASE("log: what clients do is written a hundred times a second at most, and the rest is counted") {
    LogFile file;
    for (int i = 0; i < 1000; ++i) file.log().client_event("player_joined", {{"slot", i}});
    CHECK(file.log().lines_above_rate() > 0);
    CHECK(eventually(
        [&] { return file.lines("player_joined").size() + file.log().lines_above_rate() == 1000; }));
}
