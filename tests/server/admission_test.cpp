// SPDX-License-Identifier: MIT
// Who gets into a room of a real server: join tokens, resume tickets, replication modes and host names.
#include <instep/server/server.h>

#include <fstream>

#include <instep/net/messages.h>
#include <tests/server/test_server.h>

using namespace instep;
using namespace instep::headless;
using namespace instep::server;
using test::ask;
using test::eventually;
using test::find_close;
using test::RawSocket;
using test::TestServer;
using test::upgrade_request;

namespace {

const SigningKey key{"2026-11", "a secret of thirty-two bytes or more"};
const char* const ann = "ann-0123456789ab";
const char* const bob = "bob-0123456789ab";

ServerSettings with_tokens() {
    ServerSettings settings = test::loopback();
    settings.keys = {key};
    return settings;
}

Token token_for(const std::string& player = ann) {
    Token token;
    token.player = player;
    token.room = "ours";
    token.world = "bounce";
    token.level = "billiards";  // has 4 seats
    token.issued = milliseconds_since_1970();
    token.expires = token.issued + 60'000;
    token.id = random_text(12);
    return token;
}

template <class Change>
std::string token_with(Change change) {
    Token token = token_for();
    change(token);
    return sign(token, key);
}

std::string hello_frame(const std::string& name = "Ann") {
    const auto setup = match::load_builtin_setup("bounce", "billiards");
    REQUIRE(setup);
    codec::Bytes hello;
    net::write(net::Hello{.fingerprint = (*setup)->fingerprint, .name = contract::PlayerName::of(name)},
               hello);
    return test::frame(0x82, {reinterpret_cast<const char*>(hello.data()), hello.size()});
}

// One connection of a player or a watcher, up to its welcome or its refusal.
struct Visit {
    Visit(const TestServer& fixture, const std::string& target, const std::string& hello = hello_frame())
        : socket(fixture.server->port()) {
        socket.send(upgrade_request(target));
        std::string bytes = socket.receive("\r\n\r\n");
        bytes.erase(0, bytes.find("\r\n\r\n") + 4);
        socket.send(hello);
        while (!find(bytes)) {
            const std::string more = socket.receive("\x82");  // or until the server closes
            if (more.empty()) break;
            bytes += more;
        }
    }
    bool is_in() const { return welcome.has_value(); }
    std::string ticket() const { return welcome ? std::string(welcome->ticket.view()) : ""; }

    RawSocket socket;
    std::optional<net::Welcome> welcome;
    std::string refusal;  // "name: message"; empty if there was none

private:
    // Whether a welcome or a close frame is complete in these bytes.
    bool find(const std::string& bytes) {
        const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(bytes[at]); };
        for (std::size_t at = 0; at + 4 <= bytes.size();) {
            std::size_t size = byte(at + 1);
            const std::size_t head = size == 126 ? 4 : 2;
            if (size == 126) size = byte(at + 2) * 256u + byte(at + 3);
            if (at + head + size > bytes.size()) return false;
            if (byte(at) == 0x88) {
                refusal = bytes.substr(at + head + 2, size - 2);
                return true;
            }
            const auto* content = reinterpret_cast<const std::byte*>(bytes.data()) + at + head;
            if (const auto parts = net::read_snapshot({content, size}); parts && parts->welcome) {
                welcome = parts->welcome;
                return true;
            }
            at += head + size;
        }
        return false;
    }
};

std::string play_with(const std::string& token) { return "/play?world=bounce&token=" + token; }
std::string resume_with(const std::string& ticket) { return "/play?ticket=" + ticket; }

}  // namespace

TEST_CASE("token: a server with keys accepts only players with a token for what they ask") {
    const TestServer fixture(with_tokens());
    const auto refusal = [&](const std::string& target) { return Visit(fixture, target).refusal; };
    CHECK(refusal("/play?world=bounce&room=ours").starts_with("token_required: "));
    CHECK(refusal(play_with("nonsense")).starts_with("token_refused: "));
    const auto refuses = [&](const std::string& target, const char* what) {
        CAPTURE(target);
        CHECK(refusal(target) == "token_refused: the token is for another " + std::string(what));
    };
    const std::string good = sign(token_for(), key);
    refuses("/play?room=theirs&token=" + good, "room");
    refuses("/play?world=flail&token=" + good, "world");
    refuses("/play?world=bounce&level=box&token=" + good, "level");
    refuses("/watch?token=" + good, "role: it lets its player play");
    refuses(play_with(token_with([](Token& token) { token.role = TokenRole::watch; })),
            "role: it lets its player watch");
    CHECK(fixture.server->metrics().rooms == 0);
    const Visit visit(fixture, "/play?token=" + good);  // it names everything
    REQUIRE(visit.is_in());
    CHECK(refusal(play_with(good)) == "token_refused: the token was used before; ask for a new one");
    CHECK(ask(fixture.server->port(), "GET", "/api/rooms/ours").body.find(R"("level":"billiards")") !=
          std::string::npos);

    const std::string watches = token_with([](Token& token) { token.role = TokenRole::watch; });
    CHECK(Visit(fixture, "/watch?token=" + watches).is_in());
    CHECK(refusal("/watch?token=" + watches).starts_with("token_refused: "));
    const std::string elsewhere = token_with([](Token& token) {
        token.role = TokenRole::watch;
        token.level = "box";
    });
    CHECK(
        refusal("/watch?token=" + elsewhere).starts_with("unknown_room: room \"ours\" plays another level"));
}

