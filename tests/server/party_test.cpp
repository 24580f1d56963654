// SPDX-License-Identifier: MIT
// Seats for parties: in one room, and at a server that is alone. In a cluster: tests/cluster/party_test.cpp.
#include <map>

#include <tests/net/logged_match.h>
#include <tests/server/test_server.h>
#include <tests/support/property.h>

using namespace instep;
using namespace instep::server;
using namespace std::chrono_literals;
using test::eventually;
using test::TestServer;

namespace {

constexpr const char* ours = "our-party-0123456789";

headless::HeadlessPlan plan(const TestServer& server, std::uint32_t count, const std::string& party,
                            std::uint32_t size, std::uint64_t seed) {
    return {.url = server.url(),
            .setup = test::level("bounce", "box"),
            .party = party,
            .party_size = size,
            .count = count,
            .seed = seed};
}

// The refusal of a WebSocket, as its close frame has it.
std::string refusal_of(const TestServer& fixture, const std::string& target) {
    test::RawSocket socket(fixture.server->port());
    socket.send(test::upgrade_request(target));
    return test::find_close(socket.receive("\x88")).reason;
}

}  // namespace

TEST_CASE("party: while seats are held, its members get one and others do not") {
    const Time start = Clock::now();
    RoomInbox room("ours", 4, 0);
    const Party party{.id = ours, .size = 3, .address = "a"};
    const auto join = [&](const Party& with, std::chrono::milliseconds at) {
        return room.reserve_seat(PlayerId::anonymous(), RoomInbox::LostSeats::keep, with, start + at);
    };
    CHECK(join(party, 0ms));
    CHECK(room.held_seats(start) == 2);
    CHECK(room.held_seats("a", start) == 2);
    CHECK(room.held_seats("b", start) == 0);
    CHECK(join({}, 1ms));
    CHECK(join({}, 2ms).error().reason == RefusalReason::room_full);
    CHECK(join({.id = ours, .size = 2, .address = "a"}, 2ms).error().reason == RefusalReason::bad_request);
    CHECK(join(party, 9'999ms));
    CHECK(room.held_seats(start + 9'999ms) == 1);
    CHECK(room.held_seats(start + 10'000ms) == 0);
    CHECK(join({}, 10'000ms));  // the last seat is free again
    CHECK(join(party, 10'001ms).error().reason == RefusalReason::room_full);

    RoomInbox small("small", 2, 0);
    const auto refused = small.reserve_seat(PlayerId::anonymous(), RoomInbox::LostSeats::keep, party, start);
    REQUIRE(!refused);
    CHECK(refused.error().message.find("does not fit") != std::string::npos);
    CHECK(small.held_seats(start) == 0);
}

TEST_CASE("party: a member that is here already takes no second seat, and one too many is refused") {
    const Time start = Clock::now();
    RoomInbox room("ours", 8, 0);
    const Party party{.id = ours, .size = 2, .address = "a"};
    const PlayerId ann = PlayerId::resume_key("ann-0123456789ab");
    CHECK(room.reserve_seat(ann, RoomInbox::LostSeats::keep, party, start));
    CHECK(room.reserve_seat(ann, RoomInbox::LostSeats::keep, party, start));
    CHECK(room.held_seats(start) == 1);
    CHECK(room.reserve_seat(PlayerId::anonymous(), RoomInbox::LostSeats::keep, party, start));
    const auto third = room.reserve_seat(PlayerId::anonymous(), RoomInbox::LostSeats::keep, party, start);
    REQUIRE(!third);
    CHECK(third.error().message.find("has taken the 2 seats") != std::string::npos);
    // Later it is a player like any other.
    CHECK(room.reserve_seat(PlayerId::anonymous(), RoomInbox::LostSeats::keep, party, start + 11s));
}

TEST_CASE("party: a room never promises more seats than it has, in any order of arrivals") {
    test::for_each_seed(200, [](math::Random& random) {
        constexpr std::uint32_t seats = 8;
        RoomInbox room("ours", seats, 0);
        Time now = Clock::now();
        std::uint32_t taken = 0;
        std::map<std::string, std::pair<std::uint32_t, std::uint32_t>> parties;  // their size, and who came
        std::map<std::string, Time> until;
        for (int i = 0; i < 60; ++i) {
            now += std::chrono::milliseconds(random.below(2000));
            Party party{.address = "a"};
            if (random.below(3) > 0) {
                party.id = "party-0123456789" + std::to_string(random.below(6));
                const auto size = 2 + static_cast<std::uint32_t>(random.below(seats));
                party.size = parties.try_emplace(party.id, size, 0).first->second.first;
            }
            const bool was_known = !party.id.empty() && room.knows_party(party.id);
            const auto seat =
                room.reserve_seat(PlayerId::anonymous(), RoomInbox::LostSeats::keep, party, now);
            if (seat) ++taken;
            REQUIRE(taken + room.held_seats(now) <= seats);
            if (party.id.empty()) continue;
            auto& [size, came] = parties[party.id];
            if (seat && !was_known) until[party.id] = now + seats_held_for;
            // What was promised is kept.
            if (was_known && now < until[party.id]) REQUIRE(seat.has_value() == (came < size));
            if (seat) ++came;
        }
    });
}

TEST_CASE("party: its members meet in the fullest room that has seats for all, and otherwise in a new one") {
    const TestServer fixture;
    Loop loop(1);
    const std::uint32_t seats = test::level("bounce", "box")->facts.most_players;
    headless::HeadlessClients others(loop, plan(fixture, seats - 2, "", 0, 1));
    REQUIRE(eventually([&] { return others.stats().playing == seats - 2; }));
    headless::HeadlessClients pair(loop, plan(fixture, 1, "pair-0123456789ab", 2, 2));
    REQUIRE(eventually([&] { return pair.stats().playing == 1; }));
    CHECK(fixture.server->metrics().rooms == 1);
    CHECK(eventually([&] {  // the list is a moment old
        const auto rooms = test::ask(fixture.server->port(), "GET", "/api/rooms").body;
        return rooms.find("\"held\":1") != std::string::npos;
    }));
    // The held seat is not for them, so they open a room, and all of them are in it.
    headless::HeadlessClients three(loop, plan(fixture, 3, ours, 3, 3));
    REQUIRE(eventually([&] { return three.stats().playing == 3; }));
    CHECK(fixture.server->metrics().rooms == 2);
    CHECK(eventually([&] {  // the list is a moment old
        const auto rooms = test::ask(fixture.server->port(), "GET", "/api/rooms").body;
        return rooms.find("\"players\":3") != std::string::npos;
    }));
    headless::HeadlessClients second(loop, plan(fixture, 1, "pair-0123456789ab", 2, 4));
    REQUIRE(eventually([&] { return second.stats().playing == 1; }));
    CHECK(fixture.server->metrics().rooms == 2);
    CHECK(fixture.server->metrics().players == seats + 3);
}

TEST_CASE("party: what cannot be held is refused with a sentence") {
    ServerSettings settings = test::loopback();
    settings.limits.most_held_seats_per_address = 5;
    const TestServer fixture(settings);
    const std::string here = "/play?world=bounce&level=box&party=";
    CHECK(refusal_of(fixture, here + "short&size=2").find("the id of a party must have 16") !=
          std::string::npos);
    for (const char* size : {"", "1", "65", "2x", "-2", "99999999999"})
        CHECK(refusal_of(fixture, here + ours + "&size=" + size).find("a party needs its size") !=
              std::string::npos);
    CHECK(refusal_of(fixture, "/play?world=bounce&level=box&size=3").find("the id of a party") !=
          std::string::npos);
    CHECK(refusal_of(fixture, here + ours + "&size=64").find("does not fit into a room") !=
          std::string::npos);
    CHECK(refusal_of(fixture, "/watch?world=bounce&party=" + std::string(ours) + "&size=2")
              .find("a party plays") != std::string::npos);
    // Seats that one address holds.
    Loop loop(1);
    headless::HeadlessClients four(loop, plan(fixture, 1, ours, 4, 1));
    REQUIRE(eventually([&] { return four.stats().playing == 1; }));
    CHECK(refusal_of(fixture, here + "another-0123456789&size=4").find("the limit is 5") !=
          std::string::npos);
}
