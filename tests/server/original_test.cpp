// SPDX-License-Identifier: MIT
// Clients that speak the protocol of flail's original, over real connections, beside clients of ours.
#include <instep/server/server.h>

#include <flail/flail.h>
#include <flail/original_protocol.h>
#include <instep/match/builtin_levels.h>
#include <instep/net/client.h>

#include <tests/server/test_server.h>

#include <map>

using namespace instep;
using namespace instep::server;
using test::eventually;
using test::find_close;
using test::RawSocket;
using test::TestServer;
using test::upgrade_request;
namespace original = worlds::flail::original;

namespace {

headless::Url url_of(const TestServer& fixture, const std::string& target) {
    headless::Url url = fixture.url();
    url.target = target;
    return url;
}

// What a connection has received, for the thread of the test.
class Received {
public:
    void opened(std::shared_ptr<Connection> connection) {
        const LockGuard lock(mutex_);
        connection_ = std::move(connection);
    }
    void received(codec::ByteView message) {
        const LockGuard lock(mutex_);
        messages_.emplace_back(message.begin(), message.end());
    }
    void closed(const CloseReason& reason) {
        const LockGuard lock(mutex_);
        closed_ = reason;
        connection_.reset();
    }
    std::shared_ptr<Connection> connection() const {
        const LockGuard lock(mutex_);
        return connection_;
    }
    // A connection owns its handler, and so this: kept here it would never be freed.
    std::shared_ptr<Connection> release() {
        const LockGuard lock(mutex_);
        return std::exchange(connection_, nullptr);
    }
    std::optional<CloseReason> close_reason() const {
        const LockGuard lock(mutex_);
        return closed_;
    }
    std::vector<codec::Bytes> take() {
        const LockGuard lock(mutex_);
        return std::exchange(messages_, {});
    }

private:
    mutable Mutex mutex_;
    std::shared_ptr<Connection> connection_ GUARDED_BY(mutex_);
    std::optional<CloseReason> closed_ GUARDED_BY(mutex_);
    std::vector<codec::Bytes> messages_ GUARDED_BY(mutex_);
};

class Handler final : public SessionHandler {
public:
    explicit Handler(std::shared_ptr<Received> into) : into_(std::move(into)) {}
    void opened(std::shared_ptr<Connection> connection) override { into_->opened(std::move(connection)); }
    void received(codec::ByteView message) override { into_->received(message); }
    void closed(const CloseReason& reason) override { into_->closed(reason); }

private:
    std::shared_ptr<Received> into_;
};

// A client of the original: knows the players by what updates say.
class OriginalPlayer {
public:
    OriginalPlayer(Loop& loop, const TestServer& fixture, const std::string& target) {
        headless::connect(loop, url_of(fixture, target), std::make_unique<Handler>(link_));
        REQUIRE(eventually([&] { return link_->connection() || link_->close_reason(); }));
    }
    ~OriginalPlayer() {
        if (const auto connection = link_->release()) connection->close();
    }
    OriginalPlayer(OriginalPlayer&&) = delete;

    void send(const original::ToServer& packet) { send_bytes(original::encode_to_server(packet)); }
    void send_bytes(codec::ByteView bytes) {
        if (const auto connection = link_->connection()) connection->send(bytes);
    }
    void greet() {
        send(original::Init{{.width = 1920, .height = 1080}});
        send(original::Ping{});
    }
    const std::map<std::string, original::Entity>& players() {
        for (const codec::Bytes& message : link_->take()) {
            const auto packet = original::decode_to_client(message);
            REQUIRE_MESSAGE(packet, packet.error().text());
            if (const auto* id = std::get_if<original::PlayerId>(&*packet)) own_id = id->id;
            if (const auto* map = std::get_if<original::MapSize>(&*packet)) map_size = map->width;
            const auto* update = std::get_if<original::Update>(&*packet);
            if (!update) continue;
            for (const original::Entity& entity : update->entities) {
                if (entity.kind == original::EntityKind::create)
                    names_[entity.id] = original::utf8_from_name(entity.name);
                REQUIRE(names_.contains(entity.id));
                if (entity.kind == original::EntityKind::remove)
                    players_.erase(names_.extract(entity.id).mapped());
                else
                    players_[names_[entity.id]] = entity;
            }
        }
        return players_;
    }
    bool sees(const std::string& name) { return players().contains(name); }
    std::string close_reason() {
        REQUIRE(eventually([&] { return link_->close_reason().has_value(); }));
        return link_->close_reason()->text;
    }
    Received& link() { return *link_; }

