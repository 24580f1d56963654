// SPDX-License-Identifier: MIT
// The entities that belong to one player: finding, placing and drawing them. Pools that are replicated as
// events are left out except where the text says otherwise: their elements live too short a time to correct.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <instep/contract/facts.h>
#include <instep/math/vec2.h>
#include <instep/state/raw_pool.h>

namespace instep::present {

// The field that says whose an element is; null for what is nobody's.
const state::Field* owner_of(const state::PoolLayout& pool);

// Calls visit(pool, place, element) for each, in the order of pools and places.
template <class Visit>
void for_each_own(const state::Layout& layout, const std::byte* block, contract::Slot slot, Visit visit) {
    for (std::size_t i = 0; i < layout.pools.size(); ++i) {
        const state::Field* owner = owner_of(layout.pools[i]);
        if (!owner || layout.pools[i].kind.replication == state::Replication::events) continue;
        state::RawPool elements(layout, i, const_cast<std::byte*>(block));
        for (std::uint32_t place = 0; place < elements.size(); ++place)
            if (number_at(*owner, elements.element(place)) == slot) visit(i, place, elements.element(place));
    }
}

// For drawing: makes all that belongs to the player in `shown` what it is in `now`, however many they are,
// and shots and other kinds that are replicated as events with it. They come after everybody else's.
void show_own(const state::Layout& layout, const std::byte* now, contract::Slot slot, std::byte* shown);

// Where the player is: the position of the first own entity that has one.
std::optional<math::Vec2> own_position(const state::Layout& layout, const std::byte* block,
                                       contract::Slot slot);

// Every blended field of the own entities, one after the other, and adding to them: what smoothing works on.
std::vector<double> own_blended(const state::Layout& layout, const std::byte* block, contract::Slot slot);
// For each: from `after` to `before`. Empty if the two are not of the same entities.
std::vector<double> own_error(const state::Layout& layout, const std::byte* block, contract::Slot slot,
                              const std::vector<double>& before);
void add_to_own(const state::Layout& layout, std::byte* block, contract::Slot slot,
                const std::vector<double>& error);

}  // namespace instep::present
