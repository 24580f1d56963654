// SPDX-License-Identifier: MIT
// What the server refuses, and what happens to a room that fails: it ends, and the other rooms go on.
#include <instep/server/server.h>

#include <atomic>
#include <ctime>

#include <instep/match/registry.h>
#include <instep/net/messages.h>
#include <instep/state/utf8.h>
#include <tests/server/test_server.h>

using namespace instep;
using namespace instep::headless;
using namespace instep::server;
using test::ask;
using test::CloseFrame;
using test::eventually;
using test::find_close;
using test::frame;
using test::RawSocket;
using test::TestServer;
using test::upgrade_request;

namespace {

CloseFrame closes_after(const TestServer& fixture, const std::string& target, const std::string& bytes = "") {
    RawSocket socket(fixture.server->port());
    socket.send(upgrade_request(target));
    const std::string head = socket.receive("\r\n\r\n");
    if (!bytes.empty()) socket.send(bytes);
    return find_close(head + socket.receive());
}

std::string hello_frame(const match::Setup& setup, const std::string& name) {
    codec::Bytes hello;
    net::write(net::Hello{.fingerprint = setup.fingerprint, .name = contract::PlayerName::of(name)}, hello);
    return frame(0x82, {reinterpret_cast<const char*>(hello.data()), hello.size()});
}

match::SharedSetup level(const char* world, const char* name) {
    const auto setup = match::load_builtin_setup(world, name);
    REQUIRE(setup);
    return *setup;
}

// Worlds that fail, made from one that does not.
const match::WorldTable& bounce() { return **match::find_world("bounce"); }

void use_processor(std::chrono::milliseconds time) {
    const auto now = [] {
        timespec used{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
        return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
    };
    const auto until = now() + time;
    while (now() < until) {
    }
}

match::SharedSetup broken(const match::WorldTable& table, const char* name) {
    match::Setup setup = *level("bounce", "box");
    setup.world = &table;
    setup.level = name;
    return std::make_shared<const match::Setup>(std::move(setup));
}

match::SharedSetup slow_level() {
    static const match::WorldTable table = [] {
        match::WorldTable slow = bounce();
        slow.step = [](const void* setup, const state::Layout& layout, std::byte* block,
                       const match::TickBytes& tick, match::EventBytes& events) {
            use_processor(std::chrono::milliseconds(6));  // a fifth of a tick is 3.3
            bounce().step(setup, layout, block, tick, events);
        };
        return slow;
    }();
    return broken(table, "slow");
}

std::atomic<int> heavy_ticks{0};

match::SharedSetup heavy_level() {
    static const match::WorldTable table = [] {
        match::WorldTable heavy = bounce();
        heavy.step = [](const void* setup, const state::Layout& layout, std::byte* block,
                        const match::TickBytes& tick, match::EventBytes& events) {
            ++heavy_ticks;
            use_processor(std::chrono::milliseconds(100));  // six ticks
            bounce().step(setup, layout, block, tick, events);
        };
        return heavy;
    }();
    return broken(table, "heavy");
}

match::SharedSetup illegal_level() {
    static const match::WorldTable table = [] {
        match::WorldTable illegal = bounce();
        illegal.validate = [](const void*, const state::Layout&, const std::byte*) -> state::Result<void> {
            return state::refuse("balls", "one of them is nowhere");
        };
        return illegal;
    }();
    return broken(table, "illegal");
}

server::Levels broken_or_builtin() {
    server::Levels levels;
    for (const match::SharedSetup& setup : {slow_level(), heavy_level(), illegal_level()}) levels.add(setup);
    return levels;
}

}  // namespace

TEST_CASE("refusals: a request for something that does not exist gets the reason") {
    const TestServer fixture;
    CHECK(closes_after(fixture, "/play").code == 4400);
    CHECK(closes_after(fixture, "/play?world=flial").code == 4404);
    CHECK(closes_after(fixture, "/play?world=flial").reason.starts_with("unknown_level: "));
    CHECK(closes_after(fixture, "/play?world=flail&level=none").code == 4404);
    CHECK(closes_after(fixture, "/play?room=none").reason.starts_with("unknown_room: "));
    CHECK(closes_after(fixture, "/play?world=flail&room=a%20b").reason.starts_with("wrong_name: "));
    CHECK(closes_after(fixture, "/play?world=flail&key=short").reason.starts_with("bad_request: "));
    CHECK(closes_after(fixture, "/play?room=a%20b").reason.starts_with("wrong_name: "));
    for (std::string name : {"", "a"}) {  // in one of them the text is cut in the middle of a character
        for (int i = 0; i < 100; ++i) name += "%C3%A9";
        const CloseFrame close = closes_after(fixture, "/play?world=flail&level=" + name);
        CHECK(close.code == 4404);
        CHECK(state::is_plain_text(close.reason));
    }
    CHECK(fixture.server->metrics().rooms == 0);
    RawSocket elsewhere(fixture.server->port());
    elsewhere.send(upgrade_request("/elsewhere"));
    CHECK(elsewhere.receive("}").starts_with("HTTP/1.1 404"));
}

TEST_CASE("refusals: a malformed, foreign or nameless hello leaves no player behind") {
    const TestServer fixture;
    const match::SharedSetup box = level("bounce", "box");
    const std::string target = "/play?world=bounce&level=box";
    CHECK(closes_after(fixture, target, frame(0x82, "nonsense")).reason.starts_with("wrong_hello: "));
    CHECK(closes_after(fixture, target, hello_frame(*level("flail", "plain"), "Ann")).code == 4400);
    CHECK(closes_after(fixture, target, hello_frame(*box, "")).reason.starts_with("wrong_name: "));
    CHECK(eventually([&] { return fixture.server->metrics().connections == 0; }));
    CHECK(fixture.server->metrics().players == 0);
    CHECK(ask(fixture.server->port(), "GET", "/api/rooms").body.find(R"("players":0)") != std::string::npos);
}

TEST_CASE("refusals: a full room refuses, and unused reservations become free") {
    const TestServer fixture;
    const std::string target = "/play?world=bounce&level=billiards&room=full";  // takes 4
    std::vector<RawSocket> reserved;
    for (int i = 0; i < 5; ++i) {  // the last one is refused
        reserved.emplace_back(fixture.server->port());
        reserved.back().send(upgrade_request(target));
        CHECK(reserved.back().receive("\r\n\r\n").starts_with("HTTP/1.1 101"));
    }
    CHECK(eventually([&] { return fixture.refused(RefusalReason::room_full) == 1; }));
    reserved.clear();
    CHECK(eventually([&] {
        RawSocket socket(fixture.server->port());
        socket.send(upgrade_request(target));
        socket.receive("\r\n\r\n");
        socket.send(hello_frame(*level("bounce", "billiards"), "Ann"));
        return find_close(socket.receive("\x82", 1000)).code == 0;
    }));
}

TEST_CASE("limits: rooms are limited in all") {
    ServerSettings settings = test::loopback();
    settings.limits.most_rooms = 2;
    const TestServer fixture(settings);
    const std::uint16_t port = fixture.server->port();
    CHECK(ask(port, "POST", "/api/rooms", R"({"world": "bounce", "name": "a"})").status == 201);
    CHECK(ask(port, "POST", "/api/rooms", R"({"world": "bounce", "name": "b"})").status == 201);
    CHECK(ask(port, "POST", "/api/rooms", R"({"world": "bounce", "name": "c"})").status == 503);
    CHECK(closes_after(fixture, "/play?world=orbit").reason.starts_with("too_many_rooms: "));
}

TEST_CASE("lobby: a chosen name like a generated one is skipped") {
    const TestServer fixture;
    const std::uint16_t port = fixture.server->port();
    CHECK(ask(port, "POST", "/api/rooms", R"({"world": "bounce", "name": "bounce-2"})").status == 201);
    for (const char* next : {"bounce-3", "bounce-4"}) {
        const auto made = ask(port, "POST", "/api/rooms", R"({"world": "bounce"})");
        CHECK(made.status == 201);
        CHECK(made.body.find("\"" + std::string(next) + "\"") != std::string::npos);
    }
}

TEST_CASE("limits: rooms are limited for one address, until one ends") {
    ServerSettings settings = test::loopback();
    settings.limits.most_rooms_per_address = 1;
    settings.limits.empty_room_ms = 200;
    const TestServer fixture(settings);
    const std::uint16_t port = fixture.server->port();
    const auto open = [&](const std::string& name) {
        return ask(port, "POST", "/api/rooms", R"({"world": "bounce", "name": ")" + name + "\"}").status;
    };
    CHECK(open("a") == 201);
    RawSocket stays(port);
    stays.send(upgrade_request("/play?room=a"));
    stays.receive("\r\n\r\n");
    CHECK(open("b") == 429);
    CHECK(closes_after(fixture, "/play?world=orbit").reason.starts_with("too_many_from_address: "));
    stays.close();
    CHECK(eventually([&] { return open("b") == 201; }));  // the first has ended
}