TEST_CASE("token: opening a room uses one up, and only if the room opens") {
    const TestServer fixture(with_tokens());
    const auto open = [&](const std::string& token, const std::string& body) {
        return ask(fixture.server->port(), "POST", "/api/rooms?token=" + token, body).status;
    };
    const std::string body = R"({"world": "bounce", "level": "billiards", "name": "ours"})";
    CHECK(ask(fixture.server->port(), "POST", "/api/rooms", body).status == 401);
    const std::string token = sign(token_for(), key);
    CHECK(open(token, R"({"world": "bounce", "level": "box", "name": "ours"})") == 403);
    CHECK(open(token, body) == 201);
    CHECK(open(token, body) == 403);
    const std::string second = sign(token_for(), key);
    CHECK(open(second, body) == 400);                  // there is a room of that name
    CHECK(Visit(fixture, play_with(second)).is_in());  // so the token is still good
}

TEST_CASE("token: a refusal for another reason does not use it up") {
    const TestServer fixture(with_tokens());
    std::vector<std::unique_ptr<Visit>> seated;
    for (int i = 0; i < 4; ++i) {
        const std::string player = "player-" + std::to_string(i) + "-0123456789";
        seated.push_back(std::make_unique<Visit>(fixture, play_with(sign(token_for(player), key))));
        REQUIRE(seated.back()->is_in());
    }
    const std::string token = sign(token_for(), key);
    CHECK(Visit(fixture, play_with(token)).refusal.starts_with("room_full: "));
    seated.back()->socket.send(test::frame(0x88, "\x03\xE8"));  // leaves
    REQUIRE(eventually([&] { return fixture.server->metrics().players == 3; }));
    CHECK(
        Visit(fixture, play_with(token), test::frame(0x82, "nonsense")).refusal.starts_with("wrong_hello: "));
    CHECK(Visit(fixture, play_with(token), hello_frame("")).refusal.starts_with("wrong_name: "));
    CHECK(Visit(fixture, play_with(token)).is_in());
    CHECK(Visit(fixture, play_with(token)).refusal.starts_with("token_refused: "));
}

TEST_CASE("ticket: a player whose connection was lost resumes with it, without a token") {
    const TestServer fixture(with_tokens());
    auto first = std::make_unique<Visit>(fixture, play_with(sign(token_for(), key)));
    REQUIRE(first->is_in());
    const contract::Slot slot = first->welcome->slot;
    std::string ticket = first->ticket();
    CHECK(ticket.starts_with("r1.2026-11.ours."));
    const Visit other(fixture, play_with(sign(token_for(bob), key)));
    REQUIRE(other.is_in());
    first.reset();  // closes without a word
    for (int i = 0; i < 3; ++i) {
        const Visit again(fixture, resume_with(ticket));
        REQUIRE(again.is_in());
        CHECK(again.welcome->slot == slot);
        CHECK(fixture.server->metrics().players == 2);
        ticket = again.ticket();
    }
}

TEST_CASE("ticket: it resumes while the old connection is still open, which is then closed") {
    const TestServer fixture(with_tokens());
    Visit first(fixture, play_with(sign(token_for(), key)));
    REQUIRE(first.is_in());
    const Visit second(fixture, resume_with(first.ticket()));
    REQUIRE(second.is_in());
    CHECK(second.welcome->slot == first.welcome->slot);
    CHECK(find_close(first.socket.receive()).code == 4410);
}

