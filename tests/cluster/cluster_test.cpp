// SPDX-License-Identifier: MIT
// Servers of one cluster, on a real Redis. Rooms of servers that died are put into it by hand.
#include <instep/cluster/cluster.h>

#include <set>

#include <tests/cluster/cluster_member.h>
#include <tests/cluster/journaled_room.h>

namespace instep::cluster {
namespace {

using namespace cluster_test;
using test::eventually;

std::string text_of(const codec::Bytes& bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

struct Room {
    explicit Room(const std::string& name, const char* world = "bounce", const char* level = "box")
        : played(test::level(world, level), 7) {
        played.play(9);
        image = played.image();
        image.name = name;
        server::write(image, bytes);
        fingerprint = state::hash_text(played.setup->fingerprint);
    }
    Journaled played;
    RoomImage image;
    codec::Bytes bytes;
    std::string fingerprint;
};

void put_dead(Store& store, const std::string& name) {
    const Room room(name);
    store.put(name, text_of(room.bytes), room.fingerprint);
}

}  // namespace

TEST_CASE("take-over: a room whose owner died goes on at its tick, with the entries after the checkpoint") {
    Store store;
    Room room("ours");
    store.put("ours", text_of(room.bytes), room.fingerprint);
    room.played.entries.clear();
    room.played.play(300);
    for (std::size_t i = 0; i < room.played.entries.size(); ++i)
        store({"XADD", "instep:{ours}:ticks", std::to_string(i + 1) + "-0", "t",
               text_of(room.played.entries[i])});
    const Member member(store);
    std::vector<state::Json> lines;
    REQUIRE(eventually([&] { return !(lines = member.log.lines("room_taken_over")).empty(); }));
    REQUIRE(lines.size() == 1);
    std::uint64_t tick = 0;
    REQUIRE(lines[0].find("tick")->to_integer(tick));
    CHECK(tick == room.played.journaled);
    CHECK(store.number("ours", "epoch") == 2);
    CHECK(eventually([&] { return store.number("ours", "tick") > tick; }));  // it plays on, and keeps it
}

TEST_CASE("take-over: few rooms at a time, and each is taken once") {
    Store store;
    constexpr int rooms = 40;
    for (int i = 0; i < rooms; ++i) put_dead(store, "room" + std::to_string(i));
    const Member a(store);
    const Member b(store);
    REQUIRE(eventually([&] {
        CHECK(a.cluster->rooms_being_taken() <= TakeOver::most_at_once);
        return a.taken() + b.taken() == rooms;
    }));
    for (int i = 0; i < rooms; ++i) CHECK(store.number("room" + std::to_string(i), "epoch") == 2);
    CHECK(a.failed() + b.failed() == 0);
}

TEST_CASE("take-over: a server that is full takes no lease, and another one takes the rest") {
    Store store;
    for (int i = 0; i < 6; ++i) put_dead(store, "room" + std::to_string(i));
    const Member small(store, {.most_rooms = 2});
    REQUIRE(eventually([&] { return small.taken() == 2 && small.failed() >= 4; }));
    std::uint64_t epochs = 0;
    for (int i = 0; i < 6; ++i) epochs += store.number("room" + std::to_string(i), "epoch");
    CHECK(epochs == 6 + 2);
    const Member large(store);
    CHECK(eventually([&] { return large.taken() == 4; }));
}

TEST_CASE("take-over: a room of another build is left alone, unless its owner released it") {
    Store store;
    const Room room("ours");
    store.put("ours", text_of(room.bytes), "0123456789abcdef");
    const Member member(store);
    std::vector<state::Json> lines;
    REQUIRE(eventually([&] { return (lines = member.log.lines("take_over_failed")).size() >= 2; }));
    CHECK(store.number("ours", "epoch") == 1);
    CHECK(lines[0].find("next_try_ms")->number() * 2 == lines[1].find("next_try_ms")->number());
    store({"HSET", "instep:{ours}:lease", "holder", "released"});
    CHECK(eventually([&] { return member.taken() == 1; }));
}

TEST_CASE("take-over: a room that cannot be read is given back, and tried again after a pause") {
    Store store;
    store.put("ours", "not an image", Room("ours").fingerprint);
    const Member member(store);
    REQUIRE(eventually([&] { return member.failed() >= 2; }));
    // Each failure took one lease, and ended it.
    CHECK(eventually([&] { return store.field("ours", "until") == "0"; }));
    CHECK(store.number("ours", "epoch") <= 1 + member.failed() + 1);
    put_dead(store, "other");
    CHECK(eventually([&] { return member.taken() == 1; }));
}

TEST_CASE("take-over: the lease of a room is renewed while it is being restored") {
    Store store;
    Room room("ours", "creature", "garden");
    store.put("ours", text_of(room.bytes), room.fingerprint);
    room.played.entries.clear();
    room.played.play(1500);  // takes long to play again
    for (std::size_t i = 0; i < room.played.entries.size(); ++i)
        store({"XADD", "instep:{ours}:ticks", std::to_string(i + 1) + "-0", "t",
               text_of(room.played.entries[i])});
    server::ServerSettings settings = test::loopback();
    server::Metrics metrics;
    server::Loop loop(1);
    const auto redis =
        std::make_shared<RedisRooms>(loop, store.process.url(), RedisLogin{}, RedisClient::Events{});
    server::Lobby lobby(loop, settings, {}, nullptr, metrics, test::silent_log());
    {
        const auto take_over = std::make_shared<TakeOver>(redis, loop, lobby, metrics, test::silent_log());
        take_over->set_lease({.length = 60s, .address = "ws://127.0.0.1:2"});
        REQUIRE(eventually([&] { return redis->is_connected(); }));
        const server::RoomListing listing{.name = "ours",
                                          .address = "ws://127.0.0.1:1",
                                          .facts = "{}",
                                          .world = "creature",
                                          .level = "garden",
                                          .fingerprint = room.fingerprint};
        take_over->offer({std::make_shared<const server::RoomListing>(listing)});
        std::set<std::uint64_t> seen;  // when the lease would expire
        server::Time now = server::Clock::now();
        while (take_over->under_way() > 0) {
            take_over->renew(now += 1s);
            const std::uint64_t until = store.number("ours", "until");
            if (until > 0 && take_over->under_way() > 0) seen.insert(until);
        }
        CHECK(metrics.rooms_taken_over == 1);
        CHECK(seen.size() >= 2);  // as it was taken, and renewed
    }
    loop.join();
    lobby.clear();
}

TEST_CASE("cluster: a room that was released is taken within a moment, whatever its lease was") {
    Store store;
    const Member member(store);
    const auto now = std::chrono::system_clock::now().time_since_epoch() / 1ms;
    const Room room("ours");
    store.put("ours", text_of(room.bytes), room.fingerprint, static_cast<std::uint64_t>(now) + 50'000);
    REQUIRE(eventually([&] { return member.cluster->find("ours").has_value(); }));
    store({"HSET", "instep:{ours}:lease", "holder", "released", "until", "0"});
    store({"SADD", "instep:released", "ours"});
    CHECK(eventually([&] { return member.taken() == 1; }));
    CHECK(eventually([&] { return store({"SCARD", "instep:released"}).integer == 0; }));
}

TEST_CASE("cluster: rooms of others are listed, and forgotten when they end") {
    Store store;
    const auto now = std::chrono::system_clock::now().time_since_epoch() / 1ms;
    const auto later = static_cast<std::uint64_t>(now) + 600'000;
    for (const char* name : {"b", "a"}) store.put(name, "unread", "f", later);
    store.put("bad name", "unread", "f", later);
    const Member member(store);
    REQUIRE(eventually([&] { return member.cluster->rooms()->size() == 2; }));
    const auto rooms = member.cluster->rooms();
    CHECK(rooms->front()->name == "a");
    CHECK(rooms->front()->players == 1);
    CHECK(member.cluster->find("a") == "ws://127.0.0.1:1");
    CHECK(!member.cluster->find("c"));
    store({"DEL", "instep:{a}:lease"});
    CHECK(eventually([&] { return member.cluster->rooms()->size() == 1 && !member.cluster->find("a"); }));
    CHECK(rooms->size() == 2);  // a list that was handed out stays as it is
}

TEST_CASE("room watch: of many rooms a few are looked at at a time, and all are seen") {
    Store store;
    constexpr std::size_t count = 2000;
    store({"EVAL",
           "local t = redis.call('TIME')[1] * 1000 + 600000 for i = 1, ARGV[1] do "
           "redis.call('SADD', 'instep:rooms', 'r' .. i) "
           "redis.call('HSET', 'instep:{r' .. i .. '}:lease', 'epoch', 1, 'holder', 'x', 'until', t, "
           "'address', 'ws://127.0.0.1:1', 'info', '{}') end",
           "0", std::to_string(count)});
    server::Loop loop(1);
    const auto redis =
        std::make_shared<RedisRooms>(loop, store.process.url(), RedisLogin{}, RedisClient::Events{});
    const auto watch = std::make_shared<RoomWatch>(
        redis, 1500ms, RoomWatch::Events{[](const ExpiredRoom&) {}, [](const std::string&) {}});
    CHECK(eventually([&] {
        watch->run(server::Clock::now());
        CHECK(watch->looks_under_way() <= RoomWatch::most_looks);
        return watch->rooms()->size() == count;
    }));
    CHECK(watch->known() == count);
}

TEST_CASE("placement: a new room opens at the process that has less to do, and its player is sent there") {
    Store store;
    const Member busy(store);
    const Member idle(store);
    for (int i = 0; i < 40; ++i)
        REQUIRE(
            busy.post("/api/rooms", R"({"world": "flail", "name": "r)" + std::to_string(i) + "\"}").status ==
            201);
    // Both know of each other, and that.
    std::optional<server::RoomDirectory::Place> place;
    REQUIRE(eventually([&] { return (place = busy.cluster->place_room()).has_value(); }));
    CHECK(place->process_id == idle.cluster->process_id());
    REQUIRE(eventually([&] { return idle.cluster->other_processes() == 1; }));
    CHECK(!idle.cluster->place_room());
    server::Loop loop(1);
    for (const char* room : {"", "ours"}) {  // quick match, and a name that a player chose
        CAPTURE(room);
        headless::HeadlessClients player(
            loop, {.url = busy.server.url(), .setup = test::level("bounce", "box"), .room = room});
        CHECK(eventually([&] { return player.stats().playing == 1; }));
        CHECK(player.stats().moves >= 1);
        CHECK(idle.server.server->metrics().players == 1);
        CHECK(busy.server.server->metrics().players == 0);
        player.leave();
        REQUIRE(eventually([&] { return idle.server.server->metrics().players == 0; }));
    }
}

TEST_CASE("placement: a process that takes no rooms, or is of another build, gets none") {
    Store store;
    server::Loop loop(1);
    const auto redis =
        std::make_shared<RedisRooms>(loop, store.process.url(), RedisLogin{}, RedisClient::Events{});
    const auto full = std::make_shared<ProcessTable>(redis, "full");
    const auto other = std::make_shared<ProcessTable>(redis, "other");
    const auto near = std::make_shared<ProcessTable>(redis, "near");
    const auto far = std::make_shared<ProcessTable>(redis, "far");
    const auto busy = std::make_shared<ProcessTable>(redis, "busy");
    bool is_busy_open = true;
    bool is_far_open = true;
    const auto say = [&] {
        const auto now = server::Clock::now();
        full->run(now, [] { return ProcessFacts{"ws://full:1", "b", 0, false}; });
        other->run(now, [] { return ProcessFacts{"ws://other:1", "c", 0, true}; });
        near->run(now, [] { return ProcessFacts{"ws://near:1", "b", 9, true}; });
        far->run(now, [&] { return ProcessFacts{"ws://far:1", "b", 4, is_far_open}; });
        busy->run(now, [&] { return ProcessFacts{"ws://busy:1", "b", 10, is_busy_open}; });
    };
    REQUIRE(eventually([&] { return say(), busy->others() == 4; }));
    // Each placement counts, so that a burst does not go to one process.
    CHECK(busy->place_room()->address == "ws://far:1");
    CHECK(busy->place_room()->address == "ws://far:1");
    CHECK(!busy->place_room());  // 8 here, 10 there: not worth it
    is_busy_open = is_far_open = false;
    std::optional<server::RoomDirectory::Place> place;
    CHECK(eventually([&] {  // one that is full sends its rooms to any other
        say();
        place = busy->place_room();
        return place && place->address == "ws://near:1";
    }));
}

TEST_CASE("process table: what another process says is taken or refused") {
    for (const char* text : {"", "{}", "[]", R"({"address":"http://x","build":"b","load":1,"open":true})",
                             R"({"address":"ws://x","build":1,"load":1,"open":true})",
                             R"({"address":"ws://x","build":"b","load":-1,"open":true})",
                             R"({"address":"ws://x","build":"b","load":"1","open":true})",
                             R"({"address":"ws://x","build":"b","load":1})"})
        CHECK(!parse_process(text));
    const ProcessFacts facts{"ws://x:1", "b", 2.5, true};
    const auto read = parse_process(facts.text());
    REQUIRE(read);
    CHECK(read->address == facts.address);
    CHECK(read->load == facts.load);
    CHECK(read->is_open);
}

TEST_CASE("token: one that was used at a server of a cluster is refused by all of them") {
    Store store;
    const server::SigningKey key{"k", std::string(64, 'k')};
    const Member a(store, {.keys = {key}});
    const Member b(store, {.keys = {key}});
    const auto token_for = [&](const std::string& room) {
        server::Token token;
        token.player = "ann-0123456789ab";
        token.room = room;
        token.world = "bounce";
        token.level = "box";
        token.issued = server::milliseconds_since_1970() - 10'000;  // before these servers started
        token.expires = token.issued + 100'000;
        token.id = server::random_text(12);
        return sign(token, key);
    };
    const auto open = [](const Member& member, const std::string& token) {
        return member.post("/api/rooms?token=" + token, R"({"world": "bounce"})");
    };
    const std::string first = token_for("one");
    CHECK(open(a, first).status == 201);
    const auto again = open(b, first);
    CHECK(again.status == 403);
    CHECK(again.body.find("used before") != std::string::npos);
    // A room that could not be opened gives it back, here and there.
    const std::string second = token_for("one");
    CHECK(open(a, second).status != 201);
    CHECK(open(b, second).status != 403);
    // Players enter with it once, too.
    server::Loop loop(1);
    const std::string third = token_for("two");
    headless::HeadlessClients player(loop, {.url = a.server.url(),
                                            .setup = test::level("bounce", "box"),
                                            .room = "two",
                                            .token = [&](const std::string&) { return third; }});
    CHECK(eventually([&] { return player.stats().playing == 1; }));
    CHECK(open(b, third).body.find("used before") != std::string::npos);
    // Without Redis no server knows, so no client enters.
    store.process.kill_now();
    CHECK(open(b, token_for("three")).status == 503);
}

}  // namespace instep::cluster
