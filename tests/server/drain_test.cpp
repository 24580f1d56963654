// SPDX-License-Identifier: MIT
// The successor's side of a hand-over, and draining.
#include <tests/server/hand_over.h>

using namespace instep;
using namespace instep::headless;
using namespace instep::server;
using namespace instep::test;

TEST_CASE("hand-over: what is no image of a room, or too large for one, is refused") {
    const TestServer fixture(with_admin());
    const auto status = [&](const std::string& body) {
        return ask_admin(fixture, "POST", "/admin/hand-over/room", body).status;
    };
    CHECK(status("") == 400);
    CHECK(status("not an image") == 400);
    std::string image = image_of_room("theirs");
    image[image.size() / 2] = static_cast<char>(image[image.size() / 2] ^ 1);
    CHECK(status(image) == 400);
    CHECK(status(std::string(200'000, 'x')) == 400);  // read, since it might be one
    RawSocket large(fixture.server->admin_port());
    large.send("POST /admin/hand-over/room HTTP/1.1\r\nHost: localhost\r\nContent-Length: 200000000\r\n\r\n");
    CHECK(large.receive("too_large").starts_with("HTTP/1.1 413"));
    RawSocket elsewhere(fixture.server->admin_port());
    elsewhere.send("POST /admin/kick HTTP/1.1\r\nHost: localhost\r\nContent-Length: 200000\r\n\r\n");
    CHECK(elsewhere.receive("too_large").starts_with("HTTP/1.1 413"));
    for (const char* body : {"", "{}", R"({"id": 3})", R"({"id": "x", "more": 1})"})
        CHECK(ask_admin(fixture, "POST", "/admin/hand-over/start", body).status == 400);
    for (const char* body : {"", "{}", R"({"rooms_ever": 1})", R"({"rooms_ever": -1, "ticket_keys": "a b"})"})
        CHECK(ask_admin(fixture, "POST", "/admin/hand-over", body).status >= 400);
    CHECK(fixture.server->metrics().rooms == 0);
}

TEST_CASE("hand-over: a room that has come does not tick before it is started, and is started once") {
    const TestServer fixture(with_admin());
    const auto prepared = ask_admin(fixture, "POST", "/admin/hand-over/room", image_of_room("theirs"));
    REQUIRE(prepared.status == 200);
    const std::string id = R"({"id": ")" + text_in(prepared, "id") + "\"}";
    CHECK(tick_of(fixture, "theirs") < 0);
    CHECK(ask(fixture.server->port(), "POST", "/api/rooms", R"({"world": "bounce", "name": "theirs"})")
              .status == 400);
    CHECK(ask_admin(fixture, "POST", "/admin/hand-over/start", id).status == 200);
    CHECK(goes_on(fixture, "theirs"));
    CHECK(text_in(ask_admin(fixture, "POST", "/admin/hand-over/room", image_of_room("theirs")), "message") ==
          "there is a room \"theirs\" already");
    CHECK(ask_admin(fixture, "POST", "/admin/hand-over/start", id).status == 404);
    CHECK(ask_admin(fixture, "POST", "/admin/hand-over/cancel", id).body == "{\"started\":true}\n");

    const auto second = ask_admin(fixture, "POST", "/admin/hand-over/room", image_of_room("second"));
    REQUIRE(second.status == 200);
    const std::string other = R"({"id": ")" + text_in(second, "id") + "\"}";
    CHECK(ask_admin(fixture, "POST", "/admin/hand-over/cancel", other).body == "{\"started\":false}\n");
    CHECK(ask_admin(fixture, "POST", "/admin/hand-over/start", other).status == 404);
    CHECK(ask_admin(fixture, "POST", "/admin/hand-over/cancel", R"({"id": "unknown"})").body ==
          "{\"started\":false}\n");
    CHECK(ask_admin(fixture, "POST", "/admin/hand-over/room", image_of_room("second")).status == 200);
}

TEST_CASE("hand-over: a prepared room that is not started in time is dropped, and cannot be started") {
    Loop loop(1);
    const ServerSettings settings = loopback();
    Metrics metrics;
    Lobby lobby(loop, settings, {}, nullptr, metrics, silent_log());
    RoomReceiver receiver(lobby, metrics, silent_log(), std::chrono::milliseconds(20));
    const std::string image = image_of_room("theirs");
    const codec::ByteView bytes(reinterpret_cast<const std::byte*>(image.data()), image.size());
    const auto first = receiver.prepare(bytes);
    REQUIRE(first);
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    CHECK(!receiver.start(*first));
    CHECK(!receiver.cancel(*first));
    CHECK(receiver.prepare(bytes));  // the name is free again
    CHECK(lobby.empty());
    loop.join();
    lobby.clear();
}

TEST_CASE("hand-over: a room that comes again before it was started replaces what came first") {
    const TestServer fixture(with_admin());
    const auto prepare = [&] {
        const auto answer = ask_admin(fixture, "POST", "/admin/hand-over/room", image_of_room("theirs"));
        REQUIRE(answer.status == 200);
        return R"({"id": ")" + text_in(answer, "id") + "\"}";
    };
    const std::string first = prepare(), second = prepare();
    CHECK(ask_admin(fixture, "POST", "/admin/hand-over/start", first).status == 404);
    CHECK(ask_admin(fixture, "POST", "/admin/hand-over/start", second).status == 200);
    CHECK(goes_on(fixture, "theirs"));
    CHECK(fixture.server->metrics().rooms == 1);
}

