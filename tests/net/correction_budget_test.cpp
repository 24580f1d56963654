// SPDX-License-Identifier: MIT
#include <instep/net/correction_budget.h>

#include <tests/net/logged_match.h>

#include <algorithm>

#include <instep/codec/state_codec.h>
#include <instep/net/own_player.h>
#include <instep/net/simulation.h>
#include <instep/present/own_entities.h>
#include <instep/state/raw_pool.h>

using namespace instep;
using namespace instep::net;

namespace {

// A match of flail with many players, and a prediction that has all of them a little off.
struct Mispredicted {
    match::SharedSetup setup = test::level("flail", "plain");
    test::LoggedMatch match{setup, 3};
    state::Block actual{setup->layout};
    state::Block predicted{setup->layout};
    state::Block replicated{setup->layout};
    std::size_t pool = 0;  // the first whose elements have a position

    Mispredicted() {
        for (int i = 0; i < 200; ++i) match.step();
        std::memcpy(actual.data(), match.match().state(), setup->layout.size);
        codec::quantise(setup->layout, actual.data());
        while (setup->layout.pools[pool].kind.position.empty()) ++pool;
        predict_wrongly();
    }
    void predict_wrongly() {
        std::memcpy(predicted.data(), actual.data(), setup->layout.size);
        state::RawPool elements(setup->layout, pool, predicted.data());
        const present::PositionFields position(setup->layout.pools[pool]);
        for (std::uint32_t i = 0; i < elements.size(); ++i) {
            double x = position.of(elements.element(i))->x + 1;
            std::memcpy(elements.element(i) + position.x->offset, &x, sizeof x);
        }
        codec::quantise(setup->layout, predicted.data());
    }
    std::uint32_t count() { return state::RawPool(setup->layout, pool, actual.data()).size(); }
    // Which elements are corrected within the budget.
    std::vector<bool> corrected(CorrectionBudget& budget) {
        codec::quantise_against(setup->layout, predicted.data(), actual.data(), replicated.data());
        budget.apply(predicted.data(), replicated.data());
        const auto truth = state::RawPool::looking_at(setup->layout, pool, actual.data());
        const auto sent = state::RawPool::looking_at(setup->layout, pool, replicated.data());
        std::vector<bool> all;
        for (std::uint32_t i = 0; i < truth.size(); ++i)
            all.push_back(std::memcmp(truth.element(i), sent.element(i), truth.element_info().size) == 0);
        return all;
    }
};

}  // namespace

