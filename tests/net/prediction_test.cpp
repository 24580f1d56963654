// SPDX-License-Identifier: MIT
// The own player from snapshot to snapshot. How a correction fades from the picture: draw_test.cpp.
#include <instep/net/own_player.h>
#include <instep/net/prediction.h>

#include <tests/net/peers.h>

#include <arena/state.h>
#include <instep/state/raw_pool.h>

using namespace instep;
using namespace instep::net;
using test::Peer;
using test::Room;

namespace {

// A player alone in the arena and what its client decoded, to predict from.
struct Arena {
    Room room{test::level("arena", "belt"), ReplicationMode::snapshots, LinkKind::ordered};
    Peer& peer = room.add();
    Prediction prediction{*room.setup, {}};
    present::EventFeed events{*room.setup->world->event, 6};
    codec::Bytes keys = codec::Bytes(room.setup->world->input->size);

    Arena() { room.run(2); }
    const SnapshotDecoder& decoder() const { return *peer.client.decoder(); }
    Prediction::NewBase set_base(const OwnPlayerPart& part = {}) {
        SnapshotParts parts{.welcome = {}, .part = part, .own = codec::Reader({}), .world_delta = {}};
        return prediction.set_base(decoder(), parts, peer.slot);
    }
    std::optional<PredictedHash> tick() { return prediction.tick(keys.data(), peer.slot, events); }
};

}  // namespace

TEST_CASE("prediction: each snapshot to come is hashed once") {
    Arena arena;
    arena.set_base();
    arena.prediction.reconcile(arena.peer.slot, arena.events);
    const std::uint32_t every = arena.room.setup->facts.snapshot_every;
    for (std::uint64_t i = 1; i <= 12; ++i) {
        const auto hash = arena.tick();
        CHECK(hash.has_value() == (i % every == 0));
        if (hash) CHECK(hash->snapshot == arena.decoder().number() + i / every);
        if (hash)
            CHECK(hash->hash ==
                  hash_own(arena.room.setup->layout, arena.prediction.predictor().state(), arena.peer.slot));
    }
    arena.set_base();
    arena.prediction.predictor().skip_to(arena.decoder().tick(), arena.peer.slot, arena.events);
    for (int i = 0; i < 12; ++i) CHECK(!arena.tick());
}

TEST_CASE("prediction: a confirmed hash makes the predicted own player the base") {
    Arena arena;
    arena.set_base();
    arena.prediction.reconcile(arena.peer.slot, arena.events);
    const std::uint32_t number = arena.decoder().number() + 1;
    std::optional<PredictedHash> hash;
    while (!hash) hash = arena.tick();
    const state::Layout& layout = arena.room.setup->layout;
    const std::uint32_t predicted = hash_own(layout, arena.prediction.predictor().state(), arena.peer.slot);
    while (arena.decoder().number() < number) arena.room.run(0.01);
    REQUIRE(arena.decoder().number() == number);
    const auto base = arena.set_base({.own = OwnState::as_predicted, .hash = predicted});
    CHECK(!base.malformed);
    CHECK(!base.desync);
    CHECK(hash_own(layout, arena.prediction.base(), arena.peer.slot) == predicted);
    const auto wrong = arena.set_base({.own = OwnState::as_predicted, .hash = predicted + 1});
    REQUIRE(wrong.desync);
    CHECK(wrong.desync->number == number);
    CHECK(!wrong.desync->image.empty());
}

