// SPDX-License-Identifier: MIT
#include <instep/net/own_player.h>
#include <instep/net/snapshot_encoder.h>
#include <instep/present/own_entities.h>

#include <tests/net/logged_match.h>

#include <instep/codec/grid.h>
#include <instep/present/blend.h>
#include <instep/state/raw_pool.h>

#include <algorithm>

using namespace instep;
using namespace instep::net;
using contract::Slot;

TEST_CASE("own player: its part of a snapshot restores its entities to the bit and changes no others") {
    const auto check = [](const match::SharedSetup& setup, std::uint32_t budget) {
        CAPTURE(budget);
        test::LoggedMatch match(setup, 11);
        SnapshotEncoder encoder(*setup, ReplicationMode::snapshots, LinkKind::ordered, budget);
        int compared = 0;
        for (int i = 0; i < 80; ++i) {
            match.step_to_snapshot();
            codec::Bytes delta;
            encoder.encode(match.snapshot(), {}, delta);
            for (std::uint32_t s = 0; s < setup->facts.most_players; ++s) {
                const auto slot = static_cast<Slot>(s);
                if (!contract::contains(match.match().live_slots(), slot)) continue;
                codec::Bytes bytes;
                codec::Writer writer(bytes);
                encode_own(writer, setup->layout, encoder.replicated(), match.match().state(), slot);
                writer.finish();
                state::Block block(setup->layout);
                std::memcpy(block.data(), encoder.replicated(), setup->layout.size);
                codec::Reader reader(bytes);
                decode_own(reader, setup->layout, block.data(), slot);
                reader.finish();
                REQUIRE(reader.ok());
                REQUIRE(is_legal(*setup, block.data()));
                REQUIRE(hash_own(setup->layout, block.data(), slot) ==
                        hash_own(setup->layout, match.match().state(), slot));
                const auto other = static_cast<Slot>((s + 1) % setup->facts.most_players);
                if (other != slot)
                    REQUIRE(hash_own(setup->layout, block.data(), other) ==
                            hash_own(setup->layout, encoder.replicated(), other));
                ++compared;
            }
        }
        CHECK(compared > 0);
    };
    test::for_each_level([&](const match::SharedSetup& setup) {
        check(setup, UINT32_MAX);
        check(setup, 20);  // most corrections wait
    });
}

TEST_CASE("own player: zero and negative zero are distinct") {
    const match::SharedSetup setup = test::level("bounce", "box");
    test::LoggedMatch match(setup, 12);
    while (!contract::contains(match.match().live_slots(), 0)) match.step();
    for (const double zero : {0.0, -0.0}) {
        state::Block replicated(setup->layout);
        state::Block actual(setup->layout);
        for (const auto& [block, value] : {std::pair{&replicated, -zero}, {&actual, zero}}) {
            state::copy(setup->layout, match.match().state(), block->data());
            state::RawPool players(setup->layout, 0, block->data());
            const auto& fields = players.element_info().fields;
            const auto x = std::ranges::find_if(fields, codec::is_quantised);
            REQUIRE(x != fields.end());
            for (std::uint32_t index = 0; index < players.size(); ++index)
                state::set_real(*x, value, players.element(index));
        }
        codec::Bytes bytes;
        codec::Writer writer(bytes);
        encode_own(writer, setup->layout, replicated.data(), actual.data(), 0);
        writer.finish();
        REQUIRE(hash_own(setup->layout, replicated.data(), 0) != hash_own(setup->layout, actual.data(), 0));
        codec::Reader reader(bytes);
        decode_own(reader, setup->layout, replicated.data(), 0);
        REQUIRE(reader.ok());
        CHECK(hash_own(setup->layout, replicated.data(), 0) == hash_own(setup->layout, actual.data(), 0));
    }
}

TEST_CASE("own player: copied entities equal those of the source state") {
    const match::SharedSetup setup = test::level("bounce", "box");
    test::LoggedMatch match(setup, 12);
    while (!contract::contains(match.match().live_slots(), 0)) match.step();
    state::Block earlier(setup->layout);
    std::memcpy(earlier.data(), match.match().state(), setup->layout.size);
    match.step();
    REQUIRE(contract::contains(match.match().live_slots(), 0));
    REQUIRE(hash_own(setup->layout, earlier.data(), 0) != hash_own(setup->layout, match.match().state(), 0));
    REQUIRE(copy_own(setup->layout, match.match().state(), earlier.data(), 0));
    CHECK(hash_own(setup->layout, earlier.data(), 0) == hash_own(setup->layout, match.match().state(), 0));
    CHECK(present::own_position(setup->layout, earlier.data(), 0).has_value());
    CHECK(!present::own_position(setup->layout, earlier.data(), 63).has_value());
}

