// SPDX-License-Identifier: MIT
// Rounds of a match: a clock and a goal, then a pause in which the match stands still and the result is
// shown, then a new beginning. A world that has rounds takes RoundHead as the head of its state, and calls
// run_round at the end of its step. The page shows the clock and the result of every head with these fields.
#pragma once

#include <instep/contract/players.h>

namespace instep::contract {

struct RoundHead {
    std::uint64_t tick = 0;
    math::Random random;
    std::uint32_t ticks_left = 0;  // of the round, or until the next one begins; 0: no clock runs
    bool over = false;
    Slot winner = no_player;  // of the round that is over; no_player if the best scores are equal
    state::Reserved<2> unused;
};

constexpr auto fields_of(state::Type<RoundHead>) {
    using state::field;
    return state::fields("RoundHead", field("tick", &RoundHead::tick), field("random", &RoundHead::random),
                         field("ticks_left", &RoundHead::ticks_left), field("over", &RoundHead::over),
                         field("winner", &RoundHead::winner), field("unused", &RoundHead::unused));
}

struct RoundRules {
    std::uint32_t ticks = 0;  // of a round; 0: the match has no rounds
    std::int32_t goal = 0;    // a score that ends the round at once; 0: only the clock does
    std::uint32_t pause = 1;  // ticks between two rounds
};

enum class RoundChange : std::uint8_t {
    none,
    ended,
    began,  // scores are 0 again; the world puts its players back to the start
};

// The player whose score is above all others; null if there are several with the best score.
template <class Player>
const Player* leader_of(const state::Pool<Player>& players) {
    const Player* best = nullptr;
    bool is_shared = false;
    for (const Player& player : players) {
        if (best && player.score < best->score) continue;
        is_shared = best && player.score == best->score;
        best = &player;
    }
    return is_shared ? nullptr : best;
}

// One tick of the clock. In an empty room no clock runs, so that the next player begins a whole round.
template <class State>
RoundChange run_round(State& state, const RoundRules& rules) {
    RoundHead& head = *state.head;
    if (rules.ticks == 0) return RoundChange::none;
    if (state.players.empty()) {
        head.ticks_left = 0;
        head.over = false;
        head.winner = no_player;
        return RoundChange::none;
    }
    if (head.ticks_left == 0) head.ticks_left = rules.ticks;
    --head.ticks_left;
    if (head.over) {
        if (head.ticks_left > 0) return RoundChange::none;
        head.ticks_left = rules.ticks;
        head.over = false;
        head.winner = no_player;
        for (auto& player : state.players) player.score = 0;
        return RoundChange::began;
    }
    bool ends = head.ticks_left == 0;
    for (const auto& player : state.players) ends = ends || (rules.goal > 0 && player.score >= rules.goal);
    if (!ends) return RoundChange::none;
    const auto* winner = leader_of(state.players);
    head.ticks_left = rules.pause;
    head.over = true;
    head.winner = winner ? winner->slot : no_player;
    return RoundChange::ended;
}

inline state::Result<void> validate_round(const RoundHead& head, const RoundRules& rules,
                                          std::uint32_t most_players) {
    if (head.ticks_left > (head.over ? rules.pause : rules.ticks))
        return state::refuse("head.ticks_left", "is beyond the clock of the rules");
    if (head.over && (rules.ticks == 0 || head.ticks_left == 0))
        return state::refuse("head.over", "is set where no round is over");
    if (head.winner != no_player && (!head.over || head.winner >= most_players))
        return state::refuse("head.winner", "is no player that can have won");
    return {};
}

}  // namespace instep::contract