TEST_CASE("origin: pages of other sites are refused unless allowed") {
    ServerSettings settings = test::loopback();
    settings.origins = {"https://friend.example"};
    const TestServer fixture(settings);
    // A page learns why only from the close of an open WebSocket.
    const auto close_of = [&](const std::string& origin) {
        RawSocket socket(fixture.server->port());
        socket.send(upgrade_request("/play?world=bounce", "Origin: " + origin + "\r\n"));
        const std::string head = socket.receive("\r\n\r\n");
        CHECK(head.substr(9, 3) == "101");
        socket.send(frame(0x82, "nonsense"));
        return find_close(head + socket.receive());
    };
    CHECK(close_of("http://here").reason.starts_with("wrong_hello: "));  // the same host
    CHECK(close_of("https://friend.example").reason.starts_with("wrong_hello: "));
    for (const char* origin : {"https://foe.example", "null", "https://here.foe.example"}) {
        const CloseFrame close = close_of(origin);
        CHECK(close.code == 4403);
        CHECK(close.reason.starts_with("foreign_origin: "));
    }
    CHECK(fixture.refused(RefusalReason::foreign_origin) == 3);
    RawSocket foe(fixture.server->port());
    foe.send(
        "POST /api/rooms HTTP/1.1\r\nHost: here\r\nOrigin: https://foe.example\r\nContent-Length: 19\r\n\r\n"
        R"({"world": "bounce"})");
    CHECK(foe.receive("}").starts_with("HTTP/1.1 403"));
    RawSocket odd(fixture.server->port());
    odd.send(upgrade_request("/play?world=bounce", "Origin: https://\xFF.example\r\n"));
    CHECK(find_close(odd.receive()).reason.find("pages of another site may not play here") !=
          std::string::npos);
}

