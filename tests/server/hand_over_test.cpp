// SPDX-License-Identifier: MIT
// Rooms that go on in another server: the room's part, the receiver's, and both over HTTP.
#include <tests/server/hand_over.h>

using namespace instep;
using namespace instep::headless;
using namespace instep::server;
using namespace instep::test;

TEST_CASE("hand-over: players, worlds and hashes go on at the successor, and no player is lost") {
    LogFile old_log;
    LogFile new_log;
    const TestServer successor(with_admin(token), {}, new_log.log());
    const TestServer fixture(with_admin(token), {}, old_log.log());
    Loop loop(1);
    const HeadlessClients some(loop, players_of(fixture, 6, "ours"));
    const HeadlessClients others(loop, players_of(fixture, 4, "theirs"));
    HeadlessPlan watching = players_of(fixture, 1, "ours");
    watching.watch = true;
    REQUIRE(eventually([&] { return some.stats().playing == 6 && others.stats().playing == 4; }));
    const HeadlessClients watcher(loop, watching);
    REQUIRE(eventually([&] { return watcher.stats().playing == 1; }));
    REQUIRE(ask_admin(fixture, "POST", "/admin/drain", R"({"successor": ")" + admin_of(successor) + "\"}",
                      "Authorization: Bearer " + token + "\r\n")
                .status == 200);
    REQUIRE(eventually([&] { return fixture.server->drain_status().moved == 2; }));
    REQUIRE(eventually([&] { return successor.server->metrics().resumes == 10; }));
    CHECK(eventually([&] { return successor.server->metrics().watchers == 1; }));
    CHECK(eventually([&] { return fixture.server->drain_status().rooms == 0; }));
    CHECK(goes_on(successor, "ours"));
    CHECK(goes_on(successor, "theirs"));
    CHECK(ask(fixture.server->port(), "GET", "/readyz").status == 503);
    for (const HeadlessClients* clients : {&some, &others, &watcher}) {
        const HeadlessStats stats = clients->stats();
        CHECK(stats.moves == stats.playing);
        CHECK(stats.disconnects == 0);
        CHECK(stats.desyncs == 0);
        CHECK(stats.malformed == 0);
    }
    CHECK(successor.server->metrics().players == 10);
    CHECK(successor.server->metrics().joins == 0);
    CHECK(successor.server->metrics().leaves == 0);
    CHECK(successor.server->metrics().desyncs == 0);
    REQUIRE(eventually([&] { return old_log.lines("room_moved").size() == 2; }));
    REQUIRE(eventually([&] { return new_log.lines("room_received").size() == 2; }));
    for (const state::Json& moved : old_log.lines("room_moved")) {
        const auto received = new_log.lines("room_received");
        const auto same = std::find_if(received.begin(), received.end(), [&](const state::Json& line) {
            return *line.find("room")->string() == *moved.find("room")->string();
        });
        REQUIRE(same != received.end());
        CHECK(same->find("tick")->number() == moved.find("tick")->number());
        CHECK(*same->find("hash")->string() == *moved.find("hash")->string());
    }
}

TEST_CASE("hand-over: recordings of both servers are one match without a gap") {
    const std::filesystem::path folder = std::filesystem::temp_directory_path() / "instep-hand-over-test";
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder / "old");
    std::filesystem::create_directories(folder / "new");
    {
        ServerSettings next = with_admin();
        next.recordings = (folder / "new").string();
        const TestServer successor(next);
        ServerSettings first = with_admin();
        first.recordings = (folder / "old").string();
        const TestServer fixture(first);
        Loop loop(1);
        const HeadlessClients clients(loop, players_of(fixture, 3));
        REQUIRE(eventually([&] { return clients.stats().playing == 3; }));
        REQUIRE(fixture.server->drain(admin_of(successor)));
        REQUIRE(eventually([&] { return successor.server->metrics().resumes == 3; }));
        CHECK(goes_on(successor, "ours"));
    }
    const auto only_file = [&](const char* name) {
        return std::filesystem::directory_iterator(folder / name)->path();
    };
    const codec::Bytes files[] = {file_bytes(only_file("old")), file_bytes(only_file("new"))};
    const auto open = [](const codec::Bytes& file) {
        return record::Replay::open(file, [](const std::string& world, const std::string& level) {
            return match::load_builtin_setup(world, level);
        });
    };
    auto before = open(files[0]);
    auto after = open(files[1]);
    REQUIRE((before && after));
    CHECK(before->first_tick() == 0);
    CHECK(before->last_tick() == after->first_tick());
    CHECK(after->last_tick() > after->first_tick());
    REQUIRE(before->go_to(before->last_tick()));
    REQUIRE(after->go_to(after->first_tick()));
    CHECK(before->match().hash() == after->match().hash());
    REQUIRE(after->go_to(after->last_tick()));  // compares every hash
    std::filesystem::remove_all(folder);
}