TEST_CASE("drain: SIGTERM offers a room again that the successor refused") {
    const TestServer successor(with_admin());
    const TestServer fixture(with_admin());
    Loop loop(1);
    HeadlessClients there(loop, players_of(successor, 1));  // the name is taken there
    const HeadlessClients clients(loop, players_of(fixture, 2));
    REQUIRE(eventually([&] { return clients.stats().playing == 2 && there.stats().playing == 1; }));
    std::thread stopping([&] { fixture.server->drain_and_wait(admin_of(successor)); });
    CHECK(eventually([&] { return fixture.server->metrics().hand_overs_failed > 0; }));
    there.leave();
    CHECK(ask_admin(successor, "POST", "/admin/close", R"({"room": "ours"})").status == 200);
    stopping.join();
    CHECK(fixture.server->drain_status().moved == 1);
    CHECK(eventually([&] { return clients.stats().moves == 2 && clients.stats().playing == 2; }));
    CHECK(clients.stats().disconnects == 0);
}

TEST_CASE("drain: without a successor, players stay and come back, new ones are refused, empty rooms end") {
    const TestServer fixture(with_admin());
    Loop loop(1);
    HeadlessClients clients(loop, players_of(fixture, 3));
    REQUIRE(eventually([&] { return clients.stats().playing == 3; }));
    REQUIRE(ask_admin(fixture, "POST", "/admin/drain").status == 200);
    REQUIRE(eventually([&] { return fixture.server->drain_status().rooms == 1; }));
    CHECK(ask(fixture.server->port(), "POST", "/api/rooms", R"({"world": "flail"})").status == 503);
    RawSocket stranger(fixture.server->port());
    stranger.send(upgrade_request("/play?world=flail&level=plain&room=ours"));
    CHECK(find_close(stranger.receive()).code == 1001);
    CHECK(ask_admin(fixture, "POST", "/admin/hand-over/room", image_of_room("theirs")).status == 503);
    CHECK(goes_on(fixture, "ours"));
    clients.cut_connections();
    CHECK(eventually([&] { return fixture.server->metrics().resumes == 3; }));
    CHECK(eventually([&] { return clients.stats().playing == 3; }));
    clients.leave();
    CHECK(eventually([&] { return fixture.server->drain_status().rooms == 0; }, std::chrono::seconds(20)));
    CHECK(text_in(ask_admin(fixture, "POST", "/admin/drain", R"({"successor": "nowhere"})"), "message")
              .starts_with("successor: expected the admin port of another server"));
}

TEST_CASE("drain: SIGTERM waits for matches as long as drain-ms says, and no longer") {
    ServerSettings settings = with_admin();
    settings.limits.drain_ms = 300;
    settings.limits.hand_over_ms = 0;
    const TestServer fixture(settings);
    Loop loop(1);
    const HeadlessClients clients(loop, players_of(fixture, 1));
    REQUIRE(eventually([&] { return clients.stats().playing == 1; }));
    const Time began = Clock::now();
    fixture.server->drain_and_wait("");
    CHECK(Clock::now() - began >= std::chrono::milliseconds(300));
    CHECK(fixture.server->metrics().rooms == 1);
    // A successor that is not there does not make it wait for longer.
    fixture.server->drain_and_wait("http://127.0.0.1:1");
    CHECK(fixture.server->drain_status().message.find("refused") != std::string::npos);
    CHECK(fixture.server->metrics().rooms == 1);
}

TEST_CASE("drain: names that the successor gives to new rooms are not those of rooms that come") {
    const TestServer successor(with_admin());
    const TestServer fixture(with_admin());
    for (int i = 0; i < 2; ++i)
        REQUIRE(ask(fixture.server->port(), "POST", "/api/rooms", R"({"world": "flail"})").status == 201);
    REQUIRE(fixture.server->drain(admin_of(successor)));
    REQUIRE(eventually([&] { return fixture.server->drain_status().moved == 2; }));
    CHECK(text_in(ask(successor.server->port(), "POST", "/api/rooms", R"({"world": "flail"})"), "name") ==
          "flail-3");
}

TEST_CASE("successor: the address of an admin port") {
    for (const char* url : {"http://127.0.0.1:9091", "http://[::1]:9091", "http://localhost:9091"})
        CHECK_MESSAGE(parse_admin_url(url), url);
    const auto open = parse_admin_url("http://game-2.example:9091");
    REQUIRE(!open);
    CHECK(open.error().text().find("would not be encrypted; use https://") != std::string::npos);
    const auto tls = parse_admin_url("https://game-2.example");
    REQUIRE(tls);
    CHECK((tls->tls && tls->port == 443 && tls->host == "game-2.example"));
    for (const char* url : {"", "127.0.0.1:9091", "ws://127.0.0.1:9091", "http://127.0.0.1:9091/admin",
                            "http://user@127.0.0.1", "httpx://a", "http://"})
        CHECK_MESSAGE(!parse_admin_url(url), url);
}

TEST_CASE("signing keys: those of another server verify, and never sign") {
    SigningKeys keys({{"own", std::string(32, 'a')}});
    keys.adopt({{"other", std::string(32, 'b')}, {"own", std::string(32, 'x')}});
    CHECK(keys.current()->front().id == "own");
    CHECK(keys.current()->front().secret == std::string(32, 'a'));
    REQUIRE(find_key(*keys.current(), "other"));
    for (int i = 0; i < 50; ++i) keys.adopt({{"k" + std::to_string(i), std::string(32, 'c')}});
    CHECK(keys.current()->size() == most_keys);
    CHECK(keys.current()->front().id == "own");
    CHECK(find_key(*keys.current(), "k49"));
    CHECK(!find_key(*keys.current(), "other"));
}
