// SPDX-License-Identifier: MIT
// The admin port, and what the server reports about itself.
#include <instep/server/admin_api.h>

#include <tests/server/test_server.h>

using namespace instep;
using namespace instep::headless;
using namespace instep::server;
using test::ask;
using test::clients_at;
using test::eventually;
using test::HttpAnswer;
using test::RawSocket;
using test::TestServer;

namespace {

ServerSettings with_admin() {
    ServerSettings settings = test::loopback();
    settings.admin_port = 0;
    return settings;
}

HttpAnswer ask_admin(const TestServer& fixture, const std::string& method, const std::string& target,
                     const std::string& body = "", const std::string& headers = "Host: localhost\r\n") {
    RawSocket socket(fixture.server->admin_port());
    socket.send(method + " " + target + " HTTP/1.1\r\n" + headers +
                "Connection: close\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
    return test::parse_answer(socket.receive());
}

state::Json json_of(const HttpAnswer& answer) {
    const auto json = state::parse_json(answer.body, "answer");
    REQUIRE_MESSAGE(json.has_value(), answer.body);
    return *json;
}

double number_in(const std::string& text, const std::string& name) {
    const std::size_t at = text.find("\n" + name + " ");
    REQUIRE_MESSAGE(at != std::string::npos, name);
    return std::atof(text.c_str() + at + name.size() + 2);
}

HeadlessPlan players_of(const TestServer& fixture, std::uint32_t count) {
    HeadlessPlan plan = clients_at(fixture, "flail", "plain", count);
    plan.room = "ours";
    return plan;
}

}  // namespace

TEST_CASE("admin: without it there is no admin port, and public metrics. With it they are only there") {
    const TestServer without;
    CHECK(without.server->admin_port() == 0);
    CHECK(ask(without.server->port(), "GET", "/metrics").status == 200);
    CHECK(ask(without.server->port(), "GET", "/admin/rooms").status == 404);
    const TestServer with(with_admin());
    CHECK(ask(with.server->port(), "GET", "/metrics").status == 404);
    CHECK(ask(with.server->port(), "GET", "/admin/rooms").status == 404);
    CHECK(ask_admin(with, "GET", "/metrics").status == 200);
    CHECK(ask_admin(with, "GET", "/api/rooms").status == 404);
}

TEST_CASE("admin: without a token it answers to this machine's own names, and to no page") {
    const TestServer fixture(with_admin());
    for (const char* host :
         {"localhost", "localhost:9090", "127.0.0.1:9090", "127.1.2.3", "[::1]:9090", "[::1]"})
        CHECK(ask_admin(fixture, "GET", "/admin/rooms", "", "Host: " + std::string(host) + "\r\n").status ==
              200);
    for (const char* host : {"evil.example", "localhost.evil.example:80", "10.0.0.1", ""})
        CHECK(ask_admin(fixture, "GET", "/admin/rooms", "", "Host: " + std::string(host) + "\r\n").status ==
              403);
    CHECK(ask_admin(fixture, "GET", "/admin/rooms", "", "Host: localhost\r\nOrigin: http://localhost\r\n")
              .status == 403);
}

TEST_CASE("admin: with a token every request must bear it. Without loopback there must be one") {
    ServerSettings settings = with_admin();
    settings.admin_token = "0123456789abcdef0123456789abcdef";
    const TestServer fixture(settings);
    const auto status = [&](const std::string& authorization) {
        return ask_admin(fixture, "GET", "/admin/rooms", "", "Host: anywhere\r\n" + authorization).status;
    };
    CHECK(status("") == 401);
    CHECK(status("Authorization: Basic 0123456789abcdef0123456789abcdef\r\n") == 401);
    CHECK(status("Authorization: Bearer 0123456789abcdef0123456789abcdeX\r\n") == 403);
    CHECK(status("Authorization: Bearer \r\n") != 200);
    CHECK(status("Authorization: Bearer 0123456789abcdef0123456789abcdef\r\n") == 200);

    ServerSettings open = with_admin();
    open.admin_address = "0.0.0.0";
    const auto refused = Server::start(open, {}, test::silent_log());
    REQUIRE(!refused);
    CHECK(refused.error().text().find("the admin port needs a token") != std::string::npos);
}

TEST_CASE("admin: shows a room's players, watchers and metrics") {
    const TestServer fixture(with_admin());
    Loop loop(1);
    const HeadlessClients clients(loop, players_of(fixture, 3));
    REQUIRE(eventually([&] { return clients.stats().playing == 3; }));
    CHECK(json_of(ask_admin(fixture, "GET", "/admin/rooms")).array()->size() == 1);
    state::Json room;
    REQUIRE(eventually([&] {
        room = json_of(ask_admin(fixture, "GET", "/admin/rooms/ours"));
        return room.find("metrics")->find("inputs_accepted_total")->number() > 0;
    }));
    CHECK(room.find("players")->number() == 3);
    CHECK(*room.find("opened_by")->string() == "127.0.0.1");
    const auto& players = *room.find("player_list")->array();
    REQUIRE(players.size() == 3);
    for (const state::Json& player : players) {
        CHECK(*player.find("address")->string() == "127.0.0.1");
        CHECK(!player.find("name")->string()->empty());
        CHECK(*player.find("connected")->boolean());
    }
    CHECK(room.find("metrics")->find("joins_total")->number() == 3);
    CHECK(room.find("metrics")->find("tick_step_seconds_total")->number() > 0);
    const HttpAnswer metrics = ask_admin(fixture, "GET", "/admin/rooms/ours/metrics");
    CHECK(metrics.head.find("text/plain") != std::string::npos);
    CHECK(number_in(metrics.body, R"(instep_room_joins_total{room="ours"})") == 3);
    CHECK(number_in(metrics.body, R"(instep_room_ticks_total{room="ours"})") > 0);
    CHECK(ask_admin(fixture, "GET", "/admin/rooms/theirs").status == 404);
}

TEST_CASE("admin: a kicked player is told why, and its seat is free") {
    const TestServer fixture(with_admin());
    Loop loop(1);
    const HeadlessClients clients(loop, players_of(fixture, 2));
    REQUIRE(eventually([&] { return clients.stats().playing == 2; }));
    const auto kicked =
        ask_admin(fixture, "POST", "/admin/kick", R"({"room": "ours", "slot": 0, "message": "enough"})");
    REQUIRE_MESSAGE(kicked.status == 200, kicked.body);
    CHECK(*json_of(kicked).find("address")->string() == "127.0.0.1");
    CHECK(eventually([&] { return fixture.refused(RefusalReason::kicked) == 1; }));
    CHECK(eventually([&] { return fixture.server->metrics().leaves == 1; }));
    for (const char* wrong :
         {R"({"room": "ours"})", R"({"room": "ours", "slot": 64})", R"({"room": "ours", "slot": "0"})",
          R"({"slot": 0})", R"({"room": "ours", "slot": 0, "watcher": 1})", "[]", "{"})
        CHECK(ask_admin(fixture, "POST", "/admin/kick", wrong).status == 400);
    CHECK(ask_admin(fixture, "POST", "/admin/kick", R"({"room": "ours", "slot": 60})").status == 404);
    CHECK(ask_admin(fixture, "POST", "/admin/kick", R"({"room": "theirs", "slot": 0})").status == 404);
    CHECK(ask_admin(fixture, "GET", "/admin/kick").status == 404);
}

TEST_CASE("admin: a ban closes connections, refuses new ones for its time, and can be lifted") {
    const TestServer fixture(with_admin());
    Loop loop(1);
    const HeadlessClients clients(loop, players_of(fixture, 2));
    REQUIRE(eventually([&] { return clients.stats().playing == 2; }));
    REQUIRE(
        ask_admin(fixture, "POST", "/admin/ban", R"({"address": "127.0.0.0/8", "seconds": 3600})").status ==
        200);
    CHECK(eventually([&] { return fixture.refused(RefusalReason::banned) >= 2; }));
    const HttpAnswer refused = ask(fixture.server->port(), "GET", "/livez");
    CHECK(refused.status == 403);
    CHECK(refused.body.find(
              R"("error":"banned","message":"the operator banned your address; this ends in 3)") !=
          std::string::npos);
    const auto bans = json_of(ask_admin(fixture, "GET", "/admin/bans"));
    REQUIRE(bans.array()->size() == 1);
    CHECK(*(*bans.array())[0].find("address")->string() == "127.0.0.0/8");
    CHECK(ask_admin(fixture, "POST", "/admin/unban", R"({"address": "127.0.0.0/8"})").status == 200);
    CHECK(ask_admin(fixture, "POST", "/admin/unban", R"({"address": "127.0.0.0/8"})").status == 404);
    CHECK(ask(fixture.server->port(), "GET", "/livez").status == 200);
    REQUIRE(ask_admin(fixture, "POST", "/admin/ban", R"({"address": "127.0.0.1", "seconds": 1})").status ==
            200);
    CHECK(eventually([&] { return ask(fixture.server->port(), "GET", "/livez").status == 200; }));
    for (const char* wrong :
         {R"({"address": "here", "seconds": 1})", R"({"address": "10.0.0.1"})",
          R"({"address": "10.0.0.1", "seconds": 0})", R"({"address": "10.0.0.1", "second": 1})"})
        CHECK(ask_admin(fixture, "POST", "/admin/ban", wrong).status == 400);
}

TEST_CASE("bans: at most 1024, and an expired one frees its entry") {
    BanList bans;
    const Time start = Clock::now();
    for (unsigned i = 0; i < BanList::most_bans; ++i)
        REQUIRE(bans.add({IpNetwork(IpAddress::v4({10, 0, static_cast<std::uint8_t>(i / 256),
                                                   static_cast<std::uint8_t>(i)}),
                                    32),
                          start + std::chrono::seconds(10), "away"},
                         start));
    const IpNetwork other = IpNetwork::parse("192.0.2.0/24").value();
    CHECK(!bans.add({other, start + std::chrono::seconds(10), "away"}, start));
    CHECK(bans.check(IpAddress::parse("192.0.2.1").value(), start));
    CHECK(!bans.check(IpAddress::parse("10.0.3.7").value(), start));
    const Time later = start + std::chrono::seconds(11);
    CHECK(bans.check(IpAddress::parse("10.0.3.7").value(), later));
    CHECK(bans.add({other, later + std::chrono::seconds(10), "away"}, later));
    CHECK(bans.list(later).size() == 1);
}

TEST_CASE("admin: closes a room, and its clients get the message") {
    const TestServer fixture(with_admin());
    Loop loop(1);
    HeadlessPlan plan = players_of(fixture, 2);
    const HeadlessClients clients(loop, plan);
    REQUIRE(eventually([&] { return clients.stats().playing == 2; }));
    const std::uint64_t opened = fixture.server->metrics().rooms_total;
    REQUIRE(ask_admin(fixture, "POST", "/admin/close", R"({"room": "ours", "message": "the match is over"})")
                .status == 200);
    CHECK(eventually([&] { return fixture.refused(RefusalReason::room_ended) >= 2; }));
    CHECK(eventually([&] {
        return fixture.server->metrics().rooms == 0 || fixture.server->metrics().rooms_total > opened;
    }));
    CHECK(ask_admin(fixture, "POST", "/admin/close", R"({"room": "nowhere"})").status == 404);
}

TEST_CASE("readiness: 503 while draining, liveness goes on") {
    const TestServer fixture;
    const std::uint16_t port = fixture.server->port();
    for (const char* path : {"/livez", "/readyz", "/healthz"}) CHECK(ask(port, "GET", path).body == "ok\n");
    REQUIRE(fixture.server->drain(""));
    CHECK(ask(port, "GET", "/readyz").status == 503);
    CHECK(ask(port, "GET", "/livez").status == 200);
    CHECK(ask(port, "GET", "/healthz").status == 200);
}

TEST_CASE("metrics: memory, descriptors, build, log lines and the parts of ticks") {
    const TestServer fixture(with_admin());
    Loop loop(1);
    HeadlessClients clients(loop, players_of(fixture, 2));
    REQUIRE(eventually([&] { return clients.stats().playing == 2; }));
    clients.cut_connections();
    CHECK(eventually([&] { return fixture.server->metrics().resumes == 2; }));
    const std::string text = ask_admin(fixture, "GET", "/metrics").body;
    CHECK(number_in(text, "process_resident_memory_bytes") > 1e6);
    CHECK(number_in(text, "process_open_fds") > 5);
    CHECK(number_in(text, "process_max_fds") >= number_in(text, "process_open_fds"));
    CHECK(number_in(text, "process_cpu_seconds_total") > 0);
    CHECK(text.find("\ninstep_build_info{version=\"") != std::string::npos);
    CHECK(number_in(text, R"(instep_log_lines_lost_total{reason="unread"})") == 0);
    CHECK(number_in(text, "instep_joins_total") == 2);
    CHECK(number_in(text, "instep_resumes_total") == 2);
    CHECK(number_in(text, "instep_recordings_failed_total") == 0);
    for (const char* part : {"inbox", "step", "record", "encode", "check"})
        CHECK(number_in(text, "instep_tick_part_seconds_total{part=\"" + std::string(part) + "\"}") > 0);
}
