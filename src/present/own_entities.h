// SPDX-License-Identifier: MIT
// The entities that belong to one player: finding, placing and drawing them. Pools that are replicated as
// events are left out except where the text says otherwise: their elements live too short a time to correct.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include <instep/contract/facts.h>
#include <instep/math/vec2.h>
#include <instep/state/raw_pool.h>

namespace instep::present {

// The field that holds an element's owner; null for pools without owners.
const state::Field* owner_of(const state::PoolLayout& pool);

// Calls visit(pool, index, element) for each, in the order of pools and elements.
template <class Visit>
void for_each_own(const state::Layout& layout, const std::byte* block, contract::Slot slot, Visit visit) {
    for (std::size_t i = 0; i < layout.pools.size(); ++i) {
        const state::Field* owner = owner_of(layout.pools[i]);
        if (!owner || layout.pools[i].kind.replication == state::Replication::events) continue;
        state::RawPool elements(layout, i, const_cast<std::byte*>(block));
        for (std::uint32_t index = 0; index < elements.size(); ++index)
            if (number_at(*owner, elements.element(index)) == slot) visit(i, index, elements.element(index));
    }
}

// For drawing: replaces the player's elements in `shown` by those in `now`, including pools that are
// replicated as events (shots). They come after the other players' elements. Pools that are shown in the
// present are replaced as a whole.
void show_present(const state::Layout& layout, const std::byte* now, contract::Slot slot, std::byte* shown);

// The position of the first own entity that has one.
std::optional<math::Vec2> own_position(const state::Layout& layout, const std::byte* block,
                                       contract::Slot slot);

}  // namespace instep::present