TEST_CASE("ticket: it is refused when the seat is gone, and when it is not this server's") {
    ServerSettings settings = with_tokens();
    settings.limits.resume_ms = 100;
    const TestServer fixture(settings);
    const Visit stays(fixture, play_with(sign(token_for(bob), key)));  // keeps the room
    auto first = std::make_unique<Visit>(fixture, play_with(sign(token_for(), key)));
    REQUIRE(first->is_in());
    const std::string ticket = first->ticket();
    first.reset();
    REQUIRE(eventually([&] { return fixture.server->metrics().players == 1; }));
    CHECK(Visit(fixture, resume_with(ticket))
              .refusal.starts_with("ticket_refused: your seat in room \"ours\" was given up"));
    // The player that comes back has another seat, which the old ticket is not for.
    const Visit again(fixture, play_with(sign(token_for(), key)));
    REQUIRE(again.is_in());
    CHECK(again.ticket() != ticket);
    CHECK(Visit(fixture, resume_with(ticket)).refusal.starts_with("ticket_refused: "));

    const auto refuses = [&](const std::string& text) {
        CAPTURE(text);
        CHECK(Visit(fixture, resume_with(text)).refusal.starts_with("ticket_refused: "));
    };
    refuses("nonsense");
    refuses(std::string(300, 'x'));
    const SeatKey guess(2 * seat_bytes, '0');
    refuses(sign(ResumeTicket{"ours", guess}, {key}));
    refuses(sign(ResumeTicket{"nowhere", guess}, {key}));
    refuses(sign(ResumeTicket{"ours", ""}, {key}));
    refuses(sign(ResumeTicket{"ours", guess}, {{key.id, "some other secret of thirty-two bytes"}}));
    std::string forged = again.ticket();
    forged.replace(forged.find("ours"), 4, "hers");
    refuses(forged);
    CHECK(fixture.server->metrics().players == 2);
}

TEST_CASE("ticket: without tokens a player with a key has one, and an anonymous player and a watcher none") {
    const TestServer fixture;
    const std::string there = "/play?world=bounce&level=billiards&room=ours";
    auto first = std::make_unique<Visit>(fixture, there + "&key=0123456789abcdef");
    REQUIRE(first->is_in());
    const std::string ticket = first->ticket();
    const contract::Slot slot = first->welcome->slot;
    CHECK(ticket.starts_with("r1.process-"));
    const Visit anonymous(fixture, there);
    REQUIRE(anonymous.is_in());
    CHECK(anonymous.ticket().empty());
    const Visit watcher(fixture, "/watch?room=ours");
    REQUIRE(watcher.is_in());
    CHECK(watcher.ticket().empty());
    first.reset();
    const Visit again(fixture, resume_with(ticket));
    REQUIRE(again.is_in());
    CHECK(again.welcome->slot == slot);
    const TestServer other;  // has another random key
    CHECK(Visit(other, resume_with(ticket)).refusal.starts_with("ticket_refused: "));
}

TEST_CASE("ticket: headless clients on a server with tokens reconnect to their players") {
    const TestServer fixture(with_tokens());
    for (const bool thin : {false, true}) {
        CAPTURE(thin);
        Loop loop(1);
        HeadlessPlan plan = test::clients_at(fixture, "bounce", "billiards", 3);
        plan.room = "ours";
        plan.thin = thin;
        int tokens = 0;
        plan.token = [&](const std::string& player) {
            ++tokens;
            return sign(token_for(player), key);
        };
        HeadlessClients clients(loop, plan);
        REQUIRE(eventually([&] { return clients.stats().playing == 3; }));
        clients.cut_connections();
        CHECK(eventually([&] { return clients.stats().disconnects == 3 && clients.stats().playing == 3; }));
        CHECK(tokens == 3);
        CHECK(fixture.server->metrics().players == 3);
        clients.leave();
        REQUIRE(eventually([&] { return fixture.server->metrics().players == 0; }));
    }
}

TEST_CASE("keys: a reload makes new ones valid and keeps seats") {
    const TestServer fixture(with_tokens());
    const SigningKey next{"2026-12", "the next secret of thirty-two bytes or more"};
    auto first = std::make_unique<Visit>(fixture, play_with(sign(token_for(), key)));
    REQUIRE(first->is_in());
    CHECK(Visit(fixture, play_with(sign(token_for(bob), next))).refusal.starts_with("token_refused: "));
    REQUIRE(fixture.server->reload({next, key}));
    CHECK(Visit(fixture, play_with(sign(token_for(bob), next))).is_in());
    const std::string ticket = first->ticket();
    first.reset();
    const Visit again(fixture, resume_with(ticket));  // signed with the old key
    REQUIRE(again.is_in());
    CHECK(again.ticket().starts_with("r1.2026-12."));
    REQUIRE(fixture.server->reload({next}));
    CHECK(Visit(fixture, resume_with(ticket)).refusal.starts_with("ticket_refused: "));
}

