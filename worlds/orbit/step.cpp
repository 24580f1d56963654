// SPDX-License-Identifier: MIT
// One tick of orbit. The step at the end of the file is the list of its phases in the order in which they
// run; the document's physics of a ship are in flight.h.
#include <cmath>

#include <instep/contract/players.h>
#include <instep/math/rotation.h>
#include <instep/motion/distance.h>
#include <orbit/flight.h>
#include <orbit/orbit.h>

namespace instep::worlds::orbit {
namespace {

using contract::Events;
using contract::Tick;

// The first player to enter an empty room begins anew: where a match is over (the document's restart), and
// where rounds have a clock.
void take_leaves_and_joins(State& state, const Setup& setup, const Tick<Input>& tick, Events<Event>& events) {
    const auto leave = [&](const Player& player) {
        events.add({.position = player.ship.position, .kind = EventKind::left, .slot = player.slot});
    };
    const auto enter = [&](Player& player, const contract::Join&) {
        if (state.players.size() == 1 && (state.head->over || setup.rules.has_rounds())) start(state, setup);
        launch(player, setup);
        events.add({.position = player.ship.position, .kind = EventKind::joined, .slot = player.slot});
    };
    contract::take_leaves_and_joins(state.players, tick, leave, enter);
}

void fly_all(State& state, const Setup& setup, const Tick<Input>& tick) {
    for (Player& player : state.players) {
        player.input = clamped(tick.inputs[player.slot]);
        if (player.alive()) fly(player, setup);
    }
}

void respawn_the_dead(State& state, const Setup& setup, Events<Event>& events) {
    for (Player& player : state.players) {
        if (player.alive() || --player.respawn_pause > 0) continue;
        launch(player, setup);
        events.add({.position = player.ship.position, .kind = EventKind::respawned, .slot = player.slot});
    }
}

Vec2 return_position(std::uint32_t pallet, State& state, const Setup& setup) {
    const Vec2 first = setup.pallets[pallet];
    if (!setup.rules.pallets_wander) return first;
    const math::SinCos turn = math::sincos(state.head->random.uniform(0, math::two_pi));
    return setup.sun.position + Vec2{turn.cos, turn.sin} * distance(first, setup.sun.position);
}

void return_pallets(State& state, const Setup& setup, Events<Event>& events) {
    for (std::uint32_t i = 0; i < state.pallets.size(); ++i) {
        Pallet& pallet = state.pallets[i];
        if (pallet.active || --pallet.pause > 0) continue;
        pallet = {.position = return_position(i, state, setup)};
        events.add({.position = pallet.position, .kind = EventKind::returned});
    }
}

// Of two ships that reach a pallet in the same tick the nearer one gets it; if they are equally near, the one
// that stands first in the pool.
Player* nearest_in_reach(State& state, Vec2 point, double reach) {
    Player* nearest = nullptr;
    double best = 0;
    for (Player& player : state.players) {
        if (!player.alive() || !motion::within(player.ship.position, point, reach)) continue;
        const double squared = distance_squared(player.ship.position, point);
        if (!nearest || squared < best) {
            nearest = &player;
            best = squared;
        }
    }
    return nearest;
}

void collect_pallets(State& state, const Setup& setup, Events<Event>& events) {
    const Rules& rules = setup.rules;
    for (Pallet& pallet : state.pallets) {
        if (!pallet.active) continue;
        Player* player = nearest_in_reach(state, pallet.position, rules.pickup_radius);
        if (!player) continue;
        pallet.active = false;
        pallet.pause = rules.pallets_return ? rules.pallet_pause : 0;
        player->energy = tank(player->energy + rules.pallet_energy, rules);
        contract::add_score(player->score, rules.pallet_score);
        events.add({.position = pallet.position,
                    .points = rules.pallet_score,
                    .kind = EventKind::collected,
                    .slot = player->slot});
    }
}

bool is_in_sun(const Player& player, const Setup& setup) {
    return motion::within(player.ship.position, setup.sun.position, setup.sun_radius);
}

bool all_collected(const State& state) {
    for (const Pallet& pallet : state.pallets)
        if (pallet.active) return false;
    return !state.pallets.empty();
}

// Winning comes first: a player that takes the last pallet while falling into the sun has won. A room without
// players is not judged.
void judge(State& state, const Setup& setup, Events<Event>& events) {
    for (const Player& player : state.players) {
        const bool won = all_collected(state);
        if (!won && !is_in_sun(player, setup)) continue;
        state.head->over = true;
        state.head->won = won;
        state.head->ticks_left = setup.rules.restart_pause;
        events.add({.position = player.ship.position,
                    .kind = won ? EventKind::won : EventKind::lost,
                    .slot = player.slot});
        return;
    }
}

void burn_the_fallen(State& state, const Setup& setup, Events<Event>& events) {
    for (Player& player : state.players) {
        if (!player.alive() || !is_in_sun(player, setup)) continue;
        player.respawn_pause = setup.rules.respawn_pause;
        contract::add_score(player.score, -setup.rules.sun_cost);
        events.add({.position = player.ship.position,
                    .points = -setup.rules.sun_cost,
                    .kind = EventKind::died,
                    .slot = player.slot});
    }
}

void fetch_strays(State& state, const Setup& setup, Events<Event>& events) {
    if (setup.rules.space_is_endless) return;
    for (Player& player : state.players) {
        if (!player.alive() || motion::within(player.ship.position, setup.sun.position, setup.rules.edge))
            continue;
        events.add({.position = player.ship.position, .kind = EventKind::strayed, .slot = player.slot});
        launch(player, setup);
    }
}

// The player whose score no other reaches; null if there are several of them.
const Player* leader_of(const State& state) {
    const Player* best = nullptr;
    bool shared = false;
    for (const Player& player : state.players) {
        if (best && player.score < best->score) continue;
        shared = best && player.score == best->score;
        best = &player;
    }
    return shared ? nullptr : best;
}

void end_round(State& state, const Setup& setup, Events<Event>& events) {
    const Player* winner = leader_of(state);
    Head& head = *state.head;
    head.over = true;
    head.won = winner != nullptr;
    head.winner = winner ? winner->slot : no_player;
    head.ticks_left = setup.rules.restart_pause;
    events.add({.position = winner ? winner->ship.position : setup.sun.position,
                .points = winner ? winner->score : 0,
                .kind = winner ? EventKind::won : EventKind::drawn,
                .slot = head.winner});
}

// The clock of an empty room stands still.
void run_round(State& state, const Setup& setup, Events<Event>& events) {
    const Rules& rules = setup.rules;
    if (state.players.empty()) return;
    std::uint32_t& ticks_left = state.head->ticks_left;
    if (ticks_left == 0) ticks_left = rules.round_ticks;  // a match that began without a clock
    bool ends = rules.round_ticks > 0 && --ticks_left == 0;
    if (rules.round_goal > 0)
        for (const Player& player : state.players) ends = ends || player.score >= rules.round_goal;
    if (ends) end_round(state, setup, events);
}

// A match or round that is over stands still; after its pause all begin again with nothing.
void wait_for_restart(State& state, const Setup& setup, Events<Event>& events) {
    std::uint32_t& ticks_left = state.head->ticks_left;
    if (ticks_left == 0) return;  // it stays over
    --ticks_left;
    if (ticks_left > 0) return;
    start(state, setup);
    for (Player& player : state.players) {
        player.score = 0;
        player.input = {};
        launch(player, setup);
    }
    events.add({.position = setup.sun.position, .kind = EventKind::restarted});
}

// Farther and faster than any ship gets in years; false for NaN as well.
bool is_sane(Vec2 v) { return std::abs(v.x) < 1e100 && std::abs(v.y) < 1e100; }

// A state may come from the wire, where angles and inputs are rounded to the precision of their fields.
constexpr double tolerance = 0.01;

bool is_legal(const Input& input) {
    const double thrust = input.thrust;
    const double turn = input.turn;
    return thrust >= -tolerance && thrust <= 1 + tolerance && std::abs(turn) <= 1 + tolerance;
}

state::Result<void> validate_player(const Player& player, const Setup& setup) {
    const std::string where = "players: slot " + std::to_string(player.slot);
    if (!is_sane(player.ship.position) || !is_sane(player.ship.velocity))
        return state::refuse(where, "is nowhere in space");
    if (!(player.rotation >= -tolerance && player.rotation <= math::two_pi + tolerance))
        return state::refuse(where, "has a rotation beyond a full turn");
    if (!is_legal(player.input)) return state::refuse(where, "has an input that sanitize would change");
    if (!(std::abs(player.energy) <= 1e6f)) return state::refuse(where, "has an impossible energy");
    if (player.respawn_pause > setup.rules.respawn_pause)
        return state::refuse(where, "has a pause longer than the rules allow");
    return {};
}

state::Result<void> validate_pallet(const Pallet& pallet, Vec2 first, const Rules& rules) {
    if (!is_sane(pallet.position) || !(rules.pallets_wander || pallet.position == first))
        return state::refuse("pallets", "one is not where the level has it");
    const bool returns = !pallet.active && rules.pallets_return;
    if (returns ? pallet.pause == 0 || pallet.pause > rules.pallet_pause : pallet.pause != 0)
        return state::refuse("pallets", "one has a pause that it cannot have");
    return {};
}

state::Result<void> validate_clock(const Head& head, const Setup& setup) {
    const Rules& rules = setup.rules;
    if (head.over && !rules.match_ends && !rules.has_rounds())
        return state::refuse("head.over", "is set where neither matches nor rounds end");
    if (head.winner != no_player && (!head.won || head.winner >= setup.space.most_players))
        return state::refuse("head.winner", "is no player that can have won");
    const std::uint32_t most = head.over ? rules.restart_pause : rules.round_ticks;
    if (most > 0 && head.ticks_left > most)  // without a clock it says nothing
        return state::refuse("head.ticks_left", "is beyond the clock of the rules");
    return {};
}

}  // namespace

void launch(Player& player, const Setup& setup) {
    const Start& start = setup.space.start;
    player.energy = tank(start.energy, setup.rules);
    player.respawn_pause = 0;
    if (setup.rules.starts_at_rest) {
        player.ship = {start.position, start.velocity};
        player.rotation = start.rotation;
        return;
    }
    // The golden angle keeps any number of slots well apart.
    constexpr double golden_angle = 2.399963229728653;
    const math::SinCos turn = math::sincos(golden_angle * player.slot);
    const Vec2 outward{turn.cos, turn.sin};
    const Vec2 point = setup.sun.position + outward * setup.space.orbit_radius;
    const double speed = std::sqrt(length(motion::gravity(point, setup.sun)) * setup.space.orbit_radius);
    player.ship = {point, math::perpendicular(outward) * speed};
    player.rotation = math::wrap_angle_positive(math::atan2(-player.ship.velocity.y, player.ship.velocity.x));
}

contract::Facts facts(const Setup& setup) {
    const Rules& rules = setup.rules;
    const Vec2 corner{setup.reach * 1.15, setup.reach * 1.15};
    const auto pallets = static_cast<std::uint32_t>(setup.pallets.size());
    return {.tick_rate = rules.tick_rate,
            .snapshot_every = rules.tick_rate >= 15 ? rules.tick_rate / 15 : 1,
            .teleport_distance = 100,
            .most_players = setup.space.most_players,
            .most_events = 5 * setup.space.most_players + 2 * pallets + 2,
            .y_up = false,
            .view_low = setup.sun.position - corner,
            .view_high = setup.sun.position + corner};
}

void start(State& state, const Setup& setup) {
    state.head->over = state.head->won = false;
    state.head->winner = no_player;
    state.head->ticks_left = setup.rules.round_ticks;
    state.pallets.remove_if([](const Pallet&) { return true; });
    for (const Vec2 point : setup.pallets) state.pallets.add({.position = point});
}

bool sanitize(Input& input, const Setup&) {
    if (std::isnan(input.thrust) || std::isnan(input.turn)) return false;
    input = clamped(input);
    return true;
}

state::Result<void> validate(const State& state, const Setup& setup) {
    if (auto legal = contract::validate_common(state, setup.space.most_players); !legal) return legal;
    if (state.head->won && !state.head->over) return state::refuse("head.won", "is set, but nothing is over");
    if (auto legal = validate_clock(*state.head, setup); !legal) return legal;
    for (const Player& player : state.players)
        if (auto legal = validate_player(player, setup); !legal) return legal;
    if (state.pallets.size() != setup.pallets.size())
        return state::refuse("pallets", "are not as many as the level has");
    for (std::uint32_t i = 0; i < state.pallets.size(); ++i)
        if (auto legal = validate_pallet(state.pallets[i], setup.pallets[i], setup.rules); !legal)
            return legal;
    return {};
}

void step(State& state, const Setup& setup, const Tick<Input>& tick, Events<Event>& events) {
    take_leaves_and_joins(state, setup, tick, events);
    if (state.head->over) {
        wait_for_restart(state, setup, events);
    } else {
        fly_all(state, setup, tick);
        respawn_the_dead(state, setup, events);
        if (setup.rules.pallets_return) return_pallets(state, setup, events);
        collect_pallets(state, setup, events);
        if (setup.rules.match_ends)
            judge(state, setup, events);
        else
            burn_the_fallen(state, setup, events);
        fetch_strays(state, setup, events);
        if (setup.rules.has_rounds() && !state.head->over) run_round(state, setup, events);
    }
    ++state.head->tick;
}

}  // namespace instep::worlds::orbit
