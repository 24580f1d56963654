// SPDX-License-Identifier: MIT
#include <flail/original_session.h>

#include <doctest/doctest.h>

#include <flail/tests/support.h>
#include <tests/support/property.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>

using namespace instep;
using namespace instep::worlds::flail::original;
using state::Json;
using test::at;

namespace {

std::vector<Message> tell(Session& session, std::uint16_t id, const ToServer& packet) {
    const auto answer = session.receive(id, encode_to_server(packet));
    REQUIRE_MESSAGE(answer, answer.error().text());
    return *answer;
}

// A client that has answered the ping and spawned.
std::uint16_t enter(Session& session, std::u16string name = u"") {
    const auto id = session.connect();
    REQUIRE(id);
    tell(session, *id, Init{});
    tell(session, *id, Ping{});
    tell(session, *id, Spawn{std::move(name)});
    return *id;
}

std::vector<std::string> sent_to(std::uint16_t id, const std::vector<Message>& messages) {
    std::vector<std::string> sent;
    for (const Message& message : messages)
        if (message.to == id) sent.push_back(test::hex_of(message.bytes));
    return sent;
}

Update update_to(std::uint16_t id, const std::vector<Message>& messages) {
    for (const Message& message : messages)
        if (message.to == id) {
            const auto packet = decode_to_client(message.bytes);
            REQUIRE_MESSAGE(packet, packet.error().text());
            REQUIRE(std::holds_alternative<Update>(*packet));
            return std::get<Update>(*packet);
        }
    FAIL("nothing was sent");
    std::abort();
}

// Walks through the steps of the recorded session and holds what was sent against each.
struct Recorded {
    Json file = test::read_vector("packets.json");
    std::size_t next = 0;

