// SPDX-License-Identifier: MIT
// The whole server, from outside: headless clients play on it over real connections.
#include <instep/server/server.h>

#include <tests/server/test_server.h>

using namespace instep;
using namespace instep::headless;
using namespace instep::server;
using test::ask;
using test::clients_at;
using test::eventually;
using test::TestServer;

TEST_CASE("lobby: quick match fills a room before it opens another") {
    const TestServer fixture;
    Loop loop(1);
    const HeadlessClients clients(loop, clients_at(fixture, "bounce", "billiards", 6));  // has 4 seats
    CHECK(eventually([&] { return clients.stats().playing == 6; }));
    CHECK(fixture.server->metrics().rooms == 2);
    const auto rooms = state::parse_json(ask(fixture.server->port(), "GET", "/api/rooms").body, "rooms");
    REQUIRE(rooms);
    REQUIRE(rooms->array()->size() == 2);
    const double players = (*rooms->array())[0].find("players")->number();
    CHECK(((players == 4) || (players == 2)));
}

TEST_CASE("identity: a client that reconnects with its key is the same player") {
    const TestServer fixture;
    Loop loop(1);
    HeadlessClients clients(loop, clients_at(fixture, "flail", "plain", 4));
    REQUIRE(eventually([&] { return clients.stats().playing == 4; }));
    clients.cut_connections();
    CHECK(eventually([&] { return clients.stats().disconnects == 4 && clients.stats().playing == 4; }));
    CHECK(clients.stats().connects == 8);
    CHECK(fixture.server->metrics().players == 4);
    CHECK(fixture.server->metrics().rooms_total == 1);
}

TEST_CASE("identity: a player that does not reconnect in time leaves") {
    ServerSettings settings = test::loopback();
    settings.limits.resume_ms = 200;
    settings.limits.empty_room_ms = 100;
    const TestServer fixture(settings);
    {
        Loop loop(1);
        HeadlessClients clients(loop, clients_at(fixture, "flail", "plain", 2));
        REQUIRE(eventually([&] { return clients.stats().playing == 2; }));
        loop.stop();  // the clients answer no more
    }
    CHECK(eventually([&] { return fixture.server->metrics().players == 0; }));
    CHECK(eventually([&] { return fixture.server->metrics().rooms == 0; }));
}

TEST_CASE("lobby: lists worlds and rooms, and opens rooms by name") {
    const TestServer fixture;
    const std::uint16_t port = fixture.server->port();
    CHECK(ask(port, "GET", "/healthz").body == "ok\n");
    CHECK(ask(port, "GET", "/").status == 200);
    CHECK(ask(port, "GET", "/api/worlds").body.find(R"("name":"flail")") != std::string::npos);
    CHECK(ask(port, "GET", "/api/rooms").body == "[]\n");

    const auto made =
        ask(port, "POST", "/api/rooms", R"({"world": "flail", "level": "plain", "name": "ours"})");
    CHECK(made.status == 201);
    CHECK(made.body.find(R"("name":"ours","world":"flail","level":"plain")") != std::string::npos);
    CHECK(ask(port, "GET", "/api/rooms/ours").status == 200);
    CHECK(ask(port, "POST", "/api/rooms", R"({"world": "flail", "name": "ours"})").status == 400);

    std::this_thread::sleep_for(std::chrono::seconds(3));
    Loop loop(1);
    HeadlessPlan plan = clients_at(fixture, "flail", "plain", 2);
    plan.room = "ours";
    const HeadlessClients clients(loop, plan);
    CHECK(eventually([&] { return clients.stats().playing == 2; }));
    CHECK(ask(port, "GET", "/api/rooms/ours").body.find(R"("players":2)") != std::string::npos);
    CHECK(fixture.server->metrics().rooms == 1);
}