TEST_CASE("identity: a second connection of the same player replaces the first") {
    const TestServer fixture;
    const std::string target = "/play?world=bounce&level=box&key=0123456789abcdef";
    const std::string hello = hello_frame(*level("bounce", "box"), "Ann");
    RawSocket first(fixture.server->port());
    first.send(upgrade_request(target));
    first.receive("\r\n\r\n");
    first.send(hello);
    REQUIRE(eventually([&] { return fixture.server->metrics().players == 1; }));
    RawSocket second(fixture.server->port());
    second.send(upgrade_request(target));
    second.receive("\r\n\r\n");
    second.send(hello);
    const CloseFrame close = find_close(first.receive());
    CHECK(close.code == 4410);
    CHECK(fixture.server->metrics().players == 1);
    CHECK(second.receive("\x82", 5000).size() > 2);
    CHECK(fixture.server->metrics().rooms_total == 1);
}

TEST_CASE("identity: a seat reserved twice is kept while one connection remains") {
    const TestServer fixture;
    const std::uint16_t port = fixture.server->port();
    const std::string target = "/play?world=orbit&level=original&room=one";  // takes 1
    const std::string key = "&key=0123456789abcdef";
    RawSocket stays(port);
    stays.send(upgrade_request(target + key));
    REQUIRE(eventually([&] { return fixture.server->metrics().rooms == 1; }));
    {
        RawSocket goes(port);
        goes.send(upgrade_request(target + key));
        goes.receive("\r\n\r\n");
    }
    REQUIRE(eventually([&] { return fixture.server->metrics().connections == 1; }));
    const std::uint64_t then = fixture.server->metrics().ticks;
    REQUIRE(eventually(
        [&] { return fixture.server->metrics().ticks > then + 2; }));  // the room has seen the disconnect
    CHECK(closes_after(fixture, target + "&key=another-player-0").reason.starts_with("room_full: "));
    stays.receive("\r\n\r\n");
    stays.send(hello_frame(*level("orbit", "original"), "Ann"));
    CHECK(stays.receive("\x82").size() > 2);
    CHECK(fixture.server->metrics().players == 1);
}