    std::uint32_t own_id = 0;
    float map_size = 0;

private:
    std::shared_ptr<Received> link_ = std::make_shared<Received>();
    std::map<std::uint16_t, std::string> names_;
    std::map<std::string, original::Entity> players_;
};

// A client of ours, with the whole netcode.
class OwnPlayer {
public:
    OwnPlayer(Loop& loop, const TestServer& fixture, const std::string& target, const char* name)
        : setup_(*match::load_builtin_setup("flail", "original")), client_(setup_, net::LinkKind::ordered) {
        headless::connect(loop, url_of(fixture, target), std::make_unique<Handler>(link_));
        REQUIRE(eventually([&] { return link_->connection() != nullptr; }));
        codec::Bytes hello;
        client_.write_hello(name, hello);
        link_->connection()->send(hello);
    }
    ~OwnPlayer() {
        if (const auto connection = link_->release()) connection->close();
    }
    OwnPlayer(OwnPlayer&&) = delete;

    void play(const worlds::flail::Input& input) {
        const double now = std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
        for (const codec::Bytes& message : link_->take()) client_.receive(message, now);
        while (client_.wants_tick(now)) client_.tick(reinterpret_cast<const std::byte*>(&input));
        codec::Bytes message;
        if (const auto connection = link_->connection(); connection && client_.write_message(now, message))
            connection->send(message);
    }
    std::optional<worlds::flail::Player> find(std::string_view name) {
        if (!client_.joined()) return {};
        const auto state = state::bind<worlds::flail::State>(setup_->layout, client_.base());
        for (const auto& player : state.players)
            if (player.name.view() == name) return player;
        return {};
    }
    const net::Client& client() const { return client_; }

private:
    match::SharedSetup setup_;
    net::Client client_;
    std::shared_ptr<Received> link_ = std::make_shared<Received>();
};

std::string refusal_at(const TestServer& fixture, const std::string& target) {
    RawSocket socket(fixture.server->port());
    socket.send(upgrade_request(target));
    std::string bytes = socket.receive("\x88");
    bytes += socket.receive({}, 500);
    return find_close(bytes).reason;
}

constexpr original::Steer right{.angle = math::half_pi, .flags = 1};  // heading 0

}  // namespace

TEST_CASE("original protocol: its client and one of ours play in one room and see each other") {
    const TestServer fixture;
    Loop loop(1);
    OriginalPlayer theirs(loop, fixture, "/original/flail?room=ours");
    theirs.greet();
    auto ours =
        std::make_unique<OwnPlayer>(loop, fixture, "/play?world=flail&level=original&room=ours", "ann");
    const worlds::flail::Input down{.angle = math::half_pi, .moving = true};
    // Before it spawns it watches.
    REQUIRE(eventually([&] { return ours->play(down), theirs.sees("ann"); }));
    CHECK(theirs.map_size == 850);
    CHECK(theirs.own_id == 0);
    CHECK(!ours->find("Bob é"));

    theirs.send(original::Spawn{u"Bob é"});
    theirs.send(right);
    const auto see_each_other = [&] {
        ours->play(down);
        const auto bob = ours->find("Bob é");
        return bob && bob->body().position.x > 200 && theirs.sees("ann") &&
               theirs.players().at("ann").body.y > 20;
    };
    REQUIRE(eventually(see_each_other));
    const worlds::flail::Player bob = *ours->find("Bob é");
    CHECK(std::abs(bob.body().position.y) < 0.001 * bob.body().position.x);  // inputs are rounded
    CHECK(bob.rope[2].position.x > 0);
    const original::Entity own = theirs.players().at("Bob é");
    CHECK(own.id == theirs.own_id);
    CHECK(std::abs(own.heading + math::half_pi) < 0.001);
    CHECK(own.body.x >=
          bob.body().position.x / 10 - 0.01);  // updates come every tick, snapshots every second
    CHECK(own.flail_size == 1000);
    CHECK(ours->client().desyncs().empty());
    CHECK(fixture.server->metrics().players == 2);

    theirs.link().connection()->close();
    REQUIRE(eventually([&] { return ours->play(down), !ours->find("Bob é"); }));

    OriginalPlayer again(loop, fixture, "/original/flail");  // quick match finds the same room
    again.greet();
    REQUIRE(eventually([&] { return ours->play(down), again.sees("ann"); }));
    ours.reset();
    CHECK(eventually([&] { return !again.sees("ann"); }));
    CHECK(fixture.server->metrics().rooms_total == 1);
}