TEST_CASE("correction budget: corrections that fit are all sent") {
    Mispredicted match;
    CorrectionBudget budget(match.setup->layout, 100'000, 100);
    const std::vector<bool> corrected = match.corrected(budget);
    REQUIRE(corrected.size() > 4);
    CHECK(std::ranges::count(corrected, false) == 0);
    CHECK_FALSE(budget.was_short());
    CHECK(state::hash(match.setup->layout, match.replicated.data()) ==
          state::hash(match.setup->layout, match.actual.data()));
}

TEST_CASE("correction budget: a change of owner is sent regardless of the budget") {
    bool had_owners = false;
    test::for_each_level([&](const match::SharedSetup& setup) {
        const state::Layout& layout = setup->layout;
        test::LoggedMatch match(setup, 4);
        for (int i = 0; i < 200; ++i) match.step();
        state::Block actual(layout);
        std::memcpy(actual.data(), match.match().state(), layout.size);
        codec::quantise(layout, actual.data());
        // Predicted: each element belongs to the next one's owner.
        state::Block predicted(layout);
        std::memcpy(predicted.data(), actual.data(), layout.size);
        for (std::size_t i = 0; i < layout.pools.size(); ++i) {
            const bool is_replicated = layout.pools[i].kind.replication != state::Replication::events;
            const state::Field* owner = present::owner_of(layout.pools[i]);
            state::RawPool pool(layout, i, predicted.data());
            const auto truth = state::RawPool::looking_at(layout, i, actual.data());
            if (!owner || !is_replicated || pool.size() < 2) continue;
            for (std::uint32_t k = 0; k < pool.size(); ++k)
                std::memcpy(pool.element(k) + owner->offset,
                            truth.element((k + 1) % pool.size()) + owner->offset, owner->size);
            had_owners = true;
        }
        state::Block replicated(layout);
        codec::quantise_against(layout, predicted.data(), actual.data(), replicated.data());
        CorrectionBudget budget(layout, 1, 100);
        budget.apply(predicted.data(), replicated.data());
        for (std::uint32_t s = 0; s < setup->facts.most_players; ++s) {
            const auto slot = static_cast<contract::Slot>(s);
            CHECK(hash_own(layout, replicated.data(), slot) == hash_own(layout, actual.data(), slot));
        }
    });
    CHECK(had_owners);
}

TEST_CASE("correction budget: with any budget and focus every element is corrected in turn") {
    for (const std::uint32_t bytes : {1u, 8u, 20u})
        for (const bool focused : {false, true}) {
            Mispredicted match;
            CorrectionBudget budget(match.setup->layout, bytes, 1000);
            if (focused) budget.set_focus(math::Vec2{0, 0});
            std::vector<std::uint32_t> waited(match.count());
            std::uint32_t longest = 0;
            for (int round = 0; round < 300; ++round) {
                const std::vector<bool> corrected = match.corrected(budget);
                REQUIRE(std::ranges::count(corrected, true) >= 1);
                for (std::size_t i = 0; i < corrected.size(); ++i) {
                    waited[i] = corrected[i] ? 0 : waited[i] + 1;
                    longest = std::max(longest, waited[i]);
                }
            }
            CHECK(budget.was_short());
            CHECK(longest == budget.longest_wait());
            // At least one is corrected each time; a distant one waits up to 8 times its turn.
            CHECK(longest <= match.count() * (focused ? 8 : 1));
        }
}

TEST_CASE("correction budget: the element nearest to the focus is corrected first") {
    Mispredicted match;
    state::RawPool players(match.setup->layout, match.pool, match.actual.data());
    const present::PositionFields position(match.setup->layout.pools[match.pool]);
    for (std::uint32_t i = 0; i < players.size(); ++i) {
        CorrectionBudget budget(match.setup->layout, 1, 10);
        budget.set_focus(position.of(players.element(i)));
        CHECK(match.corrected(budget)[i]);
    }
}

TEST_CASE("correction budget: long deltas lower the number of corrections, short ones raise it again") {
    Mispredicted match;
    CorrectionBudget budget(match.setup->layout, 400, 100);
    const auto corrections = [&] { return std::ranges::count(match.corrected(budget), true); };
    const auto at_first = corrections();
    for (int i = 0; i < 8; ++i) budget.note_size(4000);
    const auto after_long_ones = corrections();
    CHECK(after_long_ones < at_first);
    for (int i = 0; i < 100; ++i) {
        corrections();
        budget.note_size(100);
    }
    CHECK(corrections() > after_long_ones);
}

TEST_CASE("correction budget: a room far beyond it is split into interest cells, without faults") {
    for (const LinkKind link : {LinkKind::ordered, LinkKind::datagram}) {
        const SimulationPlan free{.players = 16, .seconds = 12, .link = link};
        SimulationPlan tight = free;
        tight.budget = 40;
        const match::SharedSetup setup = test::level("flail", "plain");
        const SimulationReport wide = simulate(setup, free);
        const SimulationReport narrow = simulate(setup, tight);
        CHECK(narrow.faults.empty());
        CHECK(narrow.desyncs == 0);
        CHECK(narrow.deltas_over_budget > 0.2);
        CHECK(narrow.longest_wait < 60);
        CHECK(wide.deltas_over_budget == 0);
        if (link == LinkKind::ordered) CHECK(narrow.keyframes > wide.keyframes);  // on a change of cell
    }
}