TEST_CASE("refusals: a hello to a room that has ended gets room_ended") {
    const TestServer fixture(test::loopback(), broken_or_builtin());
    RawSocket late(fixture.server->port());
    late.send(upgrade_request("/play?world=bounce&level=illegal"));
    const std::string head = late.receive("\r\n\r\n");
    REQUIRE(eventually([&] { return fixture.server->metrics().rooms_failed == 1; }));
    REQUIRE(eventually([&] { return fixture.server->metrics().rooms == 0; }));
    late.send(hello_frame(*level("bounce", "box"), "Ann"));
    CHECK(find_close(head + late.receive()).reason.starts_with("room_ended: "));
}

TEST_CASE("room: a failing one ends with a report, and the others go on") {
    ServerSettings settings = test::loopback();
    settings.threads = 1;
    settings.limits.tick_budget_percent = 20;
    const TestServer fixture(settings, broken_or_builtin());
    Loop loop(1);
    HeadlessPlan plan;
    plan.url = fixture.url();
    plan.thin = true;
    plan.setup = level("flail", "plain");
    plan.count = 2;
    const HeadlessClients healthy(loop, plan);
    REQUIRE(eventually([&] { return healthy.stats().playing == 2; }));
    for (const char* name : {"slow", "illegal"}) {
        CAPTURE(name);
        const std::uint64_t failed_before = fixture.server->metrics().rooms_failed;
        RawSocket player(fixture.server->port());
        player.send(upgrade_request("/play?world=bounce&level=" + std::string(name)));
        const std::string head = player.receive("\r\n\r\n");
        player.send(hello_frame(*level("bounce", "box"), "Ann"));
        const CloseFrame close = find_close(head + player.receive({}, 60'000));
        CHECK(close.code == 4500);
        CHECK(close.reason.starts_with("room_ended: the room had to be closed: "));
        CHECK(fixture.server->metrics().rooms_failed == failed_before + 1);
    }
    CHECK(eventually([&] { return fixture.server->metrics().rooms == 1; }));
    const std::uint64_t before = healthy.stats().snapshots;
    CHECK(eventually([&] { return healthy.stats().snapshots > before + 20; }));
    CHECK(healthy.stats().disconnects == 0);
    CHECK(fixture.server->metrics().players == 2);
}

TEST_CASE("server: destroyed during a hanging tick, it releases room and connections") {
    static std::atomic<bool> is_hanging{false}, may_go_on{false};
    static const match::WorldTable table = [] {
        match::WorldTable hanging = bounce();
        hanging.step = [](const void* setup, const state::Layout& layout, std::byte* block,
                          const match::TickBytes& tick, match::EventBytes& events) {
            bounce().step(setup, layout, block, tick, events);
            if (!tick.joins.empty()) is_hanging = true;
            while (is_hanging && !may_go_on) std::this_thread::sleep_for(std::chrono::milliseconds(5));
        };
        return hanging;
    }();
    const match::SharedSetup setup = broken(table, "hanging");
    {
        server::Levels levels;
        levels.add(setup);
        TestServer fixture(test::loopback(), levels);
        RawSocket player(fixture.server->port());
        player.send(upgrade_request("/play?world=bounce&level=hanging"));
        player.receive("\r\n\r\n");
        player.send(hello_frame(*setup, "Ann"));
        REQUIRE(eventually([] { return is_hanging.load(); }));
        std::thread release([] {  // after the server has stopped waiting
            std::this_thread::sleep_for(std::chrono::milliseconds(3500));
            may_go_on = true;
        });
        fixture.server.reset();
        release.join();
    }
    CHECK(setup.use_count() == 1);
}

TEST_CASE("loop: an exception of a task is reported, and the thread goes on") {
    std::atomic<int> reported{0}, ran{0};
    Loop loop(1, [&](const char* what) { reported += std::string_view(what) == "by a test" ? 1 : 0; });
    Strand strand(loop);
    strand.post([] { throw std::runtime_error("by a test"); });
    strand.post([&] { ++ran; });
    CHECK(eventually([&] { return ran == 1; }));
    CHECK(reported == 1);
}

TEST_CASE("room: the tick budget counts a second of time, not a number of ticks") {
    const TestServer fixture(test::loopback(), broken_or_builtin());
    heavy_ticks = 0;
    CHECK(ask(fixture.server->port(), "POST", "/api/rooms", R"({"world": "bounce", "level": "heavy"})")
              .status == 201);
    CHECK(eventually([&] { return fixture.server->metrics().rooms_failed == 1; }));
    CHECK(heavy_ticks <= 11);  // of 100 ms each
}