TEST_CASE("original protocol: an input holds until the next one") {
    const TestServer fixture;
    Loop loop(1);
    OriginalPlayer client(loop, fixture, "/original/flail");
    client.greet();
    client.send(original::Spawn{u"bob"});
    client.send(right);
    // A second at full speed is 400 u: longer than our clients' inputs are repeated.
    REQUIRE(eventually([&] { return client.sees("bob") && client.players().at("bob").body.x > 60; }));
    client.send(original::Steer{.angle = math::half_pi, .flags = 3});
    float last = 0;
    CHECK(eventually([&] {
        const float x = client.players().at("bob").body.x;
        return std::exchange(last, x) == x;
    }));
}

TEST_CASE("original protocol: a client that comes back with its key plays on") {
    const TestServer fixture;
    Loop loop(1);
    const std::string target = "/original/flail?room=ours&key=0123456789abcdef";
    float x = 0;
    {
        OriginalPlayer client(loop, fixture, target);
        client.greet();
        client.send(original::Spawn{u"bob"});
        client.send(right);
        REQUIRE(eventually([&] { return client.sees("bob") && client.players().at("bob").body.x > 10; }));
        x = client.players().at("bob").body.x;
        client.link().connection()->cut();
        REQUIRE(eventually([&] { return client.link().close_reason().has_value(); }));
    }
    OriginalPlayer back(loop, fixture, target);
    back.greet();
    REQUIRE(eventually([&] { return back.own_id != 0 || (back.players(), false); }));
    REQUIRE(eventually([&] { return back.sees("bob"); }));
    CHECK(back.players().at("bob").body.x >= x);
    CHECK(fixture.server->metrics().resumes == 1);

    // The same player with a client of ours takes the seat over.
    OwnPlayer ours(loop, fixture, "/play?world=flail&level=original&room=ours&key=0123456789abcdef", "bob");
    REQUIRE(eventually([&] { return ours.play({}), ours.find("bob").has_value(); }));
    CHECK(back.close_reason().starts_with("replaced: "));
    CHECK(fixture.server->metrics().players == 1);
}

TEST_CASE("original protocol: a client that never spawns holds its seat only while it is connected") {
    ServerSettings settings = test::loopback();
    settings.limits.empty_room_ms = 300;
    const TestServer fixture(settings);
    Loop loop(1);
    {
        OriginalPlayer client(loop, fixture, "/original/flail");
        client.greet();
        REQUIRE(eventually([&] { return client.players().empty() && client.map_size > 0; }));
        std::this_thread::sleep_for(std::chrono::milliseconds(600));
        CHECK(fixture.server->metrics().rooms == 1);
        CHECK(fixture.server->metrics().players == 0);
    }
    CHECK(eventually([&] { return fixture.server->metrics().rooms == 0; }));
}

TEST_CASE("original protocol: bots make room for its clients") {
    ServerSettings settings = test::loopback();
    settings.bots = 64;
    const TestServer fixture(settings);
    Loop loop(1);
    OriginalPlayer client(loop, fixture, "/original/flail");
    client.greet();
    REQUIRE(eventually([&] { return client.players().size() == 64; }));
    client.send(original::Spawn{u"bob"});
    REQUIRE(eventually([&] { return client.sees("bob"); }));
    CHECK(client.players().at("bob").id == client.own_id);
}

TEST_CASE("original protocol: a malformed message closes the connection and names the wrong byte") {
    const TestServer fixture;
    Loop loop(1);
    OriginalPlayer other(loop, fixture, "/original/flail");
    other.greet();
    other.send(original::Spawn{u"other"});
    REQUIRE(eventually([&] { return other.sees("other"); }));
    const auto reason_for = [&](std::initializer_list<unsigned char> bytes) {
        OriginalPlayer client(loop, fixture, "/original/flail");
        codec::Bytes message;
        for (const unsigned char byte : bytes) message.push_back(std::byte{byte});
        client.send_bytes(message);
        return client.close_reason();
    };
    CHECK(reason_for({4}).starts_with("bad_request: byte 0: there is no packet 0x04"));
    CHECK(reason_for({5, 0}) == "bad_request: input: byte 1: the message ends within the angle");
    CHECK(reason_for({}).starts_with("bad_request: byte 0: the message is empty"));
    CHECK(reason_for({5, 0, 0, 0, 0, 0, 0, 0xf0, 0x7f, 1}) == "bad_request: input: the angle is no number");
    CHECK(reason_for({3, 0x0b, 0x20, 0, 0}).starts_with("wrong_name: "));  // U+200B, zero width
    CHECK(fixture.server->metrics().players == 1);
    other.players();
    CHECK(!other.link().close_reason());
}

