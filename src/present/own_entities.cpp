// SPDX-License-Identifier: MIT
#include <instep/present/own_entities.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

#include <instep/present/position.h>

namespace instep::present {

using state::Field;
using state::Layout;
using state::RawPool;

const Field* owner_of(const state::PoolLayout& pool) {
    return pool.kind.owner.empty() ? nullptr : pool.element->find(pool.kind.owner);
}

namespace {

// The first `others` handles belong to other players, the rest to the own one. The own elements keep their
// handles, which other fields may hold; an element of another player that has the same id gets a free one. (A
// field that held that id then finds nothing, while the drawn state mixes two times.)
void part_ids(std::span<state::Handle> handles, std::size_t others, std::uint32_t capacity) {
    std::vector<bool> is_taken(capacity);
    std::vector<bool> is_own(capacity);
    for (std::size_t i = 0; i < handles.size(); ++i) {
        is_taken[handles[i].id] = true;
        if (i >= others) is_own[handles[i].id] = true;
    }
    std::uint32_t free = 0;
    for (state::Handle& handle : handles.first(others)) {
        if (!is_own[handle.id]) continue;
        while (is_taken[free]) ++free;
        handle.id = free++;
    }
}

// Replaces the elements of one player in a pool that is shown in the past.
void show_own(const Layout& layout, std::size_t i, const std::byte* now, contract::Slot slot,
              std::byte* shown) {
    const Field* owner = owner_of(layout.pools[i]);
    if (!owner) return;
    const auto is_own = [&](const std::byte* element) { return number_at(*owner, element) == slot; };
    const RawPool present = RawPool::looking_at(layout, i, now);
    RawPool pool(layout, i, shown);
    const std::size_t size = pool.element_info().size;
    std::uint32_t own = 0;
    for (std::uint32_t index = 0; index < present.size(); ++index)
        if (is_own(present.element(index))) ++own;

    std::vector<state::Handle> handles;
    const auto add = [&](state::Handle handle, const std::byte* element) {
        const auto at = static_cast<std::uint32_t>(handles.size());
        handles.push_back(handle);
        std::memmove(pool.element(at), element, size);
    };
    for (std::uint32_t index = 0; index < pool.size() && handles.size() + own < pool.capacity(); ++index) {
        const std::byte* then = pool.element(index);
        const std::byte* later = present.find(pool.handle_at(index));
        // An element that has changed hands since the past is shown once, as it is now.
        if (later ? is_own(later) : is_own(then)) continue;
        add(pool.handle_at(index), later && is_own(then) ? later : then);
    }
    const std::size_t others = handles.size();
    for (std::uint32_t index = 0; index < present.size(); ++index)
        if (is_own(present.element(index))) add(present.handle_at(index), present.element(index));
    part_ids(handles, others, pool.capacity());
    pool.set_handles(handles, std::max(pool.next_generation(), present.next_generation()));
}

void show_all(const Layout& layout, std::size_t i, const std::byte* now, std::byte* shown) {
    const RawPool present = RawPool::looking_at(layout, i, now);
    RawPool pool(layout, i, shown);
    std::vector<state::Handle> handles;
    handles.reserve(present.size());
    for (std::uint32_t index = 0; index < present.size(); ++index)
        handles.push_back(present.handle_at(index));
    pool.set_handles(handles, present.next_generation());
    if (!handles.empty())
        std::memcpy(pool.element(0), present.element(0), handles.size() * pool.element_info().size);
}

}  // namespace

void show_present(const Layout& layout, const std::byte* now, contract::Slot slot, std::byte* shown) {
    for (std::size_t i = 0; i < layout.pools.size(); ++i) {
        if (layout.pools[i].kind.shown == state::Shown::present)
            show_all(layout, i, now, shown);
        else
            show_own(layout, i, now, slot, shown);
    }
}

std::optional<math::Vec2> own_position(const Layout& layout, const std::byte* block, contract::Slot slot) {
    std::optional<math::Vec2> first;
    for_each_own(layout, block, slot, [&](std::size_t pool, std::uint32_t, const std::byte* element) {
        if (!first) first = present::PositionFields(layout.pools[pool]).of(element);
    });
    return first;
}

}  // namespace instep::present
