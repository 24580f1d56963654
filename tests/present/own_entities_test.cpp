// SPDX-License-Identifier: MIT
#include <instep/present/own_entities.h>

#include <cstring>

#include <tests/match/levels.h>

using namespace instep;

TEST_CASE(
    "own entities: one that changes hands between the past and the present is drawn once, as it is now") {
    const match::SharedSetup setup = *match::load_builtin_setup("bounce", "box");
    const state::Layout& layout = setup->layout;
    match::Match match(setup, 1);
    state::Block now(layout);
    state::Block shown(layout);
    std::memcpy(now.data(), match.state(), layout.size);
    std::memcpy(shown.data(), match.state(), layout.size);
    constexpr contract::Slot slot = 2;
    for (std::size_t pool = 0; pool < layout.pools.size(); ++pool) {
        const state::Field* owner = present::owner_of(layout.pools[pool]);
        state::RawPool later(layout, pool, now.data());
        if (!owner || later.size() < 4) continue;
        state::RawPool then(layout, pool, shown.data());
        const auto give = [&](state::RawPool& to, std::uint32_t index, std::uint8_t player) {
            std::memcpy(to.element(index) + owner->offset, &player, 1);
        };
        give(later, 0, slot);  // won
        give(then, 1, slot);   // lost
        give(then, 2, slot);   // kept
        give(later, 2, slot);
        present::show_present(layout, now.data(), slot, shown.data());
        CHECK(then.size() == later.size());
        for (std::uint32_t index = 0; index < later.size(); ++index) {
            const std::byte* found = then.find(later.handle_at(index));
            REQUIRE(found);
            CHECK(number_at(*owner, found) == number_at(*owner, later.element(index)));
        }
        return;
    }
    FAIL("no pool has owners and four elements");
}