TEST_CASE("original protocol: the rules of the door hold") {
    ServerSettings settings = test::loopback();
    settings.limits.handshake_ms = 1500;
    const TestServer fixture(settings);
    const std::uint16_t port = fixture.server->port();
    CHECK(refusal_at(fixture, "/original/bounce").starts_with("not_found: "));
    CHECK(refusal_at(fixture, "/original/flial").starts_with("not_found: "));
    CHECK(refusal_at(fixture, "/original/flail/more").starts_with("not_found: "));
    CHECK(refusal_at(fixture, "/original/flail?level=pit").starts_with("bad_request: "));
    CHECK(refusal_at(fixture, "/original/flail?world=arena").starts_with("bad_request: "));
    CHECK(refusal_at(fixture, "/original/flail?key=short").starts_with("bad_request: "));
    CHECK(refusal_at(fixture, "/original/flail").starts_with("handshake_timeout: "));
    CHECK(test::ask(port, "GET", "/original/flail").status == 400);
    REQUIRE(test::ask(port, "POST", "/api/rooms", R"({"world":"flail","level":"pit","name":"pit"})").status ==
            201);
    CHECK(refusal_at(fixture, "/original/flail?room=pit").starts_with("unknown_room: "));
    RawSocket foreign(port);
    foreign.send(upgrade_request("/original/flail", "Origin: http://elsewhere.example\r\n"));
    const std::string head = foreign.receive("\r\n\r\n");
    CHECK(find_close(head + foreign.receive()).reason.starts_with("foreign_origin: "));
    RawSocket text(port);
    text.send(upgrade_request("/original/flail"));
    REQUIRE(text.receive("\r\n\r\n").find("101") != std::string::npos);
    text.send(test::frame(0x81, "text"));
    CHECK(find_close(text.receive({}, 2000)).code == 1003);
}

TEST_CASE("original protocol: a client's first message counts as a hello of its address") {
    ServerSettings settings = test::loopback();
    settings.limits.hellos_per_second = 1;  // and 30 at once
    const TestServer fixture(settings);
    Loop loop(1);
    std::string reason;
    for (int i = 0; i < 200 && reason.empty(); ++i) {
        OriginalPlayer client(loop, fixture, "/original/flail");
        client.greet();
        REQUIRE(eventually([&] {
            client.players();
            return client.map_size > 0 || client.link().close_reason();
        }));
        if (client.map_size == 0) reason = client.close_reason();
    }
    CHECK(reason.starts_with("rate_limited: "));
}

TEST_CASE("original protocol: a client that does not read is cut, and its room goes on") {
    ServerSettings settings = test::loopback();
    settings.limits.slow_ms = 500;
    settings.bots = 60;
    const TestServer fixture(settings);
    RawSocket socket(fixture.server->port(), 4096);
    socket.send(upgrade_request("/original/flail"));
    REQUIRE(socket.receive("\r\n\r\n").find("101") != std::string::npos);
    socket.send(test::frame(0x82, std::string(1, '\0')));
    CHECK(eventually([&] { return fixture.refused(RefusalReason::slow_reader) == 1; }));
    CHECK(fixture.server->metrics().snapshots_skipped > 0);
    CHECK(fixture.server->metrics().rooms == 1);
}

TEST_CASE("original protocol: with tokens a client needs one for the level of the original, used up once") {
    ServerSettings settings = test::loopback();
    settings.keys = {random_key()};
    const TestServer fixture(settings);
    const auto target = [&](const char* level) {
        Token token;
        token.player = "0123456789abcdef";
        token.room = "ours";
        token.world = "flail";
        token.level = level;
        token.issued = milliseconds_since_1970();
        token.expires = token.issued + 60'000;
        return "/original/flail?token=" + sign(token, settings.keys.front());
    };
    CHECK(refusal_at(fixture, "/original/flail").starts_with("token_required: "));
    CHECK(refusal_at(fixture, target("pit")).starts_with("token_refused: "));
    Loop loop(1);
    const std::string good = target("original");
    OriginalPlayer client(loop, fixture, good);
    client.greet();
    client.send(original::Spawn{u"bob"});
    REQUIRE(eventually([&] { return client.sees("bob"); }));
    OriginalPlayer thief(loop, fixture, good);
    thief.greet();
    CHECK(thief.close_reason().starts_with("token_refused: "));
    CHECK(client.sees("bob"));
}
