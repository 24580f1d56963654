// SPDX-License-Identifier: MIT
// What belongs to a player: the elements of the pools for which parts_of names an owner.
#pragma once

#include <tuple>
#include <type_traits>

#include <instep/contract/facts.h>
#include <instep/state/layout.h>

namespace instep::contract {
namespace detail {

// Calls visit(pool, its part) for each pool whose elements have an owner.
template <class State, class Visit>
void for_each_owned_pool(State& state, Visit visit) {
    const auto visit_owned = [&](const auto& part) {
        if (part.kind.owner.exists()) visit(state.*(part.member), part);
    };
    std::apply([&](const auto&, const auto&... parts) { (visit_owned(parts), ...); },
               parts_of(state::Type<std::remove_const_t<State>>{}));
}

}  // namespace detail

// Where the player is: the position of the first element that belongs to it, or the origin.
template <class State>
math::Vec2 position_of(const State& state, Slot slot) {
    const math::Vec2* found = nullptr;
    detail::for_each_owned_pool(state, [&](const auto& pool, const auto& part) {
        if (!part.kind.position.exists()) return;
        for (const auto& element : pool)
            if (!found && part.kind.owner.in(element) == slot) found = &part.kind.position.in(element);
    });
    return found ? *found : math::Vec2{};
}

// Removes what belongs to a player who leaves, but not the player, whom the engine removes.
template <class State>
void remove_owned(State& state, Slot slot) {
    using Player = typename decltype(State::players)::Element;
    detail::for_each_owned_pool(state, [&]<class T>(state::Pool<T>& pool, const auto& part) {
        if constexpr (!std::is_same_v<T, Player>)
            pool.remove_if([&](const T& element) { return part.kind.owner.in(element) == slot; });
    });
}

// The element nearest to `at` of those that are meant, or null; of several, the first in the pool.
template <class T, class IsMeant>
const T* nearest(const state::Pool<T>& pool, math::Vec2 at, IsMeant is_meant) {
    const T* found = nullptr;
    for (const T& element : pool)
        if (is_meant(element) &&
            (!found || distance_squared(element.position, at) < distance_squared(found->position, at)))
            found = &element;
    return found;
}

}  // namespace instep::contract