TEST_CASE("hand-over: with --secret both servers have the same keys, or the successor refuses") {
    const KeyList keys{{"one", std::string(64, 's')}};
    ServerSettings settings = with_admin();
    settings.keys = keys;
    const TestServer fixture(settings);
    const TestServer same(settings);
    settings.keys = {{"one", std::string(64, 't')}};
    const TestServer other(settings);
    const TestServer open(with_admin());
    Loop loop(1);
    HeadlessPlan plan = players_of(fixture, 2);
    plan.token = [&](const std::string& player) {
        Token made;
        made.room = "ours";
        made.world = "flail";
        made.level = "plain";
        made.player = player;
        made.issued = milliseconds_since_1970();
        made.expires = made.issued + 60'000;
        made.id = random_text(12);
        return sign(made, keys.front());
    };
    const HeadlessClients clients(loop, plan);
    REQUIRE(eventually([&] { return clients.stats().playing == 2; }));
    REQUIRE(fixture.server->drain(admin_of(other)));
    REQUIRE(eventually([&] { return fixture.server->drain_status().refused > 0; }));
    CHECK(fixture.server->drain_status().message.find("different secrets") != std::string::npos);
    REQUIRE(fixture.server->drain(admin_of(open)));
    REQUIRE(eventually([&] {
        return fixture.server->drain_status().message.find("has --secret and the other has not") !=
               std::string::npos;
    }));
    CHECK(fixture.server->metrics().hand_overs_failed == 0);  // no room stood still for it
    CHECK(goes_on(fixture, "ours"));
    REQUIRE(fixture.server->drain(admin_of(same)));
    CHECK(eventually([&] { return same.server->metrics().resumes == 2; }));
    CHECK(clients.stats().disconnects == 0);
}

TEST_CASE("hand-over: without the token of the successor's admin port no room stands still") {
    const TestServer successor(with_admin(token));
    const TestServer fixture(with_admin());
    Loop loop(1);
    const HeadlessClients clients(loop, players_of(fixture, 2));
    REQUIRE(eventually([&] { return clients.stats().playing == 2; }));
    REQUIRE(fixture.server->drain(admin_of(successor)));
    REQUIRE(eventually([&] { return fixture.server->drain_status().refused > 0; }));
    CHECK(fixture.server->drain_status().message.find("Authorization") != std::string::npos);
    CHECK(goes_on(fixture, "ours"));
    CHECK(fixture.server->metrics().hand_overs_failed == 0);
    CHECK(clients.stats().disconnects == 0);
    const std::string image = image_of_room("theirs");
    CHECK(ask_admin(successor, "POST", "/admin/hand-over/room", image).status == 401);
    CHECK(ask_admin(successor, "POST", "/admin/hand-over", "{}").status == 401);
    CHECK(successor.server->metrics().rooms == 0);
}

TEST_CASE("hand-over: a room that the successor refuses goes on here, and is offered again") {
    const TestServer successor(with_admin());
    const TestServer fixture(with_admin());
    Loop loop(1);
    HeadlessClients there(loop, players_of(successor, 1));  // the name is taken there
    const HeadlessClients clients(loop, players_of(fixture, 2));
    REQUIRE(eventually([&] { return clients.stats().playing == 2 && there.stats().playing == 1; }));
    REQUIRE(fixture.server->drain(admin_of(successor)));
    REQUIRE(eventually([&] { return fixture.server->metrics().hand_overs_failed > 0; }));
    CHECK(fixture.server->drain_status().message.find("there is a room") != std::string::npos);
    CHECK(goes_on(fixture, "ours"));
    CHECK(clients.stats().disconnects == 0);
    CHECK(clients.stats().moves == 0);
    REQUIRE(ask_admin(successor, "POST", "/admin/close", R"({"room": "ours"})").status == 200);
    there.leave();
    CHECK(eventually([&] { return successor.server->metrics().rooms_received == 1; }));
    CHECK(eventually([&] { return clients.stats().moves == 2 && clients.stats().playing == 2; }));
    CHECK(clients.stats().disconnects == 0);
}

