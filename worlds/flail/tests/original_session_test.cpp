// SPDX-License-Identifier: MIT
#include <flail/original_session.h>

#include <doctest/doctest.h>

#include <flail/tests/support.h>
#include <tests/support/property.h>

#include <limits>
#include <map>
#include <set>

using namespace instep;
using namespace instep::worlds::flail::original;
using contract::no_player;
using contract::OriginalMessages;
using contract::Slot;
using state::Json;
using test::at;
using test::FlailRoom;

namespace {

// A room of faithful rules, as a server has it, with one client's session.
struct Client {
    explicit Client(FlailRoom& in) : room(in), session(in.setup) {}

    // What the packet asks for; the answers are added to `sent`.
    contract::OriginalRequest<worlds::flail::Input> tell(const ToServer& packet) {
        const auto request = session.receive(encode_to_server(packet), sent);
        REQUIRE_MESSAGE(request, request.error().text());
        if (request->input && own != no_player) room.inputs[own] = *request->input;
        return *request;
    }
    void greet() {
        tell(Init{{.width = 1920, .height = 1080}});
        tell(Ping{});
    }
    std::vector<std::string> take() {
        std::vector<std::string> hex;
        for (const auto& message : std::exchange(sent, {})) hex.push_back(test::hex_of(message));
        return hex;
    }
    std::vector<std::string> update() {
        session.update(room.state, room.setup, own, sent);
        return take();
    }
    Update last_update() {
        const auto messages = update();
        REQUIRE(!messages.empty());
        const auto packet = decode_to_client(test::bytes_of(messages.back()));
        REQUIRE_MESSAGE(packet, packet.error().text());
        REQUIRE(std::holds_alternative<Update>(*packet));
        return std::get<Update>(*packet);
    }

