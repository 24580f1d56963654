// SPDX-License-Identifier: MIT
// Who may enter a room, how fast, and whose seat is kept: a room on its own, with connections that only count
// what they are sent.
#include <instep/server/room.h>

#include <tests/server/test_server.h>

using namespace instep;
using namespace instep::server;
using test::eventually;

namespace {

class CountingConnection final : public Connection {
public:
    explicit CountingConnection(std::string address) : address_(std::move(address)) {}

    const std::string& address() const override { return address_; }
    void send(codec::ByteView message) override { bytes_ += message.size(); }
    std::size_t bytes_waiting() const override { return 0; }
    void refuse(Refusal) override { is_refused_ = true; }
    void close() override {}
    void cut() override {}

    std::uint64_t bytes() const { return bytes_; }
    bool is_refused() const { return is_refused_; }

private:
    std::string address_;
    std::atomic<std::uint64_t> bytes_{0};
    std::atomic<bool> is_refused_{false};
};

struct Entered {
    ConnectionId id = 0;
    std::shared_ptr<CountingConnection> connection;
};

class OpenRoom {
public:
    OpenRoom(const char* world, const char* level, std::uint32_t bots = 0) {
        limits_.resume_ms = limits_.empty_room_ms = 600'000;
        RoomConfig config{.name = "ours", .setup = *match::load_builtin_setup(world, level), .bots = bots};
        room_ = std::make_shared<Room>(loop_, std::move(config), limits_, metrics_, test::silent_log());
        room_->open([](const std::string&) {});
    }
    ~OpenRoom() {
        room_->end({RefusalReason::stopping, "the test is over"});
        eventually([&] { return room_->has_ended(); });
        loop_.join();
    }

    Room& room() { return *room_; }
    std::optional<Entered> enter(const std::string& key, const std::string& address = "here") {
        const auto seat = room_->inbox().reserve_seat(PlayerId::resume_key(key));
        if (!seat) return {};
        Entered entered{seat->id, std::make_shared<CountingConnection>(address)};
        const net::Hello hello{.fingerprint = room_->setup().fingerprint,
                               .name = contract::PlayerName::of(key)};
        room_->inbox().enter(seat->id, entered.connection, hello, "");
        return entered;
    }
    void lose(const Entered& entered) { room_->inbox().leave(entered.id, false); }
    void wait_ticks(std::uint64_t ticks) {
        const std::uint64_t until = room_->tick() + ticks;
        REQUIRE(eventually([&] { return room_->tick() >= until; }));
    }

private:
    Limits limits_;
    Metrics metrics_;
    Loop loop_{1};
    std::shared_ptr<Room> room_;
};

}  // namespace

TEST_CASE("seats: players that join and leave all the time do not multiply what the others are sent") {
    OpenRoom open("flail", "plain", 16);
    std::vector<Entered> players;
    for (int i = 0; i < 4; ++i) players.push_back(open.enter("player" + std::to_string(i)).value());
    const auto bytes = [&] {
        std::uint64_t sum = 0;
        for (const Entered& player : players) sum += player.connection->bytes();
        return sum;
    };
    const auto bytes_a_tick = [&](auto each_tick) {
        const std::uint64_t first = open.room().tick();
        const std::uint64_t before = bytes();
        std::uint64_t last = first;
        while (last < first + 240) {
            REQUIRE(eventually([&] { return open.room().tick() > last; }));
            const std::uint64_t tick = open.room().tick();
            each_tick(tick - last);
            last = tick;
        }
        return static_cast<double>(bytes() - before) / static_cast<double>(last - first);
    };
    open.wait_ticks(120);
    const double calm = bytes_a_tick([](std::uint64_t) {});
    std::vector<Entered> strangers;
    std::uint64_t number = 0;
    const auto attack = [&](std::uint64_t ticks) {
        for (const Entered& stranger : strangers) open.room().inbox().leave(stranger.id, true);
        strangers.clear();
        for (std::uint64_t i = 0; i < 6 * ticks; ++i)  // 384 a second
            if (auto stranger = open.enter("stranger" + std::to_string(++number)))
                strangers.push_back(std::move(*stranger));
    };
    bytes_a_tick(attack);  // as many as there are seats are admitted at once
    const double attacked = bytes_a_tick(attack);
    MESSAGE("bytes a tick: " << calm << " calm, " << attacked << " attacked");
    CHECK(number > 1000);
    CHECK(attacked < 2 * calm);
}

TEST_CASE("seats: lost players keep theirs until another player wants to come in") {
    OpenRoom open("bounce", "billiards");  // has 4 seats
    std::vector<Entered> players;
    for (int i = 0; i < 4; ++i)
        players.push_back(open.enter("player" + std::to_string(i), "address" + std::to_string(i)).value());
    REQUIRE(eventually([&] { return open.room().players() == 4; }));
    CHECK(!open.enter("one too many"));
    open.lose(players[0]);
    open.lose(players[1]);
    open.wait_ticks(2);
    CHECK(open.room().players() == 4);
    const auto back = open.enter("player1");  // its own seat
    REQUIRE(back);
    REQUIRE(eventually([&] { return back->connection->bytes() > 0; }));
    const auto other = open.enter("other");
    REQUIRE(other);
    REQUIRE(eventually([&] { return other->connection->bytes() > 0; }));
    CHECK(!open.enter("one too many"));
    CHECK(open.room().players() == 4);
    CHECK(!back->connection->is_refused());
    CHECK(!players[2].connection->is_refused());
}

TEST_CASE("seats: eight lost players of an address keep theirs, and any number of addresses") {
    OpenRoom open("flail", "plain");
    const std::uint32_t seats = open.room().setup().facts.most_players;
    REQUIRE(seats >= 24);
    std::vector<Entered> players;
    for (std::uint32_t i = 0; i < seats; ++i)
        players.push_back(
            open.enter("key" + std::to_string(i), i < 12 ? "one address" : std::to_string(i)).value());
    REQUIRE(eventually([&] { return open.room().players() == seats; }));
    for (std::size_t i = 0; i < 12; ++i) open.lose(players[i]);
    CHECK(eventually([&] { return open.room().players() == seats - 4; }));
    for (std::uint32_t i = 12; i < seats; ++i) open.lose(players[i]);
    open.wait_ticks(5);
    CHECK(open.room().players() == seats - 4);
}
