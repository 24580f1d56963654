// SPDX-License-Identifier: MIT
// What all worlds do with players in the same way. A room has few players, so a linear search is faster than
// a table.
#pragma once

#include <cstdint>
#include <string>

#include <instep/contract/tick.h>
#include <instep/state/pool.h>
#include <instep/state/result.h>

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

// The first phase of every step. `leave(player)` runs before the player is removed; `enter(player, join)`
// gets the new player with its name and slot. A join is ignored if its slot is taken or the pool is full.
template <class Player, class Input, class Leave, class Enter>
void take_leaves_and_joins(state::Pool<Player>& players, const Tick<Input>& tick, Leave leave, Enter enter) {
    for (const Slot slot : tick.leaves) {
        Player* player = find_player(players, slot);
        if (!player) continue;
        leave(*player);
        players.remove_at(static_cast<std::uint32_t>(player - players.begin()));
    }
    for (const Join& join : tick.joins) {
        if (find_player(players, join.slot)) continue;
        if (Player* player = players.add({.name = join.name, .slot = join.slot})) enter(*player, join);
    }
}

// Scores stop at this limit, long before they could overflow.
inline constexpr std::int32_t most_score = 1'000'000'000;

constexpr void add_score(std::int32_t& score, std::int32_t points) {
    const std::int64_t sum = std::int64_t{score} + points;
    score = static_cast<std::int32_t>(sum > most_score ? most_score : sum < -most_score ? -most_score : sum);
}

constexpr bool score_is_legal(std::int32_t score) { return score >= -most_score && score <= most_score; }

// What the validate of every world checks alike: the generator, the players' slots and their scores.
template <class State>
state::Result<void> validate_common(const State& state, std::uint32_t most_players) {
    if (!state.head->random.is_valid()) return state::refuse("head.random", "is no legal generator");
    SlotSet seen = 0;
    for (const auto& player : state.players) {
        const auto where = [&] { return "players: slot " + std::to_string(player.slot); };
        if (player.slot >= most_players || contains(seen, player.slot))
            return state::refuse(where(), "is taken twice, or does not exist");
        seen |= only(player.slot);
        if (!score_is_legal(player.score)) return state::refuse(where(), "has a score beyond the limit");
    }
    return {};
}

}  // namespace instep::contract
