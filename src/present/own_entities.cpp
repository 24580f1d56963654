// SPDX-License-Identifier: MIT
#include <instep/present/own_entities.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

#include <instep/present/blend.h>
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

}  // namespace

void show_own(const Layout& layout, const std::byte* now, contract::Slot slot, std::byte* shown) {
    for (std::size_t i = 0; i < layout.pools.size(); ++i) {
        const Field* owner = owner_of(layout.pools[i]);
        if (!owner) continue;
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
        for (std::uint32_t index = 0; index < pool.size() && handles.size() + own < pool.capacity();
             ++index) {
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
}

std::optional<math::Vec2> own_position(const Layout& layout, const std::byte* block, contract::Slot slot) {
    std::optional<math::Vec2> first;
    for_each_own(layout, block, slot, [&](std::size_t pool, std::uint32_t, const std::byte* element) {
        if (!first) first = present::PositionFields(layout.pools[pool]).of(element);
    });
    return first;
}

namespace {

// Calls visit(field, element) for each blended own field.
template <class Visit>
void for_each_blended(const Layout& layout, const std::byte* block, contract::Slot slot, Visit visit) {
    for_each_own(layout, block, slot, [&](std::size_t pool, std::uint32_t, std::byte* element) {
        for (const Field& field : layout.pools[pool].element->fields)
            if (present::is_blended(field)) visit(field, element);
    });
}

}  // namespace

std::vector<double> own_blended(const Layout& layout, const std::byte* block, contract::Slot slot) {
    std::vector<double> values;
    for_each_blended(layout, block, slot, [&](const Field& field, const std::byte* element) {
        values.push_back(number_at(field, element));
    });
    return values;
}

std::vector<double> own_error(const Layout& layout, const std::byte* block, contract::Slot slot,
                              const std::vector<double>& before) {
    std::vector<double> error;
    for_each_blended(layout, block, slot, [&](const Field& field, const std::byte* element) {
        const std::size_t i = error.size();
        error.push_back(i < before.size() ? difference(field, number_at(field, element), before[i]) : 0);
    });
    if (error.size() != before.size()) error.clear();
    return error;
}

void add_to_own(const Layout& layout, std::byte* block, contract::Slot slot,
                const std::vector<double>& error) {
    std::size_t i = 0;
    for_each_blended(layout, block, slot, [&](const Field& field, std::byte* element) {
        if (i < error.size()) state::set_real(field, number_at(field, element) + error[i], element);
        ++i;
    });
}

}  // namespace instep::present