    void check(std::string_view step, const std::vector<Message>& sent) {
        const Json& recorded = (*at(file, "session").array())[next++];
        CAPTURE(step);
        REQUIRE(at(recorded, "step").string()->starts_with(step));
        const char* const names[] = {"to_player1", "to_player2"};
        for (std::uint16_t id = 1; id <= 2; ++id) {
            std::vector<std::string> expected;
            for (const Json& hex : *at(recorded, names[id - 1]).array()) expected.push_back(*hex.string());
            CHECK(sent_to(id, sent) == expected);
        }
    }
};

std::vector<Message> both(std::vector<Message> a, const std::vector<Message>& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

}  // namespace

TEST_CASE("flail original session: the recorded session is replayed byte for byte") {
    Recorded recorded;
    Session session;
    const auto first = session.connect();
    const auto second = session.connect();
    const Json& ids = (*at(recorded.file, "session").array())[recorded.next++];
    CHECK(*first == at(ids, "player1").number());
    CHECK(*second == at(ids, "player2").number());

    const Init init{{.width = 1920, .height = 1080}};
    const std::vector<Message> greetings = tell(session, 1, init);
    recorded.check("both send init", both(greetings, tell(session, 2, init)));
    const std::vector<Message> nothing = tell(session, 1, Ping{});
    recorded.check("both send ping", both(nothing, tell(session, 2, Ping{})));
    recorded.check("player1 spawns as \"A\"", tell(session, 1, Spawn{u"A"}));
    recorded.check("tick 1", session.tick());
    const std::vector<Message> steered = tell(session, 1, Steer{.angle = math::half_pi, .flags = 1});
    recorded.check("player1 input angle pi/2 flags 1", both(steered, tell(session, 2, Spawn{u"B"})));
    recorded.check("tick 2", session.tick());
    recorded.check("tick 3", session.tick());
    session.disconnect(1);
    recorded.check("tick 4 after player1 disconnects", session.tick());
    CHECK(recorded.next == at(recorded.file, "session").array()->size());
}

TEST_CASE("flail original session: a client gets no update before it answers the ping") {
    Session session;
    const auto id = session.connect();
    tell(session, *id, Init{});
    tell(session, *id, Spawn{u"early"});
    CHECK(session.tick().empty());
    tell(session, *id, Ping{});
    CHECK(session.tick().size() == 1);
}

TEST_CASE(
    "flail original session: an update has earlier players after their step, and the own player before it") {
    Session session;
    const std::uint16_t earlier = enter(session);
    const std::uint16_t later = enter(session);
    for (const std::uint16_t id : {earlier, later})
        tell(session, id, Steer{.angle = math::half_pi, .flags = 1});
    const std::vector<Message> sent = session.tick();
    CHECK(update_to(earlier, sent).entities[0].body == Point{});
    CHECK(update_to(later, sent).entities[0].body.x > 0);
    CHECK(update_to(later, sent).entities[1].body == Point{});
    CHECK(session.player(later)->body().position.x == doctest::Approx(1 / 1.1));
}

TEST_CASE("flail original session: a lone client is sent the state of the tick before") {
    Session session;
    const std::uint16_t id = enter(session);
    test::for_each_seed(1, [&](math::Random& random) {
        for (int tick = 0; tick < 200; ++tick) {
            tell(session, id, Steer{.angle = random.uniform(-4, 4), .flags = 1});
            const worlds::flail::Player before = *session.player(id);
            const Entity sent = update_to(id, session.tick()).entities.at(0);
            const EntityKind kind = tick == 0 ? EntityKind::create : EntityKind::update;
            CHECK(sent == entity_of(before, worlds::flail::Setup{}, id, kind, u""));
        }
    });
}

TEST_CASE(
    "flail original session: each client gets a creation, updates and a removal of every other, in that "
    "order") {
    test::for_each_seed(100, [](math::Random& random) {
        Session session;
        std::vector<std::uint16_t> present;
        std::map<std::uint16_t, std::set<std::uint16_t>> known;  // by client
        std::set<std::uint16_t> alive;
        for (int tick = 0; tick < 60; ++tick) {
            if (present.size() < 8 && random.below(3) == 0) {
                present.push_back(*session.connect());
                if (random.below(4) != 0) tell(session, present.back(), Ping{});
            }
            if (!present.empty() && random.below(3) == 0) {
                const std::uint16_t id = present[random.below(static_cast<std::uint32_t>(present.size()))];
                tell(session, id, Spawn{u"name"});
                alive.insert(id);
            }
            if (!present.empty() && random.below(6) == 0) {
                const std::uint16_t id = present[random.below(static_cast<std::uint32_t>(present.size()))];
                session.disconnect(id);
                std::erase(present, id);
                alive.erase(id);
                known.erase(id);
            }
            for (const Message& message : session.tick()) {
                std::set<std::uint16_t>& knows = known[message.to];
                const auto packet = decode_to_client(message.bytes);
                REQUIRE(packet);
                for (const Entity& entity : std::get<Update>(*packet).entities) {
                    if (entity.kind == EntityKind::create) {
                        REQUIRE(knows.insert(entity.id).second);
                        REQUIRE(entity.name == u"name");
                    } else {
                        REQUIRE(knows.contains(entity.id));
                    }
                    if (entity.kind == EntityKind::remove) knows.erase(entity.id);
                }
                REQUIRE(knows == alive);
            }
        }
    });
}

TEST_CASE("flail original session: an undecodable message changes nothing, and the error names its client") {
    Session session;
    const std::uint16_t id = enter(session);
    tell(session, id, Steer{.angle = 1, .flags = 1});
    const auto refused = session.receive(id, test::bytes_of("0500"));
    REQUIRE(!refused);
    CHECK(refused.error().text() == "player 1: input: byte 1: the message ends within the angle");
    CHECK(!session.receive(id, encode_to_server(Steer{.angle = std::numeric_limits<double>::infinity()})));
    CHECK(!session.receive(id, encode_to_server(Steer{.angle = std::numeric_limits<double>::quiet_NaN()})));
    CHECK(session.player(id)->input.angle == 1 - math::half_pi);
    CHECK(session.player(id)->input.moving);
    CHECK(!session.receive(99, encode_to_server(Ping{})));
}

TEST_CASE("flail original session: a full session refuses a client, and accepts one after another left") {
    worlds::flail::Setup setup;
    setup.map.most_players = 2;
    Session session(setup);
    CHECK(session.connect());
    CHECK(session.connect());
    const auto refused = session.connect();
    REQUIRE(!refused);
    CHECK(refused.error().text() == "session: is full: it takes 2 players");
    session.disconnect(1);
    CHECK(*session.connect() == 3);
    CHECK(session.player(1) == nullptr);
}

TEST_CASE("flail original session: ids go round without 0 and without one that is taken") {
    Session session;
    const std::uint16_t stays = *session.connect();
    CHECK(stays == 1);
    std::uint16_t last = stays;
    for (int i = 0; i < 65534; ++i) {
        last = *session.connect();
        session.disconnect(last);
    }
    CHECK(last == 65535);
    CHECK(*session.connect() == 2);
}

TEST_CASE("flail original session: a window's size, a click and a second spawn move no player") {
    Session session;
    const std::uint16_t id = enter(session);
    tell(session, id, Steer{.angle = 2, .flags = 1});
    for (int tick = 0; tick < 30; ++tick) session.tick();
    const math::Vec2 position = session.player(id)->body().position;
    CHECK(tell(session, id, Resize{}).empty());
    CHECK(tell(session, id, Click{1}).empty());
    CHECK(tell(session, id, Spawn{u"again"}).size() == 1);
    CHECK(session.player(id)->body().position == position);
}
