// SPDX-License-Identifier: MIT
// foothold's bandwidth target at its full size: 50 players, 200 mobs, 200 drops on the ground.
#include <tests/net/peers.h>

#include <foothold/state.h>
#include <instep/state/raw_pool.h>

#include <algorithm>
#include <numeric>

using namespace instep;
using namespace instep::net;
using contract::Slot;
using test::Peer;
using test::Room;

namespace {

// The town with nine times its mobs (396, of which many are waiting to respawn) and a capacity of 250 drops.
match::SharedSetup crowded_town() {
    std::string text = test::level("foothold", "town")->text;
    const std::size_t begin = text.find("\"mobs\":[") + 8;
    const std::size_t end = text.find(']', begin);
    REQUIRE(end != std::string::npos);
    const std::string mobs = text.substr(begin, end - begin);
    for (int i = 0; i < 8; ++i) text.insert(end, "," + mobs);
    text.insert(text.find("\"mobs\":["), "\"map\":{\"most_drops\":250},");
    const auto setup = match::load_setup(text, "crowded town");
    REQUIRE_MESSAGE(setup, (setup ? "" : setup.error().text()));
    return *setup;
}

constexpr std::uint32_t players = 50;
constexpr double measured_seconds = 10;

std::size_t pool_named(const state::Layout& layout, std::string_view name) {
    for (std::size_t i = 0; i < layout.pools.size(); ++i)
        if (layout.pools[i].name == name) return i;
    FAIL("no pool has this name");
    return 0;
}

// The world's bot collects the drops that it sees. All players but one see no drops here, so they keep
// hunting and the drops pile up.
class Hunters {
public:
    explicit Hunters(const match::SharedSetup& setup)
        : setup_(setup), drops_(pool_named(setup->layout, "drops")), seen_(setup->layout) {}

    static bool collects(Slot slot) { return slot == 0; }

    void play(const std::byte* state, Slot slot, std::byte* input) {
        state::copy(setup_->layout, state, seen_.data());
        if (!collects(slot)) state::RawPool(setup_->layout, drops_, seen_.data()).set_handles({}, 1);
        setup_->world->bot(setup_->value.get(), setup_->layout, seen_.data(), slot, input);
    }

private:
    match::SharedSetup setup_;
    std::size_t drops_;
    state::Block seen_;
};

// The bytes that one client is sent.
struct Measured {
    const Peer& peer;
    std::vector<std::uint64_t> sizes;  // per tick that sent something

    std::uint64_t total() const { return peer.down.bytes_sent(); }
    void measure() {
        const std::uint64_t before = std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0});
        if (total() > before) sizes.push_back(total() - before);
    }
    std::uint64_t p99() const {
        std::vector<std::uint64_t> sorted(sizes.begin() + 1, sizes.end());
        std::ranges::sort(sorted);
        return sorted[sorted.size() * 99 / 100];
    }
};

// Measured clients have links. The inputs of the others are handed to the host, and it writes no messages
// for them.
class Crowd {
public:
    explicit Crowd(const match::SharedSetup& setup)
        : hunters_(setup),
          room_(setup, ReplicationMode::snapshots, LinkKind::ordered),
          input_(setup->world->input->size) {}

    void fill(std::uint32_t count) {
        for (; count > 0; --count) {
            const auto slot = room_.host.join("hunter", LinkKind::ordered);
            REQUIRE(slot);
            linkless_.push_back(*slot);
        }
    }
    void add(LinkKind link) {
        room_.kind = link;
        Peer& peer = room_.add();
        peer.keys = [this, &peer](std::byte* input) {
            hunters_.play(peer.client.predicted(), peer.slot, input);
        };
        measured.push_back({peer, {}});
    }
    template <class Check>
    void run(double seconds, Check check) {
        room_.run(seconds, [&] {
            if (room_.host.match().tick() == played_) return;
            played_ = room_.host.match().tick();
            for (const Slot slot : linkless_) send_input(slot);
            for (Measured& one : measured) one.measure();
            check();
        });
    }
    std::uint32_t count(std::string_view pool) const { return pool_of(pool).size(); }
    std::uint32_t living_mobs() const {
        const state::RawPool mobs = pool_of("mobs");
        std::uint32_t living = 0;
        for (std::uint32_t i = 0; i < mobs.size(); ++i)
            if (reinterpret_cast<const worlds::foothold::Mob*>(mobs.element(i))->alive()) ++living;
        return living;
    }

    std::vector<Measured> measured;

private:
    const state::RawPool pool_of(std::string_view name) const {
        const state::Layout& layout = room_.setup->layout;
        return state::RawPool::looking_at(layout, pool_named(layout, name), room_.host.match().state());
    }
    void send_input(Slot slot) {
        const auto next = static_cast<std::uint32_t>(played_ + 1);
        hunters_.play(room_.host.match().state(), slot, input_.data());
        InputMessage message{.first_tick = next, .first_sequence = next, .count = 1, .inputs = input_};
        codec::Bytes bytes;
        write(message, *room_.setup->world->input, bytes);
        room_.host.receive(slot, bytes, room_.time);
    }

    Hunters hunters_;
    Room room_;
    codec::Bytes input_;
    std::vector<Slot> linkless_;
    std::uint64_t played_ = 0;
};

}  // namespace

TEST_CASE("bandwidth: foothold with 50 players, 200 mobs and 200 drops costs at most 10 kB/s per client") {
    Crowd crowd(crowded_town());
    crowd.fill(players - 2);
    crowd.run(32, [] {});  // until enough drops lie on the ground
    crowd.add(LinkKind::ordered);
    crowd.add(LinkKind::datagram);
    std::uint32_t fewest_drops = 1000;
    std::uint32_t fewest_mobs = 1000;
    crowd.run(measured_seconds, [&] {
        fewest_drops = std::min(fewest_drops, crowd.count("drops"));
        fewest_mobs = std::min(fewest_mobs, crowd.living_mobs());
    });
    CHECK(crowd.count("players") == players);
    CHECK(fewest_drops >= 200);
    CHECK(fewest_mobs >= 200);
    for (const Measured& one : crowd.measured) {
        const ClientStats& stats = one.peer.client.stats();
        CHECK(stats.snapshots > 18 * measured_seconds);
        CHECK(stats.messages_malformed + stats.desyncs == 0);
        CHECK(one.total() <= 10'000 * measured_seconds);
        CHECK(one.p99() <= 400);
    }
}
