// SPDX-License-Identifier: MIT
// The whole server, from outside: bots play on it over real connections, and the lobby says so.
#include <instep/server/server.h>

#include <tests/server/playground.h>

using namespace instep;
using namespace instep::headless;
using namespace instep::server;
using test::ask;
using test::eventually;
using test::Playground;

namespace {

HeadlessPlan swarm_at(const Playground& playground, const char* world, const char* level,
                      std::uint32_t count) {
    const auto setup = match::load_builtin_setup(world, level);
    REQUIRE(setup);
    HeadlessPlan plan;
    plan.url = playground.url();
    plan.setup = *setup;
    plan.count = count;
    return plan;
}

}  // namespace

TEST_CASE("bots of every world play over real connections, foresee themselves and agree with the server") {
    const Playground playground;
    Loop loop(1);
    const std::pair<const char*, const char*> levels[] = {{"bounce", "box"},
                                                          {"creature", "garden"},
                                                          {"flail", "plain"},
                                                          {"foothold", "town"},
                                                          {"orbit", "belt"}};
    for (const auto& [world, level] : levels) {
        CAPTURE(world);
        const HeadlessClients swarm(loop, swarm_at(playground, world, level, 2));
        CHECK(eventually([&] {
            const HeadlessStats figures = swarm.figures();
            return figures.playing == 2 && figures.snapshots > 60 && figures.ticks > 60;
        }));
        const HeadlessStats figures = swarm.figures();
        CHECK(figures.lost == 0);
        CHECK(figures.broken == 0);
        CHECK(figures.desyncs == 0);
        CHECK(eventually(
            [&] { return playground.server->figures().players == 2; }));  // the last ones have left
    }
    CHECK(playground.server->figures().rooms_total == 5);
    CHECK(eventually([&] { return playground.server->figures().own_confirmed > 0; }));
    CHECK(eventually([&] { return playground.server->figures().players == 0; }));
    CHECK(eventually([&] { return playground.server->figures().connections == 0; }));
}

TEST_CASE("thin bots are taken for players, and their inputs come in time") {
    const Playground playground;
    Loop loop(1);
    HeadlessPlan plan = swarm_at(playground, "flail", "plain", 20);
    plan.thin = true;
    const HeadlessClients swarm(loop, plan);
    CHECK(eventually([&] { return playground.server->figures().inputs_taken > 2000; }));
    const Figures& figures = playground.server->figures();
    CHECK(figures.players == 20);
    CHECK(figures.inputs_refused * 10 < figures.inputs_taken);
    CHECK(swarm.figures().broken == 0);
    CHECK(swarm.figures().lost == 0);
}

TEST_CASE("a quick match fills a room before it opens another") {
    const Playground playground;
    Loop loop(1);
    const HeadlessClients swarm(loop, swarm_at(playground, "bounce", "billiards", 6));  // takes 4
    CHECK(eventually([&] { return swarm.figures().playing == 6; }));
    CHECK(playground.server->figures().rooms == 2);
    const auto rooms = state::parse_json(ask(playground.server->port(), "GET", "/api/rooms").body, "rooms");
    REQUIRE(rooms);
    REQUIRE(rooms->array()->size() == 2);
    const double players = (*rooms->array())[0].find("players")->number();
    CHECK(((players == 4) || (players == 2)));
}

TEST_CASE("whoever loses the line is the same player when it comes back") {
    const Playground playground;
    Loop loop(1);
    HeadlessClients swarm(loop, swarm_at(playground, "flail", "plain", 4));
    REQUIRE(eventually([&] { return swarm.figures().playing == 4; }));
    swarm.cut_lines();
    CHECK(eventually([&] { return swarm.figures().lost == 4 && swarm.figures().playing == 4; }));
    CHECK(swarm.figures().connects == 8);
    CHECK(playground.server->figures().players == 4);
    CHECK(playground.server->figures().rooms_total == 1);
}

TEST_CASE("bots that leave say goodbye so that nobody waits for them") {
    const Playground playground;  // keeps the place of one who just vanished for 30 s
    {
        Loop loop(1);
        HeadlessClients swarm(loop, swarm_at(playground, "flail", "plain", 5));
        REQUIRE(eventually([&] { return swarm.figures().playing == 5; }));
        swarm.leave();
    }
    CHECK(eventually([&] { return playground.server->figures().players == 0; }, std::chrono::seconds(15)));
}

TEST_CASE("whoever does not come back in time has left") {
    ServerSettings settings = test::loopback();
    settings.limits.resume_ms = 200;
    settings.limits.empty_room_ms = 100;
    const Playground playground(settings);
    {
        Loop loop(1);
        HeadlessClients swarm(loop, swarm_at(playground, "flail", "plain", 2));
        REQUIRE(eventually([&] { return swarm.figures().playing == 2; }));
        loop.stop();  // nobody answers any more
    }
    CHECK(eventually([&] { return playground.server->figures().players == 0; }));
    CHECK(eventually([&] { return playground.server->figures().rooms == 0; }));
}

