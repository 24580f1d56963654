// SPDX-License-Identifier: MIT
#include <instep/net/correction_budget.h>

#include <tests/net/rooms.h>

#include <algorithm>

#include <instep/codec/state_codec.h>
#include <instep/net/own_player.h>
#include <instep/net/simulation.h>
#include <instep/present/own_entities.h>
#include <instep/state/raw_pool.h>

using namespace instep;
using namespace instep::net;

namespace {

// A room of flail with many players, and what a client would foresee of it: all of them a little elsewhere.
struct Room {
    match::SharedSetup setup = test::level("flail", "plain");
    test::LoggedMatch match{setup, 3};
    state::Block actual{setup->layout};
    state::Block predicted{setup->layout};
    state::Block told{setup->layout};
    std::size_t pool = 0;  // of those who have a position

    Room() {
        for (int i = 0; i < 200; ++i) match.step();
        std::memcpy(actual.data(), match.match().state(), setup->layout.size);
        codec::quantise(setup->layout, actual.data());
        while (setup->layout.pools[pool].kind.position.empty()) ++pool;
        foresee_wrongly();
    }
    void foresee_wrongly() {
        std::memcpy(predicted.data(), actual.data(), setup->layout.size);
        state::RawPool elements(setup->layout, pool, predicted.data());
        const present::PositionFields place(setup->layout.pools[pool]);
        for (std::uint32_t i = 0; i < elements.size(); ++i) {
            double x = place.of(elements.element(i))->x + 1;
            std::memcpy(elements.element(i) + place.x->offset, &x, sizeof x);
        }
        codec::quantise(setup->layout, predicted.data());
    }
    std::uint32_t count() { return state::RawPool(setup->layout, pool, actual.data()).size(); }
    // Which of them are told as they are.
    std::vector<bool> corrected(CorrectionBudget& budget) {
        codec::quantise_against(setup->layout, predicted.data(), actual.data(), told.data());
        budget.apply(predicted.data(), told.data());
        const auto truth = state::RawPool::looking_at(setup->layout, pool, actual.data());
        const auto said = state::RawPool::looking_at(setup->layout, pool, told.data());
        std::vector<bool> all;
        for (std::uint32_t i = 0; i < truth.size(); ++i)
            all.push_back(std::memcmp(truth.element(i), said.element(i), truth.element_info().size) == 0);
        return all;
    }
};

}  // namespace

TEST_CASE("what fits is told in full") {
    Room room;
    CorrectionBudget budget(room.setup->layout, 100'000, 100);
    const std::vector<bool> told = room.corrected(budget);
    REQUIRE(told.size() > 4);
    CHECK(std::ranges::count(told, false) == 0);
    CHECK_FALSE(budget.was_short());
    CHECK(state::hash(room.setup->layout, room.told.data()) ==
          state::hash(room.setup->layout, room.actual.data()));
}

TEST_CASE("whose something is never waits") {
    bool had_some = false;
    test::for_each_level([&](const match::SharedSetup& setup) {
        const state::Layout& layout = setup->layout;
        test::LoggedMatch match(setup, 4);
        for (int i = 0; i < 200; ++i) match.step();
        state::Block actual(layout);
        std::memcpy(actual.data(), match.match().state(), layout.size);
        codec::quantise(layout, actual.data());
        // Foreseen: each one's is the next one's.
        state::Block predicted(layout);
        std::memcpy(predicted.data(), actual.data(), layout.size);
        for (std::size_t i = 0; i < layout.pools.size(); ++i) {
            const bool is_told = layout.pools[i].kind.replication != state::Replication::events;
            const state::Field* owner = present::owner_of(layout.pools[i]);
            state::RawPool pool(layout, i, predicted.data());
            const auto truth = state::RawPool::looking_at(layout, i, actual.data());
            if (!owner || !is_told || pool.size() < 2) continue;
            for (std::uint32_t place = 0; place < pool.size(); ++place)
                std::memcpy(pool.element(place) + owner->offset,
                            truth.element((place + 1) % pool.size()) + owner->offset, owner->size);
            had_some = true;
        }
        state::Block told(layout);
        codec::quantise_against(layout, predicted.data(), actual.data(), told.data());
        CorrectionBudget budget(layout, 1, 100);
        budget.apply(predicted.data(), told.data());
        for (std::uint32_t s = 0; s < setup->facts.most_players; ++s) {
            const auto slot = static_cast<contract::Slot>(s);
            CHECK(hash_own(layout, told.data(), slot) == hash_own(layout, actual.data(), slot));
        }
    });
    CHECK(had_some);
}

TEST_CASE("whatever the budget and wherever the focus, everybody is told in turn") {
    for (const std::uint32_t bytes : {1u, 8u, 20u})
        for (const bool focused : {false, true}) {
            Room room;
            CorrectionBudget budget(room.setup->layout, bytes, 1000);
            if (focused) budget.set_focus(math::Vec2{0, 0});
            std::vector<std::uint32_t> waited(room.count());
            std::uint32_t longest = 0;
            for (int round = 0; round < 300; ++round) {
                const std::vector<bool> told = room.corrected(budget);
                REQUIRE(std::ranges::count(told, true) >= 1);
                for (std::size_t i = 0; i < told.size(); ++i) {
                    waited[i] = told[i] ? 0 : waited[i] + 1;
                    longest = std::max(longest, waited[i]);
                }
            }
            CHECK(budget.was_short());
            CHECK(longest == budget.longest_wait());
            // One is told each time; who is far away waits longer than its turn, but not many times as long.
            CHECK(longest <= room.count() * (focused ? 8 : 1));
        }
}

TEST_CASE("the nearest is told first") {
    Room room;
    state::RawPool players(room.setup->layout, room.pool, room.actual.data());
    const present::PositionFields place(room.setup->layout.pools[room.pool]);
    for (std::uint32_t i = 0; i < players.size(); ++i) {
        CorrectionBudget budget(room.setup->layout, 1, 10);
        budget.set_focus(place.of(players.element(i)));
        CHECK(room.corrected(budget)[i]);
    }
}

TEST_CASE("a part that is too long makes the next ones shorter, and room that is left is used again") {
    Room room;
    CorrectionBudget budget(room.setup->layout, 400, 100);
    const auto told = [&] { return std::ranges::count(room.corrected(budget), true); };
    const auto at_first = told();
    for (int i = 0; i < 8; ++i) budget.note_size(4000);
    const auto after_long_ones = told();
    CHECK(after_long_ones < at_first);
    for (int i = 0; i < 100; ++i) {
        told();
        budget.note_size(100);
    }
    CHECK(told() > after_long_ones);
}

TEST_CASE("a room far beyond its budget is cut into cells, and all goes on") {
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
        if (link == LinkKind::ordered)
            CHECK(narrow.keyframes > wide.keyframes);  // who changes cells is told whole
    }
}
