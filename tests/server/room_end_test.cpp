// SPDX-License-Identifier: MIT
// How rooms begin and end, without a server around them.
#include <algorithm>
#include <set>
#include <stdexcept>

#include <instep/server/lobby.h>

#include <tests/server/test_server.h>

using namespace instep;
using namespace instep::server;

namespace {

// Refuses badly, or notes that it was refused.
class OneConnection final : public Connection {
public:
    explicit OneConnection(bool throws) : throws_(throws) {}
    const std::string& address() const override { return address_; }
    void send(codec::ByteView) override { ++messages; }
    std::size_t bytes_waiting() const override { return 0; }
    void refuse(Refusal) override {
        ++refusals;
        if (throws_) throw std::runtime_error("no memory");
    }
    void close() override {}
    void cut() override {}

    std::atomic<int> messages{0};
    std::atomic<int> refusals{0};

private:
    std::string address_ = "here";
    bool throws_;
};

}  // namespace

TEST_CASE("room: if ending it throws, it still ends for everyone") {
    const auto setup = match::load_builtin_setup("bounce", "box");
    REQUIRE(setup);
    const Limits limits;
    Metrics metrics;
    std::atomic<int> ended{0};
    Loop loop(1);
    const auto room = std::make_shared<Room>(loop, RoomConfig{.name = "ours", .setup = *setup}, limits,
                                             metrics, test::silent_log());
    std::vector<std::shared_ptr<OneConnection>> connections;
    for (const bool throws : {false, true, false, true, false}) {
        connections.push_back(std::make_shared<OneConnection>(throws));
        const auto id = room->inbox().reserve_seat(PlayerId::anonymous());
        REQUIRE(id);
        room->inbox().enter(id->id, connections.back(),
                            {.fingerprint = (*setup)->fingerprint, .name = contract::PlayerName::of("Ann")},
                            {});
    }
    room->open([&](const std::string&) { ++ended; });
    const auto has_message = [](const auto& connection) { return connection->messages > 0; };
    REQUIRE(
        test::eventually([&] { return std::all_of(connections.begin(), connections.end(), has_message); }));
    room->end({RefusalReason::stopping, "now"});
    CHECK(test::eventually([&] { return ended == 1; }));
    CHECK(room->has_ended());
    for (const auto& connection : connections) CHECK(connection->refusals == 1);
    CHECK(metrics.rooms == 0);
    CHECK(metrics.players == 0);
}

TEST_CASE("lobby: the seeds of rooms do not follow from one another") {
    ServerSettings settings = test::loopback();
    Metrics metrics;
    Loop loop(1);
    Lobby lobby(loop, settings, {}, nullptr, metrics, test::silent_log());
    std::vector<std::uint64_t> seeds;
    std::set<std::uint64_t> steps;
    std::set<std::uint32_t> high_halves;
    for (int i = 0; i < 16; ++i) {
        const auto room = lobby.open({.world = "bounce", .address = std::to_string(i)});
        REQUIRE(room);
        const std::uint64_t seed = (*room)->config().seed;
        if (!seeds.empty()) steps.insert(seed - seeds.back());
        seeds.push_back(seed);
        high_halves.insert(static_cast<std::uint32_t>(seed >> 32));
    }
    CHECK(steps.size() == 15);
    CHECK(high_halves.size() == 16);
    loop.join();
    lobby.clear();
}