TEST_CASE("the lobby lists worlds and rooms and opens rooms by name") {
    const Playground playground;
    const std::uint16_t port = playground.server->port();
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
    HeadlessPlan plan = swarm_at(playground, "flail", "plain", 2);
    plan.room = "ours";
    const HeadlessClients swarm(loop, plan);
    CHECK(eventually([&] { return swarm.figures().playing == 2; }));
    CHECK(ask(port, "GET", "/api/rooms/ours").body.find(R"("players":2)") != std::string::npos);
    CHECK(playground.server->figures().rooms == 1);
}

TEST_CASE("a room is told by its state or by its inputs, as its level has it or as whoever opens it asks") {
    const Playground playground;
    const std::uint16_t port = playground.server->port();
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
    // Who asks for nothing of the kind is not led into what a stranger asked for.
    Loop loop(1);
    HeadlessPlan plan = swarm_at(playground, "flail", "plain", 3);
    {
        HeadlessPlan quick = plan;
        quick.room.clear();
        const HeadlessClients swarm(loop, quick);
        CHECK(eventually([&] { return swarm.figures().playing == 3; }));
        CHECK(ask(port, "GET", "/api/rooms/relayed").body.find(R"("players":0)") != std::string::npos);
    }
    plan.room = "relayed";
    const HeadlessClients swarm(loop, plan);
    CHECK(eventually([&] { return swarm.figures().playing == 3 && swarm.figures().snapshots > 150; }));
    CHECK(swarm.figures().desyncs == 0);
    CHECK(swarm.figures().broken == 0);
}

TEST_CASE("a room stands still while nobody is in it and goes on as if no time had passed") {
    const Playground playground;
    const std::uint16_t port = playground.server->port();
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
        const bool stands = now > 0 && now == before;
        before = now;
        std::this_thread::sleep_for(std::chrono::milliseconds(400));
        return stands;
    }));
    Loop loop(1);
    HeadlessPlan plan = swarm_at(playground, "flail", "plain", 2);
    plan.room = "ours";
    const HeadlessClients swarm(loop, plan);
    CHECK(eventually([&] { return swarm.figures().playing == 2 && tick() > before + 40; }));
    CHECK(swarm.figures().desyncs == 0);
    CHECK(playground.server->figures().rooms_total == 1);
    CHECK(playground.server->figures().ticks_skipped < 40);  // none for the 90 that it stood still
}

TEST_CASE("what is wrong with a request is said with a word and a sentence") {
    const Playground playground;
    const std::uint16_t port = playground.server->port();
    const auto says = [&](const test::HttpAnswer& answer, int status, std::string_view word) {
        CAPTURE(answer.body);
        CHECK(answer.status == status);
        const auto json = state::parse_json(answer.body, "answer");
        REQUIRE(json);
        CHECK(*json->find("error")->string() == word);
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

TEST_CASE("figures are told in the form that Prometheus reads") {
    const Playground playground;
    Loop loop(1);
    const HeadlessClients swarm(loop, swarm_at(playground, "orbit", "belt", 2));
    REQUIRE(eventually([&] { return swarm.figures().snapshots > 10; }));
    const std::string text = ask(playground.server->port(), "GET", "/metrics").body;
    CHECK(text.find("instep_players 2\n") != std::string::npos);
    CHECK(text.find("instep_rooms 1\n") != std::string::npos);
    CHECK(text.find("instep_tick_lateness_seconds_bucket{le=\"+Inf\"} ") != std::string::npos);
    CHECK(text.find("instep_refused_total{cause=\"room_full\"} 0\n") != std::string::npos);
    std::size_t lines = 0;
    for (std::size_t at = 0; at < text.size(); ++lines) {  // name, perhaps labels, one space, a number
        const std::size_t end = text.find('\n', at);
        REQUIRE(end != std::string::npos);
        const std::string line = text.substr(at, end - at);
        CAPTURE(line);
        CHECK((line.starts_with("# HELP instep_") || line.starts_with("# TYPE instep_") ||
               (line.starts_with("instep_") && std::isdigit(static_cast<unsigned char>(line.back())))));
        at = end + 1;
    }
    CHECK(lines > 60);
}

TEST_CASE("a server that is stopped tells its players and leaves nobody behind") {
    Playground playground;
    Loop loop(1);
    const HeadlessClients swarm(loop, swarm_at(playground, "flail", "plain", 5));
    REQUIRE(eventually([&] { return swarm.figures().playing == 5; }));
    const auto began = std::chrono::steady_clock::now();
    playground.server->stop();
    CHECK(std::chrono::steady_clock::now() - began < std::chrono::seconds(4));
    CHECK(playground.server->figures().connections == 0);
    CHECK(playground.server->figures().rooms == 0);
    CHECK(eventually([&] { return swarm.figures().lost >= 5; }));
    CHECK(swarm.figures().troubles.at(0).starts_with("1001 stopping: "));
}

TEST_CASE("a line of the log says each thing once and a room's level is its own") {
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
        const auto json = state::parse_json(line, "line");  // refuses a key that is there twice
        REQUIRE(json);
        CHECK(*json->find("severity")->string() == "info");
        if (*json->find("event")->string() != "room_opened") continue;
        has_opened = true;
        CHECK(*json->find("level")->string() == "box");
    }
    CHECK(has_opened);
}