    FlailRoom& room;
    Session session;
    Slot own = no_player;
    OriginalMessages sent;
};

std::vector<std::string> recorded(const Json& file, std::size_t step, const char* player) {
    std::vector<std::string> expected;
    for (const Json& hex : *at((*at(file, "session").array())[step], player).array())
        expected.push_back(*hex.string());
    return expected;
}

std::vector<std::string> joined(std::vector<std::string> a, const std::vector<std::string>& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

}  // namespace

// The original sends before it steps (section 12). So its first player gets in tick n what a room sends after
// tick n - 1, and its second player what a room sends after tick n, as long as that player does not move.
TEST_CASE("flail original session: a room sends the bytes of the recorded session") {
    const Json file = test::read_vector("packets.json");
    FlailRoom room(worlds::flail::faithful);
    Client first(room), second(room);
    const Init init{{.width = 1920, .height = 1080}};
    first.tell(init);
    second.tell(init);
    CHECK(first.take() == recorded(file, 1, "to_player1"));
    CHECK(second.take() == recorded(file, 1, "to_player2"));
    first.tell(Ping{});
    second.tell(Ping{});
    CHECK(joined(first.take(), second.take()).empty());

    CHECK(first.tell(Spawn{u"A"}).enter_as == "A");
    first.own = 0;
    room.join(0, "A");  // tick 1
    CHECK(first.update() == joined(recorded(file, 3, "to_player1"), recorded(file, 4, "to_player1")));
    CHECK(second.update() == recorded(file, 4, "to_player2"));

    first.tell(Steer{.angle = math::half_pi, .flags = 1});
    CHECK(second.tell(Spawn{u"B"}).enter_as == "B");
    second.own = 1;
    room.join(1, "B");  // tick 2
    CHECK(second.update() == joined(recorded(file, 5, "to_player2"), recorded(file, 6, "to_player2")));
    CHECK(first.last_update().entities.at(1).kind == EntityKind::create);  // in the recording before the tick

    room.step();  // tick 3
    CHECK(second.update() == recorded(file, 7, "to_player2"));

    room.leave(0);  // tick 4
    CHECK(second.update() == recorded(file, 8, "to_player2"));
}

TEST_CASE("flail original session: the first player gets the recorded update after its tick") {
    const Json file = test::read_vector("packets.json");
    FlailRoom room(worlds::flail::faithful);
    Client client(room);
    client.greet();
    client.own = 0;
    room.join(0, "A");
    client.update();
    room.join(1, "B");  // idle, and known before the first moves
    client.update();
    client.tell(Steer{.angle = math::half_pi, .flags = 1});
    room.step();
    CHECK(client.update() == recorded(file, 7, "to_player1"));
}

TEST_CASE("flail original session: a client that has not answered the ping is told its id and nothing else") {
    FlailRoom room(worlds::flail::faithful);
    Client client(room);
    client.tell(Spawn{u"early"});
    client.own = 3;
    room.join(0, "other");
    CHECK(client.update().empty());
    room.join(3, "early");
    CHECK(client.update() == std::vector<std::string>{"a102000000"});
    CHECK(client.update().empty());
    client.tell(Ping{});
    const Update update = client.last_update();
    REQUIRE(update.entities.size() == 2);
    CHECK(update.entities[1].id == 2);
    CHECK(update.entities[1].name == u"early");
}

TEST_CASE("flail original session: each client gets a creation, updates and a removal of every other") {
    test::for_each_seed(100, [](math::Random& random) {
        FlailRoom room(worlds::flail::faithful);
        Client client(room);
        client.tell(Ping{});
        std::map<std::uint16_t, std::u16string> known;  // names by id
        int number = 0;
        contract::SlotSet live = 0;
        for (int tick = 0; tick < 100; ++tick) {
            const auto slot = static_cast<Slot>(random.below(6));
            if (!contract::contains(live, slot)) {
                room.join(slot, std::to_string(++number));
                live |= contract::only(slot);
            } else if (random.below(2) == 0) {
                room.leave(slot);
                live &= ~contract::only(slot);
            } else {
                room.step();
            }
            if (random.below(4) == 0) continue;  // the link is slow, and misses this one
            for (const Entity& entity : client.last_update().entities) {
                if (entity.kind == EntityKind::create)
                    REQUIRE(known.emplace(entity.id, entity.name).second);
                else
                    REQUIRE(known.contains(entity.id));
                if (entity.kind == EntityKind::remove) known.erase(entity.id);
            }
            std::multiset<std::u16string> expected, seen;
            for (const auto& player : room.state.players)
                expected.insert(*name_from_utf8(player.name.view()));
            for (const auto& [id, name] : known) seen.insert(name);
            REQUIRE(seen == expected);  // also if one left and another took its slot in between
        }
    });
}

TEST_CASE("flail original session: an update holds every living player as the state has it") {
    FlailRoom room(worlds::flail::faithful);
    Client client(room);
    client.greet();
    for (Slot slot = 0; slot < 64; ++slot) room.join(slot, "n" + std::to_string(slot));
    client.last_update();
    test::for_each_seed(5, [&](math::Random& random) {
        for (auto& input : room.inputs)
            input = {.angle = random.uniform(-3, 3), .moving = random.below(2) == 0};
        room.step();
        const Update update = client.last_update();
        REQUIRE(update.entities.size() == 64);
        for (std::uint32_t i = 0; i < 64; ++i)
            CHECK(update.entities[i] ==
                  entity_of(room.state.players[i], room.setup, update.entities[i].id, EntityKind::update));
    });
}

TEST_CASE("flail original session: an undecodable message asks for nothing, and the error names the byte") {
    FlailRoom room(worlds::flail::faithful);
    Client client(room);
    const auto refused = client.session.receive(test::bytes_of("0500"), client.sent);
    REQUIRE(!refused);
    CHECK(refused.error().text() == "input: byte 1: the message ends within the angle");
    for (const double angle :
         {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()})
        CHECK(!client.session.receive(encode_to_server(Steer{.angle = angle}), client.sent));
    CHECK(client.sent.empty());
}

TEST_CASE("flail original session: ids go round without 0 and without one that is taken") {
    FlailRoom room(worlds::flail::faithful);
    Client client(room);
    client.tell(Ping{});
    room.join(0, "stays");
    CHECK(client.last_update().entities.at(0).id == 1);
    std::uint16_t last = 1;
    for (int i = 0; i < 65534; ++i) {
        const contract::Join join{.name = contract::PlayerName::of("guest"), .slot = 1};
        room.state.players.add({.name = join.name, .slot = join.slot});
        for (const auto& known : client.last_update().entities)
            if (known.kind == EntityKind::create) last = known.id;
        room.state.players.remove_at(1);
    }
    CHECK(last == 65535);
    client.last_update();
    room.join(1, "wraps");
    CHECK(client.last_update().entities.at(1).id == 2);
}

TEST_CASE("flail original session: a name that is empty gets one, and a second spawn is answered") {
    FlailRoom room(worlds::flail::faithful);
    Client client(room);
    CHECK(client.tell(Spawn{u""}).enter_as == "player");
    CHECK(client.take().empty());  // the id is known with the next tick
    client.own = 0;
    room.join(0, "player");
    CHECK(client.update() == std::vector<std::string>{"a101000000"});
    client.tell(Spawn{u"again"});
    CHECK(client.take() == std::vector<std::string>{"a101000000"});
    for (const ToServer& packet : {ToServer{Resize{}}, ToServer{Click{1}}}) {
        const auto request = client.tell(packet);
        CHECK((!request.input && !request.enter_as));
    }
    CHECK(client.take().empty());
}
