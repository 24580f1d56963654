// SPDX-License-Identifier: MIT
#include <instep/server/room_list.h>

#include <set>

#include <tests/server/test_server.h>

using namespace instep;
using namespace instep::server;
using test::ask;
using test::RawSocket;
using test::TestServer;

namespace {

ServerSettings many_rooms() {
    ServerSettings settings = test::loopback();
    settings.limits.most_rooms_per_address = 1000;
    return settings;
}

void open_room(const TestServer& fixture, const std::string& name) {
    REQUIRE(
        ask(fixture.server->port(), "POST", "/api/rooms", R"({"world": "bounce", "name": ")" + name + "\"}")
            .status == 201);
}

std::vector<std::string> names_in(const std::string& body) {
    const auto rooms = state::parse_json(body, "rooms");
    REQUIRE(rooms);
    std::vector<std::string> names;
    for (const auto& room : *rooms->array()) names.push_back(*room.find("name")->string());
    return names;
}

// The target in the header Link; empty if the response has no such header.
std::string next_page(const std::string& head) {
    const std::size_t begin = head.find("Link: <");
    if (begin == std::string::npos) return "";
    const std::size_t end = head.find(">; rel=\"next\"", begin);
    REQUIRE(end != std::string::npos);
    return head.substr(begin + 7, end - begin - 7);
}

}  // namespace

TEST_CASE("room list: pages hold every room once, by name") {
    const TestServer fixture(many_rooms());
    std::set<std::string> opened;
    for (int i = 0; i < 60; ++i) open_room(fixture, *opened.insert("room-" + std::to_string(i)).first);
    std::this_thread::sleep_for(RoomList::most_age);
    for (const std::string first : {"/api/rooms", "/api/rooms?limit=7"}) {
        std::vector<std::string> listed;
        std::string target = first;
        for (int page = 0; page < 20 && !target.empty(); ++page) {
            const auto answer = ask(fixture.server->port(), "GET", target);
            REQUIRE(answer.status == 200);
            const auto names = names_in(answer.body);
            CHECK(names.size() <= (first == "/api/rooms" ? RoomList::default_limit : 7));
            listed.insert(listed.end(), names.begin(), names.end());
            target = next_page(answer.head);
        }
        CHECK(listed == std::vector<std::string>(opened.begin(), opened.end()));
    }
    for (const char* wrong : {"0", "201", "-1", "1x", "", "99999999999"})
        CHECK(ask(fixture.server->port(), "GET", "/api/rooms?limit=" + std::string(wrong)).status == 400);
    CHECK(ask(fixture.server->port(), "GET", "/api/rooms?after=zzz").body == "[]\n");
}

TEST_CASE("room list: is made at most four times a second") {
    const TestServer fixture;
    open_room(fixture, "ours");
    std::this_thread::sleep_for(RoomList::most_age);
    // Ticks go on, but bodies do not differ until the list is made again.
    std::set<std::string> bodies;
    const auto began = Clock::now();
    for (int i = 0; i < 200; ++i) bodies.insert(ask(fixture.server->port(), "GET", "/api/rooms").body);
    const auto most = static_cast<std::size_t>((Clock::now() - began) / RoomList::most_age) + 2;
    CHECK(bodies.size() <= most);
}

TEST_CASE("room list: large answers count as several requests") {
    ServerSettings settings = many_rooms();
    settings.limits.requests_per_second = 4;  // 120 at once
    const TestServer fixture(settings);
    for (int i = 0; i < 50; ++i) open_room(fixture, "room-" + std::to_string(i));
    std::this_thread::sleep_for(RoomList::most_age);
    const Time began = Clock::now();
    RawSocket socket(fixture.server->port());
    std::string requests;
    for (int i = 0; i < 200; ++i) requests += "GET /api/rooms HTTP/1.1\r\nHost: here\r\n\r\n";
    REQUIRE(socket.send(requests));
    const std::string all = socket.receive();  // until the server closes it, after the first refusal
    CHECK(all.find("\"error\":\"rate_limited\"") != std::string::npos);
    // Without the limit it would be 200 times 11 kB. The last answer may go beyond it.
    const double seconds = std::chrono::duration<double>(Clock::now() - began).count();
    CHECK(static_cast<double>(all.size()) < (120 + 4 * seconds) * (4096 + 300) + 20'000);
}

TEST_CASE("levels: a path without a level is an unknown level") {
    const TestServer fixture;
    for (const char* target :
         {"/api/levels/", "/api/levels/flail", "/api/levels/flail/nowhere", "/api/levels/nowhere/plain"}) {
        CAPTURE(target);
        const auto answer = ask(fixture.server->port(), "GET", target);
        CHECK(answer.status == 404);
        CHECK(answer.body.find(R"("error":"unknown_level")") != std::string::npos);
    }
    CHECK(ask(fixture.server->port(), "GET", "/api/levels/flail/plain").status == 200);
}