TEST_CASE("hand-over: a successor that dies midway leaves the room here") {
    for (const char* dies_at : {"/admin/hand-over/room", "/admin/hand-over/start"}) {
        const FakeSuccessor successor([dies_at](const std::string& target) -> std::string {
            if (target == dies_at) return "exit";
            return target == "/admin/hand-over" ? welcome_answer : R"({"id": "1"})";
        });
        const TestServer fixture(with_admin());
        Loop loop(1);
        const HeadlessClients clients(loop, players_of(fixture, 2));
        REQUIRE(eventually([&] { return clients.stats().playing == 2; }));
        REQUIRE(fixture.server->drain(successor.url()));
        REQUIRE(eventually([&] { return fixture.server->metrics().hand_overs_failed > 0; }));
        CHECK(goes_on(fixture, "ours"));
        CHECK(fixture.server->drain_status().moved == 0);
        CHECK(clients.stats().moves == 0);
        CHECK(clients.stats().disconnects == 0);
    }
}

TEST_CASE("hand-over: if the answer to start is lost, the successor says whether it plays the room") {
    for (const bool is_started : {false, true}) {
        std::atomic<int> cancels{0};
        const FakeSuccessor successor([&](const std::string& target) -> std::string {
            if (target == "/admin/hand-over") return welcome_answer;
            if (target == "/admin/hand-over/room") return R"({"id": "1"})";
            if (target == "/admin/hand-over/start") return "";
            ++cancels;
            return is_started ? R"({"started": true})" : R"({"started": false})";
        });
        const TestServer fixture(with_admin());
        Loop loop(1);
        const HeadlessClients clients(loop, players_of(fixture, 1));
        REQUIRE(eventually([&] { return clients.stats().playing == 1; }));
        REQUIRE(fixture.server->drain(successor.url()));
        if (is_started) {
            CHECK(eventually([&] { return clients.stats().moves > 0; }));
            CHECK(fixture.server->drain_status().moved == 1);
            CHECK(eventually([&] { return tick_of(fixture, "ours") < 0; }));
        } else {
            REQUIRE(eventually([&] { return fixture.server->metrics().hand_overs_failed > 0; }));
            CHECK(goes_on(fixture, "ours"));
            CHECK(clients.stats().moves == 0);
        }
        CHECK(cancels > 0);
    }
}

TEST_CASE("hand-over: a client that comes late is sent on, one that does not react holds nothing up") {
    const TestServer successor(with_admin());
    const TestServer fixture(with_admin());
    RawSocket silent(fixture.server->port());
    silent.send(upgrade_request("/play?world=flail&level=plain&room=ours"));
    REQUIRE(silent.receive("\r\n\r\n").starts_with("HTTP/1.1 101"));
    codec::Bytes hello;
    write(net::Hello{.fingerprint = level("flail", "plain")->fingerprint,
                     .name = contract::PlayerName::of("Ann")},
          hello);
    silent.send(frame(0x82, {reinterpret_cast<const char*>(hello.data()), hello.size()}));
    REQUIRE(eventually([&] { return fixture.server->metrics().players == 1; }));
    RawSocket undecided(fixture.server->port());  // says hello when the room has gone
    undecided.send(upgrade_request("/play?world=flail&level=plain&room=ours"));
    REQUIRE(undecided.receive("\r\n\r\n").starts_with("HTTP/1.1 101"));
    REQUIRE(fixture.server->drain(admin_of(successor)));
    REQUIRE(eventually([&] { return fixture.server->drain_status().moved == 1; }));
    undecided.send(frame(0x82, {reinterpret_cast<const char*>(hello.data()), hello.size()}));
    const auto moved_in = [](std::string_view frames) {
        REQUIRE(frames.size() > 2);
        const auto* bytes = reinterpret_cast<const std::byte*>(frames.data());
        return net::read_moved({bytes + 2, static_cast<std::size_t>(bytes[1])});
    };
    CHECK(moved_in(undecided.receive()).has_value());
    fixture.server->drain_and_wait(admin_of(successor));
    CHECK(fixture.server->drain_status().rooms == 0);
    CHECK(successor.server->metrics().rooms == 1);

    RawSocket late(fixture.server->port());
    late.send(upgrade_request("/play?world=flail&level=plain&room=ours"));
    const std::string received = late.receive();
    const std::size_t gap = received.find("\r\n\r\n");
    REQUIRE(gap != std::string::npos);
    const auto moved = moved_in(std::string_view(received).substr(gap + 4));
    REQUIRE(moved);
    CHECK(moved->room.view() == "ours");
    CHECK(moved->address.view() == "ws://127.0.0.1:" + std::to_string(successor.server->port()));
}