namespace {

using Entity = std::pair<state::Handle, codec::Bytes>;

std::vector<Entity> entities_of(const match::Setup& setup, std::size_t pool, const std::byte* block,
                                Slot slot, bool own) {
    const auto elements = state::RawPool::looking_at(setup.layout, pool, block);
    const state::Field* owner = present::owner_of(elements.layout());
    std::vector<Entity> found;
    for (std::uint32_t index = 0; index < elements.size(); ++index) {
        const std::byte* element = elements.element(index);
        if ((owner && number_at(*owner, element) == slot) == own)
            found.push_back(
                {elements.handle_at(index), codec::Bytes(element, element + elements.element_info().size)});
    }
    return found;
}

}  // namespace

TEST_CASE("own player: a drawn state has its entities of the present and all others of the past") {
    bool had_more = false;
    bool had_fewer = false;
    bool had_id_conflict = false;
    test::for_each_level([&](const match::SharedSetup& setup) {
        const state::Layout& layout = setup->layout;
        test::LoggedMatch match(setup, 15);
        state::Block then(layout);
        for (int i = 0; i < 60; ++i) {
            std::memcpy(then.data(), match.match().state(), layout.size);
            for (int ticks = 0; ticks < 15; ++ticks) match.step();
            const std::byte* now = match.match().state();
            for (std::uint32_t s = 0; s < setup->facts.most_players; ++s) {
                const auto slot = static_cast<Slot>(s);
                state::Block shown(layout);
                std::memcpy(shown.data(), then.data(), layout.size);
                present::show_present(layout, now, slot, shown.data());
                for (std::size_t pool = 0; pool < layout.pools.size(); ++pool) {
                    if (layout.pools[pool].kind.shown == state::Shown::present) {
                        // As it is now: the pictures of the past are not asked.
                        REQUIRE(entities_of(*setup, pool, shown.data(), slot, false) ==
                                entities_of(*setup, pool, now, slot, false));
                        REQUIRE(entities_of(*setup, pool, shown.data(), slot, true) ==
                                entities_of(*setup, pool, now, slot, true));
                        continue;
                    }
                    if (layout.pools[pool].kind.owner.empty()) continue;
                    const auto own = entities_of(*setup, pool, shown.data(), slot, true);
                    REQUIRE(own == entities_of(*setup, pool, now, slot, true));
                    const std::size_t owned_then = entities_of(*setup, pool, then.data(), slot, true).size();
                    had_more |= own.size() > owned_then;
                    had_fewer |= own.size() < owned_then;
                    const auto others = entities_of(*setup, pool, shown.data(), slot, false);
                    const auto others_then = entities_of(*setup, pool, then.data(), slot, false);
                    REQUIRE(others.size() == std::min<std::size_t>(others_then.size(),
                                                                   layout.pools[pool].capacity - own.size()));
                    const auto elements = state::RawPool::looking_at(layout, pool, shown.data());
                    for (std::size_t at = 0; at < others.size(); ++at) {
                        REQUIRE(others[at].second == others_then[at].second);
                        REQUIRE(elements.find(others[at].first) != nullptr);
                        const bool is_moved = !(others[at].first == others_then[at].first);
                        REQUIRE(is_moved == std::ranges::any_of(own, [&](const Entity& each) {
                                    return each.first.id == others_then[at].first.id;
                                }));
                        had_id_conflict |= is_moved;
                    }
                }
            }
        }
    });
    CHECK(had_more);
    CHECK(had_fewer);
    CHECK(had_id_conflict);
}

TEST_CASE("own player: any bytes are decoded or refused, without a crash") {
    const match::SharedSetup setup = test::level("orbit", "belt");
    test::LoggedMatch match(setup, 14);
    while (!contract::contains(match.match().live_slots(), 0)) match.step();
    math::Random random = math::Random::from_seed(1);
    for (int i = 0; i < 500; ++i) {
        codec::Bytes bytes(random.below(60));
        for (std::byte& byte : bytes) byte = static_cast<std::byte>(random.next());
        state::Block block(setup->layout);
        std::memcpy(block.data(), match.match().state(), setup->layout.size);
        codec::Reader reader(bytes);
        decode_own(reader, setup->layout, block.data(), 0);
    }
}
