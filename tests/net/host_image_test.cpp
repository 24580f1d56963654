// SPDX-License-Identifier: MIT
// A room is a value: saved, and restored by another host or another process, it goes on to the same hashes
// with the same inputs, and its clients need one keyframe and nothing else.
#include <instep/net/host_image.h>

#include <instep/codec/input_codec.h>
#include <instep/match/random_input.h>

#include <tests/net/peers.h>
#include <tests/support/property.h>

#include <unistd.h>
#include <array>
#include <cstdio>

using namespace instep;
using namespace instep::net;
using contract::Slot;

namespace {

constexpr std::uint64_t seed = 11;

// Joins, leaves, reconnects, and inputs for coming ticks, some late, doubled or missing. What happens in a
// tick follows from the seed and the tick, so that a restored host can be given the same.
class Traffic {
public:
    explicit Traffic(const match::SharedSetup& setup) : setup_(setup), sequence_{} {}

    void play(Host& host) {
        const std::uint64_t tick = host.match().tick();
        auto random = math::Random::from_seed(seed * 1000 + tick);
        if (random.below(20) == 0) {
            if (const auto slot =
                    random.below(3) == 0 ? host.join_bot("bot") : host.join("guest", LinkKind::ordered))
                sequence_[*slot] = 0;
        }
        if (random.below(60) == 0) host.leave(static_cast<Slot>(random.below(setup_->facts.most_players)));
        for (std::uint32_t slot = 0; slot < setup_->facts.most_players; ++slot) {
            if (random.below(4) == 0) continue;
            send_input(host, static_cast<Slot>(slot), static_cast<std::uint32_t>(tick + random.below(12)),
                       random);
        }
        host.step();
    }

private:
    void send_input(Host& host, Slot slot, std::uint32_t tick, math::Random& random) {
        InputMessage message{.first_tick = tick, .first_sequence = ++sequence_[slot], .count = 1};
        message.inputs.resize(setup_->world->input->size);
        match::random_input(*setup_->world->input, random, message.inputs.data());
        codec::make_canonical(*setup_, message.inputs.data());
        codec::Bytes bytes;
        write(message, *setup_->world->input, bytes);
        host.receive(slot, bytes, static_cast<double>(tick) / setup_->facts.tick_rate);
    }

    match::SharedSetup setup_;
    std::array<std::uint32_t, contract::most_slots> sequence_;
};

codec::Bytes bytes_of(const HostImage& image) {
    codec::Bytes bytes;
    write(image, bytes);
    return bytes;
}

void restore(Host& host, codec::ByteView bytes) {
    const auto image = read_host_image(bytes);
    REQUIRE_MESSAGE(image.has_value(), (image ? "" : image.error().text()));
    const auto loaded = host.load(*image);
    REQUIRE_MESSAGE(loaded.has_value(), (loaded ? "" : loaded.error().text()));
    CHECK(loaded->empty());
}

constexpr std::uint64_t ticks_before = 150;
constexpr std::uint64_t ticks_after = 120;

}  // namespace

TEST_CASE("room image: a restored host of every level goes on to the same hashes with the same inputs") {
    test::for_each_level([](const match::SharedSetup& setup) {
        for (const ReplicationMode mode : {ReplicationMode::snapshots, ReplicationMode::relay}) {
            Host host(setup, seed, mode);
            Traffic traffic(setup);
            for (std::uint64_t i = 0; i < ticks_before; ++i) traffic.play(host);
            // Joins and leaves that wait for the next tick are part of the image.
            (void)host.join("late", LinkKind::ordered);
            host.leave(0);
            const codec::Bytes bytes = bytes_of(host.save());

            Host restored(setup, 0, mode);
            restore(restored, bytes);
            CHECK(bytes_of(restored.save()) == bytes);
            Traffic same = traffic;
            for (std::uint64_t i = 0; i < ticks_after; ++i) {
                traffic.play(host);
                same.play(restored);
                REQUIRE(restored.match().tick() == host.match().tick());
                REQUIRE(restored.match().hash() == host.match().hash());
            }
            CHECK(bytes_of(restored.save()) == bytes_of(host.save()));
        }
    });
}

// The second process of the test below: it gets an image on stdin and plays on without inputs.
TEST_CASE("room image: helper of another process" * doctest::skip()) {
    codec::Bytes bytes;
    for (int c = std::fgetc(stdin); c != EOF; c = std::fgetc(stdin))
        bytes.push_back(static_cast<std::byte>(c));
    const auto image = read_host_image(bytes);
    REQUIRE(image);
    const auto setup = record::find_setup(image->match.level, [](const auto& world, const auto& level) {
        return match::load_builtin_setup(world, level);
    });
    REQUIRE(setup);
    Host host(*setup, 0, image->mode);
    REQUIRE(host.load(*image));
    for (std::uint64_t i = 0; i < ticks_after; ++i) {
        host.step();
        std::printf("hash %s\n", state::hash_text(host.match().hash()).c_str());
    }
}

