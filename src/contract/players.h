// SPDX-License-Identifier: MIT
// What worlds do with players alike. A room has few of them, so looking through them is quicker than any
// table.
#pragma once

#include <cstdint>

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

// Scores stop here, long before they could overflow; a legal state has none beyond it.
inline constexpr std::int32_t most_score = 1'000'000'000;

constexpr void add_score(std::int32_t& score, std::int32_t points) {
    const std::int64_t sum = std::int64_t{score} + points;
    score = static_cast<std::int32_t>(sum > most_score ? most_score : sum < -most_score ? -most_score : sum);
}

constexpr bool score_is_legal(std::int32_t score) { return score >= -most_score && score <= most_score; }

}  // namespace instep::contract