TEST_CASE("lobby: replication follows the level unless the request names a mode") {
    ServerSettings settings = test::loopback();
    settings.replication = ReplicationChoice::any;
    const TestServer fixture(settings);
    const std::uint16_t port = fixture.server->port();
    const auto replication_of = [](const test::HttpAnswer& answer) {
        const auto room = state::parse_json(answer.body, "room");
        REQUIRE(room);
        return *room->find("replication")->string();
    };
    CHECK(replication_of(ask(port, "POST", "/api/rooms", R"({"world": "flail"})")) == "snapshots");
    CHECK(replication_of(ask(port, "POST", "/api/rooms", R"({"world": "creature"})")) == "relay");
    CHECK(replication_of(ask(port, "POST", "/api/rooms",
                             R"({"world": "creature", "replication": "snapshots"})")) == "snapshots");
    CHECK(replication_of(
              ask(port, "POST", "/api/rooms",
                  R"({"world": "flail", "level": "plain", "name": "relayed", "replication": "relay"})")) ==
          "relay");
    // A request without a mode does not lead into a room that has another than the level.
    Loop loop(1);
    HeadlessPlan plan = clients_at(fixture, "flail", "plain", 3);
    {
        HeadlessPlan quick = plan;
        quick.room.clear();
        const HeadlessClients clients(loop, quick);
        CHECK(eventually([&] { return clients.stats().playing == 3; }));
        CHECK(ask(port, "GET", "/api/rooms/relayed").body.find(R"("players":0)") != std::string::npos);
    }
    plan.room = "relayed";
    const HeadlessClients clients(loop, plan);
    CHECK(eventually([&] { return clients.stats().playing == 3 && clients.stats().snapshots > 150; }));
    CHECK(clients.stats().desyncs == 0);
    CHECK(clients.stats().malformed == 0);
}

TEST_CASE("room: an empty one sleeps and goes on as if no time had passed") {
    const TestServer fixture;
    const std::uint16_t port = fixture.server->port();
    REQUIRE(
        ask(port, "POST", "/api/rooms", R"({"world": "flail", "level": "plain", "name": "ours"})").status ==
        201);
    const auto tick = [&] {
        const auto room = state::parse_json(ask(port, "GET", "/api/rooms/ours").body, "room");
        REQUIRE(room);
        return room->find("tick")->number();
    };
    double before = -1;
    CHECK(eventually([&] {
        const double now = tick();
        const bool is_asleep = now > 0 && now == before;
        before = now;
        std::this_thread::sleep_for(std::chrono::milliseconds(400));
        return is_asleep;
    }));
    Loop loop(1);
    HeadlessPlan plan = clients_at(fixture, "flail", "plain", 2);
    plan.room = "ours";
    const HeadlessClients clients(loop, plan);
    CHECK(eventually([&] { return clients.stats().playing == 2 && tick() > before + 40; }));
    CHECK(clients.stats().desyncs == 0);
    CHECK(fixture.server->metrics().rooms_total == 1);
    CHECK(fixture.server->metrics().ticks_skipped < 40);  // not the 90 that it slept
}