TEST_CASE("prediction: it catches up with at most a quarter of a second, and skips the rest") {
    Arena arena;
    arena.set_base();
    arena.prediction.reconcile(arena.peer.slot, arena.events);
    const std::uint64_t base = arena.decoder().tick();
    CHECK(arena.prediction.wants_tick(base + 4, arena.peer.slot, arena.events));
    arena.tick();
    CHECK(arena.prediction.predictor().tick() == base + 4);  // the first one is the one that is due
    arena.prediction.predictor().skip_to(base, arena.peer.slot, arena.events);
    std::uint64_t ticks = 0;
    for (; arena.prediction.wants_tick(base + 15, arena.peer.slot, arena.events); ++ticks) arena.tick();
    CHECK(ticks == 15);
    CHECK(arena.prediction.stats().skipped_ticks == 0);
    for (; arena.prediction.wants_tick(base + 40, arena.peer.slot, arena.events); ++ticks) arena.tick();
    CHECK(ticks == 16);
    CHECK(arena.prediction.stats().skipped_ticks == 24);
    CHECK(arena.prediction.predictor().tick() == base + 40);
}

TEST_CASE("prediction: after a step back its ticks are predicted and hashed again") {
    Arena arena;
    arena.set_base();
    arena.prediction.reconcile(arena.peer.slot, arena.events);
    const std::uint32_t every = arena.room.setup->facts.snapshot_every;
    const std::uint64_t base = arena.decoder().tick();
    for (int i = 0; i < 12; ++i) arena.tick();
    arena.prediction.go_back_to(base + 40, arena.peer.slot, arena.events);  // it is not that far
    CHECK(arena.prediction.predictor().tick() == base + 12);
    arena.prediction.go_back_to(base + every, arena.peer.slot, arena.events);
    CHECK(arena.prediction.predictor().tick() == base + every);
    arena.keys.back() ^= std::byte{1};
    for (std::uint64_t tick = base + every + 1; tick <= base + 12; ++tick) {
        const auto hash = arena.tick();
        CHECK(hash.has_value() == (tick % every == 0));
        if (hash)
            CHECK(hash->hash ==
                  hash_own(arena.room.setup->layout, arena.prediction.predictor().state(), arena.peer.slot));
    }
    arena.prediction.go_back_to(base, arena.peer.slot, arena.events);
    CHECK(arena.prediction.predictor().tick() == base);
}

// The server may step a tick with the inputs from before, and confirm the hash that belongs to them.
TEST_CASE("prediction: a hash that was sent twice may be confirmed wrongly, which is not a desync") {
    Arena arena;
    arena.set_base();
    arena.prediction.reconcile(arena.peer.slot, arena.events);
    const std::uint64_t base = arena.decoder().tick();
    std::optional<PredictedHash> hash;
    while (!hash) hash = arena.tick();
    arena.prediction.go_back_to(base, arena.peer.slot, arena.events);
    while (!arena.tick()) continue;
    while (arena.decoder().number() < hash->snapshot) arena.room.run(0.01);
    CHECK(!arena.set_base({.own = OwnState::as_predicted, .hash = hash->hash + 1}).desync);
    while (arena.decoder().number() < hash->snapshot + 1) arena.room.run(0.01);
    CHECK(arena.set_base({.own = OwnState::as_predicted, .hash = hash->hash + 1}).desync);
}

TEST_CASE("prediction: a correction fades to a half in a tenth of a second, a teleport is shown at once") {
    Arena arena;
    arena.set_base();
    arena.prediction.reconcile(arena.peer.slot, arena.events);
    const auto error_after = [&](double seconds) {
        return arena.prediction.fade_corrections(seconds).largest();
    };
    const auto correct_by = [&](double distance) {
        auto* block = const_cast<std::byte*>(arena.decoder().replicated());
        auto* ship = state::RawPool(arena.room.setup->layout, 0, block).element(0);
        reinterpret_cast<worlds::arena::Player*>(ship)->ship.position.x += distance;
        arena.set_base();
        arena.prediction.reconcile(arena.peer.slot, arena.events);
    };
    correct_by(2);
    CHECK(arena.prediction.stats().corrections == 1);
    CHECK(arena.prediction.stats().largest_correction == doctest::Approx(2));
    CHECK(error_after(0) == doctest::Approx(2));
    CHECK(error_after(0.1) == doctest::Approx(1));
    CHECK(error_after(5) == 0);
    correct_by(arena.room.setup->facts.teleport_distance + 1);
    CHECK(error_after(0) == 0);
}