TEST_CASE("replication: only those whom the server allows may open a room with another mode") {
    const auto open = [](const TestServer& fixture, const std::string& query, const char* body) {
        const auto answer = ask(fixture.server->port(), "POST", "/api/rooms" + query, body);
        return std::to_string(answer.status) + " " + answer.body;
    };
    const char* const usual = R"({"world": "bounce", "level": "billiards", "replication": "snapshots"})";
    const char* const other = R"({"world": "bounce", "level": "billiards", "replication": "relay"})";
    {
        const TestServer fixture;  // the mode is "token", and the server has no secret
        CHECK(open(fixture, "", usual).starts_with("201 "));
        const std::string refused = open(fixture, "", other);
        CAPTURE(refused);
        CHECK(refused.starts_with("403 "));
        CHECK(refused.find("replication_refused") != std::string::npos);
        CHECK(refused.find("leave \\\"replication\\\" out") != std::string::npos);
        CHECK(Visit(fixture, "/play?world=bounce&level=billiards&replication=relay")
                  .refusal.starts_with("replication_refused: "));
        CHECK(Visit(fixture, "/play?world=bounce&level=billiards&replication=snapshots").is_in());
        CHECK(fixture.server->metrics().rooms == 1);
    }
    ServerSettings settings = with_tokens();
    const auto token = [](std::optional<net::ReplicationMode> mode) {
        return token_with([&](Token& given) { given.replication = mode; });
    };
    for (const ReplicationChoice choice :
         {ReplicationChoice::any, ReplicationChoice::token, ReplicationChoice::fixed}) {
        CAPTURE(static_cast<int>(choice));
        settings.replication = choice;
        const TestServer fixture(settings);
        const auto opens = [&](std::optional<net::ReplicationMode> mode) {
            return open(fixture, "?token=" + token(mode), other).starts_with("201 ");
        };
        CHECK(opens({}) == (choice == ReplicationChoice::any));
        if (choice == ReplicationChoice::any) continue;  // now the room exists
        CHECK(!opens(net::ReplicationMode::snapshots));
        CHECK(opens(net::ReplicationMode::relay) == (choice == ReplicationChoice::token));
    }
}

TEST_CASE("replication: a room that is open may be joined by all, whatever its mode") {
    ServerSettings settings = with_tokens();
    const TestServer fixture(settings);
    const std::string opener =
        token_with([](Token& token) { token.replication = net::ReplicationMode::relay; });
    REQUIRE(Visit(fixture, play_with(opener) + "&replication=relay").is_in());
    const Visit joins(fixture, play_with(sign(token_for(bob), key)));
    REQUIRE(joins.is_in());
    CHECK(joins.welcome->mode == net::ReplicationMode::relay);
}

TEST_CASE("host: a request under a name that is not the server's is refused, whatever its origin") {
    ServerSettings settings = test::loopback();
    settings.hosts = {"play.example.org", "*.games.example"};
    const TestServer fixture(settings);
    const auto get = [&](const std::string& host) {
        RawSocket socket(fixture.server->port());
        socket.send("GET /api/rooms HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n");
        return socket.receive();
    };
    const auto upgrade = [&](const std::string& host) {
        std::string request = upgrade_request("/play?world=bounce", "Origin: http://" + host + "\r\n");
        request.replace(request.find("Host: here"), 10, "Host: " + host);
        RawSocket socket(fixture.server->port());
        socket.send(request);
        return socket.receive("\r\n\r\n").substr(9, 3);
    };
    for (const char* own :
         {"localhost", "LOCALHOST:8080", "game.localhost", "127.0.0.1", "192.168.7.9:8080", "[::1]:8080",
          "[fe80::1]", "play.example.org", "play.example.org.:443", "a.games.example"}) {
        CAPTURE(own);
        CHECK(get(own).starts_with("HTTP/1.1 200"));
        CHECK(upgrade(own) == "101");
    }
    for (const char* foreign : {"rebound.example", "rebound.example:8080", "here", "localhost.example",
                                "notlocalhost", "127.0.0.1.example", "example.org", "b.a.games.example",
                                ".games.example", "[::1].example", "[::1", "1.2.3", "0x7f.1"}) {
        CAPTURE(foreign);
        CHECK(get(foreign).starts_with("HTTP/1.1 421"));
        CHECK(upgrade(foreign) == "421");
    }
    CHECK(get("rebound.example:8080").find("allow it with --host rebound.example") != std::string::npos);
    CHECK(fixture.server->metrics().rooms > 0);
    RawSocket old(fixture.server->port());  // a health check that is no browser
    old.send("GET /healthz HTTP/1.0\r\n\r\n");
    CHECK(old.receive().find("ok") != std::string::npos);
}
