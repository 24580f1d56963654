// SPDX-License-Identifier: MIT
// A room as bytes, and a room that begins with them.
#include <instep/server/room_image.h>

#include <instep/record/recording.h>

#include <tests/net/logged_match.h>
#include <tests/server/test_server.h>
#include <tests/support/property.h>

using namespace instep;
using namespace instep::server;

namespace {

constexpr std::uint64_t seed = 3;

RoomImage sample_image() {
    net::Host host(test::level("bounce", "box"), seed, net::ReplicationMode::snapshots);
    for (int i = 0; i < 2; ++i) REQUIRE(host.join("guest", net::LinkKind::ordered));
    REQUIRE(host.join_bot("bot"));
    for (int i = 0; i < 100; ++i) host.step();
    return {.name = "ours",
            .opened_by = "127.0.0.1",
            .bots_wanted = 3,
            .due = 1'700'000'000'000'000,
            .host = host.save(),
            .seats = {{PlayerId::resume_key("0123456789abcdef"), 0, "00112233445566778899aabbccddeeff",
                       "guest", "127.0.0.1"},
                      {PlayerId::token("ann"), 1, "", "guest", "127.0.0.1"}},
            .bots = {{.number = 4, .slot = 2}},
            .numbers = {2, {{PlayerId::resume_key("0123456789abcdef"), 2}}},
            .recording = RecordingPosition{"20260131T235959.123Z-000001-ours.instep", 17}};
}

codec::Bytes bytes_of(const RoomImage& image) {
    codec::Bytes bytes;
    write(image, bytes);
    return bytes;
}

// A recording of bots.
codec::Bytes record_bots(const match::SharedSetup& setup, std::uint32_t bots, int ticks) {
    codec::Bytes file;
    net::Host host(setup, seed, net::ReplicationMode::snapshots);
    record::Recorder recorder(setup, seed, file);
    for (std::uint32_t i = 0; i < bots; ++i) REQUIRE(host.join_bot("bot"));
    for (int i = 0; i < ticks; ++i) {
        host.step();
        recorder.add(*host.ticks().find(host.match().tick()), host.match(), file);
    }
    recorder.finish(host.match(), file);
    return file;
}

record::Replay open(codec::ByteView file) {
    auto replay = record::Replay::open(file, [](const std::string& world, const std::string& level) {
        return match::load_builtin_setup(world, level);
    });
    REQUIRE(replay);
    return std::move(*replay);
}

double number_of(const test::HttpAnswer& answer, const char* key) {
    const auto json = state::parse_json(answer.body, "answer");
    REQUIRE(json);
    const state::Json* value = json->find(key);
    REQUIRE(value);
    return value->number();
}

}  // namespace

TEST_CASE("room image: what is written is read again") {
    const RoomImage image = sample_image();
    const codec::Bytes bytes = bytes_of(image);
    const auto read = read_room_image(bytes);
    REQUIRE_MESSAGE(read.has_value(), (read ? "" : read.error().text()));
    CHECK(bytes_of(*read) == bytes);
    CHECK(read->name == image.name);
    CHECK(read->due == image.due);
    CHECK(read->host.match == image.host.match);
    CHECK(read->host.players == image.host.players);
    REQUIRE(read->seats.size() == 2);
    CHECK(read->seats[0].player == image.seats[0].player);
    CHECK(read->seats[1].player == image.seats[1].player);
    CHECK(read->seats[0].key == image.seats[0].key);
    REQUIRE(read->recording);
    CHECK(read->recording->file == image.recording->file);
}

TEST_CASE("room image: damaged, truncated and foreign bytes are refused with a reason") {
    const codec::Bytes bytes = bytes_of(sample_image());
    test::for_each_seed(200, [&](math::Random& random) {
        codec::Bytes changed = bytes;
        if (random.below(3) == 0)
            changed.resize(random.below(static_cast<std::uint32_t>(bytes.size())));
        else
            changed[random.below(static_cast<std::uint32_t>(bytes.size()))] ^=
                static_cast<std::byte>(1 + random.below(255));
        CHECK(!read_room_image(changed));
    });
    codec::Bytes host;
    write(sample_image().host, host);
    const auto read = read_room_image(host);
    REQUIRE(!read);
    CHECK(read.error().text() ==
          "image: does not begin with \"INSTEPI1\": it is something else, or of another version");
}