TEST_CASE("room image: another process goes on to the same hashes") {
    const match::SharedSetup setup = test::level("arena", "belt");
    Host host(setup, seed, ReplicationMode::snapshots);
    Traffic traffic(setup);
    for (int i = 0; i < 6; ++i) REQUIRE(host.join_bot("bot"));
    for (std::uint64_t i = 0; i < ticks_before; ++i) traffic.play(host);
    const codec::Bytes bytes = bytes_of(host.save());

    std::array<char, 4096> path{};
    REQUIRE(readlink("/proc/self/exe", path.data(), path.size() - 1) > 0);
    char file[] = "/tmp/instep-image-XXXXXX";
    const int descriptor = mkstemp(file);
    REQUIRE(descriptor >= 0);
    REQUIRE(write(descriptor, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
    close(descriptor);
    const std::string command =
        std::string("'") + path.data() + "' -ns -tc='room image: helper of another process' < " + file;
    std::FILE* other = popen(command.c_str(), "r");
    REQUIRE(other != nullptr);
    std::uint64_t same = 0;
    std::array<char, 256> line{};
    while (std::fgets(line.data(), line.size(), other)) {
        if (!std::string_view(line.data()).starts_with("hash ")) continue;
        host.step();
        CHECK(std::string(line.data()) == "hash " + state::hash_text(host.match().hash()) + "\n");
        ++same;
    }
    CHECK(pclose(other) == 0);
    std::remove(file);
    CHECK(same == ticks_after);
}

TEST_CASE("room image: clients of a restored room need one keyframe and lose nothing else") {
    test::for_each_level([](const match::SharedSetup& setup) {
        for (const LinkKind kind : {LinkKind::ordered, LinkKind::datagram}) {
            test::Room before(setup, ReplicationMode::snapshots, kind);
            const std::uint32_t count = std::min(3u, setup->facts.most_players);
            for (std::uint32_t i = 0; i < count; ++i) before.add();
            before.run(3);

            test::Room after(setup, ReplicationMode::snapshots, kind);
            restore(after.host, bytes_of(before.host.save()));
            after.peers = std::move(before.peers);
            after.time = before.time;
            std::vector<ClientStats> stats;
            for (test::Peer& peer : after.peers) {
                REQUIRE(peer.client.joined());
                stats.push_back(peer.client.stats());
                peer.up = SimulatedLink(kind, {.latency = 0.025}, 3);
                peer.down = SimulatedLink(kind, {.latency = 0.025}, 4);
                after.host.reconnect(peer.slot, kind);
                peer.client.relink();
            }
            after.run(3);
            CHECK(after.host.stats().keyframes == count);
            CHECK(after.host.stats().reports_judged == 0);
            CHECK(after.host.match().tick() > before.host.match().tick());
            for (std::size_t i = 0; i < after.peers.size(); ++i) {
                const test::Peer& peer = after.peers[i];
                const ClientStats now = peer.client.stats();
                CHECK(peer.client.slot() == peer.slot);
                CHECK(peer.client.refusal().empty());
                CHECK(now.desyncs == 0);
                CHECK(now.messages_malformed == stats[i].messages_malformed);
                CHECK(now.snapshots > stats[i].snapshots + 20);
                // The inputs that were on their way over the old link came late or not at all.
                CHECK(contract::contains(after.host.match().live_slots(), peer.slot));
                CHECK(after.host.last_played(peer.slot).value_or(0) + setup->facts.tick_rate >=
                      after.host.match().tick());
            }
        }
    });
}

namespace {

constexpr double latency = 0.025;  // s, each way

// The room stands still for 30 ms, ticks without its player for 30 ms more, and then gets its hello and its
// inputs at once. Measured until the player has three snapshots.
struct Move {
    double seconds = 0;
    std::uint64_t corrections = 0;
};
Move move_room(test::Room& room) {
    test::Peer& peer = room.peers.front();
    const std::uint64_t corrections = peer.client.stats().corrections;
    const std::uint64_t snapshots = peer.client.stats().snapshots;
    const double stops = room.time;
    const auto play_alone = [&](double until, bool ticks) {
        for (; room.time < until; room.time += 0.001) {
            if (ticks &&
                room.time * room.setup->facts.tick_rate >= static_cast<double>(room.host.match().tick() + 1))
                room.host.step();
            room.play(peer);
        }
    };
    play_alone(stops + 0.03, false);
    play_alone(stops + 0.06 - latency, true);
    peer.up = SimulatedLink(LinkKind::ordered, {.latency = latency}, 3);
    peer.down = SimulatedLink(LinkKind::ordered, {.latency = latency}, 4);
    peer.client.relink();
    play_alone(stops + 0.06, true);
    room.host.reconnect(peer.slot, LinkKind::ordered);
    while (peer.client.stats().snapshots < snapshots + 3 && room.time < stops + 5) room.run(0.001);
    return {room.time - stops, peer.client.stats().corrections - corrections};
}

}  // namespace

TEST_CASE("room image: a move costs a player whose inputs come with its hello one correction, and 0.3 s") {
    test::for_each_level([](const match::SharedSetup& setup) {
        test::Room before(setup, ReplicationMode::snapshots, LinkKind::ordered);
        before.add(latency);
        before.run(3);
        test::Room after(setup, ReplicationMode::snapshots, LinkKind::ordered);
        restore(after.host, bytes_of(before.host.save()));
        after.peers = std::move(before.peers);
        after.time = before.time;
        const Move move = move_room(after);
        CHECK(move.corrections <= 1);
        CHECK(move.seconds < 0.3);
    });
}

TEST_CASE("room image: damaged bytes are refused, and the host stays as it was") {
    const match::SharedSetup setup = test::level("bounce", "box");
    Host host(setup, seed, ReplicationMode::snapshots);
    Traffic traffic(setup);
    for (std::uint64_t i = 0; i < ticks_before; ++i) traffic.play(host);
    const codec::Bytes bytes = bytes_of(host.save());
    test::for_each_seed(300, [&](math::Random& random) {
        codec::Bytes changed = bytes;
        if (random.below(2) == 0)
            changed.resize(random.below(static_cast<std::uint32_t>(bytes.size())));
        else
            changed[random.below(static_cast<std::uint32_t>(bytes.size()))] ^=
                static_cast<std::byte>(1 + random.below(255));
        CHECK(!read_host_image(changed));
    });
}

TEST_CASE("room image: an image that no host wrote is refused with a reason") {
    const match::SharedSetup setup = test::level("bounce", "box");
    Host host(setup, seed, ReplicationMode::snapshots);
    REQUIRE(host.join("one", LinkKind::ordered));
    host.step();
    const HostImage image = host.save();
    const auto refusal_of = [&](const auto& change) {
        HostImage changed = image;
        change(changed);
        Host other(setup, 0, ReplicationMode::snapshots);
        const std::uint64_t untouched = other.match().hash();
        const auto loaded = other.load(changed);
        if (!loaded) CHECK(other.match().hash() == untouched);
        return loaded ? "" : loaded.error().text();
    };
    CHECK(refusal_of([](HostImage&) {}) == "");
    CHECK(refusal_of([](HostImage& i) { ++i.match.hash; }).starts_with("image: has a state with the hash"));
    CHECK(refusal_of([](HostImage& i) { ++i.match.tick; }).starts_with("image: has a state of tick 1"));
    CHECK(refusal_of([](HostImage& i) {
              i.match.level.world = "flail";
          }).starts_with("image: is of the world \"flail\""));
    CHECK(refusal_of([](HostImage& i) { i.mode = ReplicationMode::relay; }) ==
          "image: is of a room with replication=relay");
    CHECK(refusal_of([](HostImage& i) { i.match.state.pop_back(); }).starts_with("state image"));
    CHECK(refusal_of([](HostImage& i) { i.players[0].slot = 7; }) ==
          "image: slot 7: has no player of its own");
    CHECK(refusal_of([](HostImage& i) { i.players.push_back(i.players[0]); }) ==
          "image: slot 0: has no player of its own");
    CHECK(refusal_of([](HostImage& i) { i.players[0].last_input = 99; }) ==
          "image: player in slot 0: has inputs of ticks that are not played yet");
    CHECK(refusal_of([](HostImage& i) { i.players[0].inputs.last.pop_back(); }) ==
          "image: player in slot 0: has inputs that this level does not allow");
    CHECK(refusal_of([](HostImage& i) {
              i.joins.push_back({.name = {}, .seed = 1, .slot = 0, .unused = {}, .player = 0});
          }) == "image: slot 0: cannot be joined: it is taken");

    Host busy(setup, 0, ReplicationMode::snapshots);
    busy.step();
    CHECK(!busy.load(image));
}
