// SPDX-License-Identifier: MIT
// Rooms that go on in another server: the room's part, the receiver's, and both over HTTP.
#include <instep/server/successor.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include <tests/net/logged_match.h>
#include <tests/server/log_file.h>
#include <tests/server/test_server.h>

using namespace instep;
using namespace instep::headless;
using namespace instep::server;
using test::ask;
using test::clients_at;
using test::eventually;
using test::HttpAnswer;
using test::LogFile;
using test::RawSocket;
using test::TestServer;

namespace {

const std::string token = "0123456789abcdef0123456789abcdef";

ServerSettings with_admin(const std::string& admin_token = "") {
    ServerSettings settings = test::loopback();
    settings.admin_port = 0;
    settings.admin_token = admin_token;
    return settings;
}

std::string admin_of(const TestServer& server) {
    return "http://127.0.0.1:" + std::to_string(server.server->admin_port());
}

HttpAnswer ask_admin(const TestServer& fixture, const std::string& method, const std::string& target,
                     const std::string& body = "", const std::string& more = "") {
    RawSocket socket(fixture.server->admin_port());
    socket.send(method + " " + target + " HTTP/1.1\r\nHost: localhost\r\n" + more +
                "Connection: close\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
    return test::parse_answer(socket.receive());
}

std::string text_in(const HttpAnswer& answer, const char* key) {
    const auto json = state::parse_json(answer.body, "answer");
    REQUIRE_MESSAGE(json.has_value(), answer.body);
    const state::Json* found = json->find(key);
    return found && found->string() ? *found->string() : "";
}

HeadlessPlan players_of(const TestServer& fixture, std::uint32_t count, const char* room = "ours") {
    HeadlessPlan plan = clients_at(fixture, "flail", "plain", count);
    plan.room = room;
    return plan;
}

std::string image_of_room(const std::string& name) {
    net::Host host(test::level("bounce", "box"), 3, net::ReplicationMode::snapshots);
    REQUIRE(host.join("guest", net::LinkKind::ordered));
    for (int i = 0; i < 100; ++i) host.step();
    RoomImage image;
    image.name = name;
    image.host = host.save();
    image.seats = {{PlayerId::resume_key("0123456789abcdef"), 0, "00112233445566778899aabbccddeeff", "guest",
                    "127.0.0.1"}};
    codec::Bytes bytes;
    write(image, bytes);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// A successor that answers as a test wants: an empty answer closes the connection, and "exit" ends it too.
class FakeSuccessor {
public:
    using Answer = std::function<std::string(const std::string& target)>;

    explicit FakeSuccessor(Answer answer) : answer_(std::move(answer)) {
        listener_ = socket(AF_INET, SOCK_STREAM, 0);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        REQUIRE(bind(listener_, reinterpret_cast<const sockaddr*>(&address), size) == 0);
        REQUIRE(listen(listener_, 16) == 0);
        getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
        url_ = "http://127.0.0.1:" + std::to_string(ntohs(address.sin_port));
        thread_ = std::thread([this] { run(); });
    }
    ~FakeSuccessor() {
        stopped_ = true;
        shutdown(listener_, SHUT_RDWR);
        thread_.join();
        close(listener_);
    }
    const std::string& url() const { return url_; }

private:
    void run() {
        while (!stopped_) {
            const int client = accept(listener_, nullptr, nullptr);
            if (client < 0) return;
            const std::string reply = answer_(read_request(client));
            if (reply == "exit") shutdown(listener_, SHUT_RDWR);
            if (reply.starts_with("{")) {
                const std::string response =
                    "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(reply.size()) + "\r\n\r\n" + reply;
                send(client, response.data(), response.size(), MSG_NOSIGNAL);
            }
            close(client);
        }
    }
    static std::string read_request(int client) {
        std::string all;
        char bytes[65536];
        for (;;) {
            const std::size_t gap = all.find("\r\n\r\n");
            if (gap != std::string::npos) {
                const std::size_t at = all.find("Content-Length: ");
                const std::size_t size = at < gap ? std::strtoul(all.c_str() + at + 16, nullptr, 10) : 0;
                if (all.size() >= gap + 4 + size) break;
            }
            const ssize_t got = recv(client, bytes, sizeof bytes, 0);
            if (got <= 0) break;
            all.append(bytes, static_cast<std::size_t>(got));
        }
        const std::size_t begin = all.find(' ') + 1;
        return all.substr(begin, all.find(' ', begin) - begin);
    }

    Answer answer_;
    int listener_ = -1;
    std::string url_;
    std::atomic<bool> stopped_{false};
    std::thread thread_;
};

constexpr const char* welcome_answer = R"({"address": "ws://127.0.0.1:9"})";

double tick_of(const TestServer& fixture, const char* room) {
    const HttpAnswer answer = ask(fixture.server->port(), "GET", "/api/rooms/" + std::string(room));
    const auto json = state::parse_json(answer.body, "answer");
    return json && json->find("tick") ? json->find("tick")->number() : -1;
}

// The room goes on there: it ticks.
bool goes_on(const TestServer& fixture, const char* room) {
    const double before = tick_of(fixture, room);
    return before >= 0 && eventually([&] { return tick_of(fixture, room) > before + 5; });
}

codec::Bytes file_bytes(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
    return {bytes, bytes + text.size()};
}

}  // namespace

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
    silent.send(test::upgrade_request("/play?world=flail&level=plain&room=ours"));
    REQUIRE(silent.receive("\r\n\r\n").starts_with("HTTP/1.1 101"));
    codec::Bytes hello;
    write(net::Hello{.fingerprint = test::level("flail", "plain")->fingerprint,
                     .name = contract::PlayerName::of("Ann")},
          hello);
    silent.send(test::frame(0x82, {reinterpret_cast<const char*>(hello.data()), hello.size()}));
    REQUIRE(eventually([&] { return fixture.server->metrics().players == 1; }));
    fixture.server->drain_and_wait(admin_of(successor));
    CHECK(fixture.server->drain_status().rooms == 0);
    CHECK(successor.server->metrics().rooms == 1);

    RawSocket late(fixture.server->port());
    late.send(test::upgrade_request("/play?world=flail&level=plain&room=ours"));
    const std::string received = late.receive();
    const std::size_t gap = received.find("\r\n\r\n");
    REQUIRE(gap != std::string::npos);
    REQUIRE(received.size() > gap + 6);
    const std::string frame = received.substr(gap + 4);
    const auto* bytes = reinterpret_cast<const std::byte*>(frame.data());
    const auto moved = net::read_moved({bytes + 2, static_cast<std::size_t>(bytes[1])});
    REQUIRE(moved);
    CHECK(moved->room.view() == "ours");
    CHECK(moved->address.view() == "ws://127.0.0.1:" + std::to_string(successor.server->port()));
}

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
    CHECK(text_in(ask_admin(fixture, "POST", "/admin/hand-over/room", image_of_room("theirs")), "message") ==
          "there is a room \"theirs\" already");
    CHECK(ask(fixture.server->port(), "POST", "/api/rooms", R"({"world": "bounce", "name": "theirs"})")
              .status == 400);
    CHECK(ask_admin(fixture, "POST", "/admin/hand-over/start", id).status == 200);
    CHECK(goes_on(fixture, "theirs"));
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
    const ServerSettings settings = test::loopback();
    Metrics metrics;
    Lobby lobby(loop, settings, {}, nullptr, metrics, test::silent_log());
    RoomReceiver receiver(lobby, metrics, test::silent_log(), std::chrono::milliseconds(20));
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

TEST_CASE("drain: without a successor, players stay and come back, new ones are refused, empty rooms end") {
    const TestServer fixture(with_admin());
    Loop loop(1);
    HeadlessClients clients(loop, players_of(fixture, 3));
    REQUIRE(eventually([&] { return clients.stats().playing == 3; }));
    REQUIRE(ask_admin(fixture, "POST", "/admin/drain").status == 200);
    REQUIRE(eventually([&] { return fixture.server->drain_status().rooms == 1; }));
    CHECK(ask(fixture.server->port(), "POST", "/api/rooms", R"({"world": "flail"})").status == 503);
    RawSocket stranger(fixture.server->port());
    stranger.send(test::upgrade_request("/play?world=flail&level=plain&room=ours"));
    CHECK(test::find_close(stranger.receive()).code == 1001);
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
    CHECK(parse_admin_url("http://127.0.0.1:9091"));
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