TEST_CASE("refusals: an HTTP refusal has a name and a message") {
    const TestServer fixture;
    const std::uint16_t port = fixture.server->port();
    const auto says = [&](const test::HttpAnswer& answer, int status, std::string_view name) {
        CAPTURE(answer.body);
        CHECK(answer.status == status);
        const auto json = state::parse_json(answer.body, "answer");
        REQUIRE(json);
        CHECK(*json->find("error")->string() == name);
        CHECK(json->find("message")->string()->size() > 10);
    };
    says(ask(port, "GET", "/nothing"), 404, "not_found");
    says(ask(port, "DELETE", "/api/rooms"), 405, "wrong_method");
    says(ask(port, "GET", "/api/rooms/none"), 404, "unknown_room");
    says(ask(port, "GET", "/play"), 400, "bad_request");
    says(ask(port, "POST", "/api/rooms", "nonsense"), 400, "bad_request");
    says(ask(port, "POST", "/api/rooms", R"({"level": "plain"})"), 400, "bad_request");
    says(ask(port, "POST", "/api/rooms", R"({"world": "flail", "colour": "red"})"), 400, "bad_request");
    says(ask(port, "POST", "/api/rooms", R"({"world": "flial"})"), 404, "unknown_level");
    says(ask(port, "POST", "/api/rooms", R"({"world": "flail", "name": "a b"})"), 400, "wrong_name");
    says(ask(port, "POST", "/api/rooms", R"({"world": "flail", "replication": "rumour"})"), 400,
         "bad_request");
    says(ask(port, "GET", "/%zz"), 400, "bad_request");
    says(ask(port, "GET", "/" + std::string(20'000, 'a')), 413, "too_large");
    says(ask(port, "POST", "/api/rooms", std::string(20'000, ' ')), 413, "too_large");
}

TEST_CASE("metrics: the text has the form that Prometheus reads") {
    const TestServer fixture;
    Loop loop(1);
    const HeadlessClients clients(loop, clients_at(fixture, "orbit", "belt", 2));
    REQUIRE(eventually([&] { return clients.stats().snapshots > 10; }));
    const std::string text = ask(fixture.server->port(), "GET", "/metrics").body;
    CHECK(text.find("instep_players 2\n") != std::string::npos);
    CHECK(text.find("instep_rooms 1\n") != std::string::npos);
    CHECK(text.find("instep_tick_lateness_seconds_bucket{le=\"+Inf\"} ") != std::string::npos);
    CHECK(text.find("instep_refusals_total{reason=\"room_full\"} 0\n") != std::string::npos);
    std::size_t lines = 0;
    for (std::size_t at = 0; at < text.size(); ++lines) {  // name, labels if any, one space, a number
        const std::size_t end = text.find('\n', at);
        REQUIRE(end != std::string::npos);
        const std::string line = text.substr(at, end - at);
        CAPTURE(line);
        // Prometheus' own client libraries give metrics of the process that prefix.
        const auto names_metric = [](std::string_view rest) {
            return rest.starts_with("instep_") || rest.starts_with("process_");
        };
        if (line.starts_with("# HELP ") || line.starts_with("# TYPE "))
            CHECK(names_metric(std::string_view(line).substr(7)));
        else
            CHECK((names_metric(line) && std::isdigit(static_cast<unsigned char>(line.back()))));
        at = end + 1;
    }
    CHECK(lines > 60);
}

TEST_CASE("server: stop closes all connections with 1001 in time") {
    TestServer fixture;
    Loop loop(1);
    const HeadlessClients clients(loop, clients_at(fixture, "flail", "plain", 5));
    REQUIRE(eventually([&] { return clients.stats().playing == 5; }));
    const auto began = std::chrono::steady_clock::now();
    fixture.server->stop();
    CHECK(std::chrono::steady_clock::now() - began < std::chrono::seconds(4));
    CHECK(fixture.server->metrics().connections == 0);
    CHECK(fixture.server->metrics().rooms == 0);
    CHECK(eventually([&] { return clients.stats().disconnects >= 5; }));
    CHECK(clients.stats().disconnect_reasons.at(0).starts_with("1001 stopping: "));
}

TEST_CASE("log: a line has each key once, and a room its level") {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::tmpfile(), std::fclose);
    REQUIRE(file);
    {
        Log log(file.get());
        const auto server = Server::start(test::loopback(), {}, log);
        REQUIRE(server);
        REQUIRE(
            ask((*server)->port(), "POST", "/api/rooms", R"({"world": "bounce", "level": "box"})").status ==
            201);
    }
    REQUIRE(std::fseek(file.get(), 0, SEEK_SET) == 0);
    bool has_opened = false;
    for (char line[4096]; std::fgets(line, sizeof line, file.get());) {
        CAPTURE(line);
        const auto json = state::parse_json(line, "line");  // refuses a duplicate key
        REQUIRE(json);
        CHECK(*json->find("severity")->string() == "info");
        if (*json->find("event")->string() != "room_opened") continue;
        has_opened = true;
        CHECK(*json->find("level")->string() == "box");
    }
    CHECK(has_opened);
}
