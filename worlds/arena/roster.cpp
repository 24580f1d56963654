// SPDX-License-Identifier: MIT
#include <arena/roster.h>

#include <arena/combat.h>
#include <arena/ship.h>
#include <instep/contract/players.h>

namespace instep::worlds::arena {
namespace {

Departed* find_departed(State& state, std::uint32_t identity) {
    for (Departed& departed : state.departed)
        if (departed.player.identity == identity) return &departed;
    return nullptr;
}

Departed* longest_away(State& state) {
    Departed* longest = nullptr;
    for (Departed& departed : state.departed)
        if (!longest || departed.away_ticks > longest->away_ticks) longest = &departed;
    return longest;
}

void remember(const Player& player, State& state) {
    Departed* known = find_departed(state, player.identity);
    if (!known) known = state.departed.add({});
    if (!known) known = longest_away(state);
    *known = {.player = player};
    known->player.input = {};
}

void depart(Player& player, State& state, const Setup& setup, Events<Event>& events) {
    if (player.alive() && player.attacker != no_player && !state.head->showing_scores)
        explode(player, player.attacker, state, setup, events);
    events.add({.position = player.ship.position, .kind = EventKind::left, .slot = player.slot});
    take_out_shots_of(state, player.slot);
    // The next player in this slot must not inherit its claims.
    for (Player& other : state.players)
        if (other.attacker == player.slot) drop_claim(other);
    if (player.identity != 0) remember(player, state);
}

// The ship that it left, at a new start.
void restore(Player& player, const Player& was) {
    player.score = was.score;
    player.kills = was.kills;
    player.deaths = was.deaths;
    player.heat = was.heat;
    player.overheated = was.overheated;
    player.health = was.health;
    player.fire_pause = was.fire_pause;
    player.respawn_pause = was.respawn_pause;
    player.weapon = was.weapon;
    player.ammunition = was.ammunition;
}

void arrive(Player& player, const contract::Join& join, State& state, const Setup& setup,
            Events<Event>& events) {
    player.respawn_pause = 1;  // not alive yet, so that the choice of a start ignores it
    launch(player, state, setup);
    player.identity = join.player;
    if (Departed* departed = join.player != 0 ? find_departed(state, join.player) : nullptr) {
        restore(player, departed->player);
        state.departed.remove_at(static_cast<std::uint32_t>(departed - state.departed.begin()));
    }
    events.add({.position = player.ship.position, .kind = EventKind::joined, .slot = player.slot});
}

}  // namespace

void take_leaves_and_joins(State& state, const Setup& setup, const contract::Tick<Input>& tick,
                           Events<Event>& events) {
    contract::take_leaves_and_joins(
        state.players, tick, [&](Player& player) { depart(player, state, setup, events); },
        [&](Player& player, const contract::Join& join) { arrive(player, join, state, setup, events); });
}

void pass_time_away(State& state, const Setup& setup) {
    for (Departed& departed : state.departed) {
        Player& player = departed.player;
        ++departed.away_ticks;
        if (!player.alive()) {
            if (--player.respawn_pause == 0) make_whole(player, setup);
        } else {
            if (player.fire_pause > 0) --player.fire_pause;
            player.overheated ? recover(player, setup) : cool(player, setup);
        }
    }
}

}  // namespace instep::worlds::arena
