// SPDX-License-Identifier: MIT
// Who sits in a slot. A room has few players, so looking through them is quicker than any table of them.
#pragma once

#include <instep/contract/facts.h>
#include <instep/state/pool.h>

namespace instep::contract {

template <class Player>
const Player* find_player(const state::Pool<Player>& players, Slot slot) {
    for (const Player& player : players)
        if (player.slot == slot) return &player;
    return nullptr;
}

template <class Player>
Player* find_player(state::Pool<Player>& players, Slot slot) {
    const state::Pool<Player>& same = players;
    return const_cast<Player*>(find_player(same, slot));
}

}  // namespace instep::contract