TEST_CASE("room image: a server opens its room and keeps the players' seats") {
    const test::TestServer fixture;
    const auto opened = fixture.server->open_room(sample_image());
    REQUIRE_MESSAGE(opened.has_value(), (opened ? "" : opened.error().text()));
    CHECK(*opened == "ours");
    CHECK(test::eventually([&] {
        return number_of(test::ask(fixture.server->port(), "GET", "/api/rooms/ours"), "tick") > 110;
    }));
    const auto answer = test::ask(fixture.server->port(), "GET", "/api/rooms/ours");
    CHECK(number_of(answer, "players") == 2);
    CHECK(number_of(answer, "bots") == 1);
    CHECK(fixture.server->metrics().players == 2);
    const auto again = fixture.server->open_room(sample_image());
    REQUIRE(!again);
    CHECK(again.error().text() == "there is a room \"ours\" already");
}

TEST_CASE("room image: one whose players and seats do not match is refused with a reason") {
    const test::TestServer fixture;
    const auto refusal_of = [&](const auto& change) {
        RoomImage image = sample_image();
        change(image);
        const auto opened = fixture.server->open_room(image);
        return opened ? "" : opened.error().text();
    };
    CHECK(refusal_of([](RoomImage& i) { i.name = "not a name"; }).starts_with("the name of a room has"));
    CHECK(refusal_of([](RoomImage& i) { i.seats.pop_back(); }) ==
          "image: slot 1: has neither a seat nor a bot");
    CHECK(refusal_of([](RoomImage& i) { i.bots.clear(); }) == "image: slot 2: has neither a seat nor a bot");
    CHECK(refusal_of([](RoomImage& i) { i.seats[1].slot = 0; }) ==
          "image: seat of slot 0: has no player of its own");
    CHECK(refusal_of([](RoomImage& i) { i.seats[1].slot = 200; }) ==
          "image: seat of slot 200: has no player of its own");
    CHECK(refusal_of([](RoomImage& i) { i.seats[1].player = i.seats[0].player; }) ==
          "image: seat of slot 1: has no player of its own");
    CHECK(refusal_of([](RoomImage& i) { i.bots[0].slot = 1; }) ==
          "image: bot in slot 1: has no player of its own");
    CHECK(refusal_of([](RoomImage& i) {
              i.host.match.level.level = "none";
          }).starts_with("world \"bounce\" has no level \"none\""));
    CHECK(fixture.server->metrics().players == 0);
    CHECK(fixture.server->metrics().rooms == 0);
}

TEST_CASE("room image: a recorded match goes on live from any tick, and people take its bots' seats") {
    const match::SharedSetup setup = test::level("arena", "belt");
    const codec::Bytes file = record_bots(setup, 4, 400);
    record::Replay replay = open(file);
    REQUIRE(replay.go_to(250));
    const std::uint64_t hash = replay.match().hash();
    const RoomImage image = room_of(replay, "replay");
    CHECK(image.host.match.hash == hash);
    CHECK(image.bots.size() == 4);

    const test::TestServer fixture;
    REQUIRE(fixture.server->open_room(image));
    server::Loop loop(1);
    headless::HeadlessPlan plan = test::clients_at(fixture, "arena", "belt", 2);
    plan.room = "replay";
    headless::HeadlessClients clients(loop, plan);
    CHECK(test::eventually([&] { return clients.stats().playing == 2; }));
    CHECK(test::eventually([&] {
        const auto answer = test::ask(fixture.server->port(), "GET", "/api/rooms/replay");
        return number_of(answer, "players") == 2 && number_of(answer, "bots") == 2;
    }));
    CHECK(number_of(test::ask(fixture.server->port(), "GET", "/api/rooms/replay"), "tick") > 250);
    CHECK(clients.stats().desyncs == 0);
}
