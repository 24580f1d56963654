// SPDX-License-Identifier: MIT
// One tick of flail. The step at the end of the file is the list of its phases in the order in which they
// run; the document's physics are in swing.h, hits and damage in combat.h.
#include <cmath>

#include <flail/combat.h>
#include <flail/flail.h>
#include <flail/swing.h>
#include <instep/contract/players.h>
#include <instep/math/rotation.h>

namespace instep::worlds::flail {
namespace {

using contract::Events;
using contract::Tick;

// Body, rope and flail at rest: at one point (the document's quirk), or drawn out to the rope's rest length.
void spawn(Player& player, State& state, const Setup& setup) {
    const double spread = setup.rules.spawn_spread;
    const double x = state.head->random.uniform(-spread, spread) + 0.0;  // never -0: a rope of no length
    const double y = state.head->random.uniform(-spread, spread) + 0.0;  // would point in the other direction
    const double spacing = setup.rules.spawn_together ? 0 : setup.rules.rope_rest_length;
    double along = 0;
    for (Particle& node : rope_of(player, setup)) {
        node = {.position = {x + along, y}, .velocity = {}};
        along += spacing;
    }
    player.flail_angle = 0;
    player.health = setup.rules.most_health;
    player.flail_size = setup.rules.flail_size;
    player.hit_pause = 0;
    player.respawn_pause = 0;
    player.loose = false;
    player.reeling = false;
    player.protection = setup.rules.combat ? setup.rules.spawn_protection : 0;
}

void take_leaves_and_joins(State& state, const Setup& setup, const Tick<Input>& tick, Events<Event>& events) {
    const auto leave = [&](const Player& player) {
        events.add({.position = player.body().position, .kind = EventKind::left, .slot = player.slot});
    };
    const auto enter = [&](Player& player, const contract::Join&) {
        spawn(player, state, setup);
        events.add({.position = player.body().position, .kind = EventKind::joined, .slot = player.slot});
    };
    contract::take_leaves_and_joins(state.players, tick, leave, enter);
}

// Letting go works on the press, not while it is held: the bit of the tick before decides.
void take_input(Player& player, const Input& input, const Setup& setup, Events<Event>& events) {
    const bool pressed = input.letting_go && !player.input.letting_go;
    player.input = input;
    if (!pressed || !setup.rules.combat || !player.alive()) return;
    player.loose = !player.loose;
    player.reeling = !player.loose;
    events.add({.position = rope_of(player, setup).back().position,
                .kind = player.loose ? EventKind::let_go : EventKind::called_back,
                .slot = player.slot});
}

void swing_all(State& state, const Setup& setup, const Tick<Input>& tick, Events<Event>& events) {
    for (Player& player : state.players) {
        take_input(player, tick.inputs[player.slot], setup, events);
        if (player.alive()) swing(player, setup);
    }
}

void hold_bodies_in_map(State& state, const Setup& setup) {
    if (!setup.rules.map_holds_bodies) return;
    const double edge = setup.map.size / 2;
    const auto hold = [edge](double& position, double& velocity) {
        if (std::abs(position) <= edge) return;
        position = position < 0 ? -edge : edge;
        velocity = 0;
    };
    for (Player& player : state.players) {
        hold(player.body().position.x, player.body().velocity.x);
        hold(player.body().position.y, player.body().velocity.y);
    }
}

// Newcomers were nowhere when the tick began: nothing sweeps from where they died.
void respawn_the_dead(State& state, const Setup& setup, TickStart& tick_start, Events<Event>& events) {
    for (std::uint32_t i = 0; i < state.players.size(); ++i) {
        Player& player = state.players[i];
        if (player.alive() || --player.respawn_pause > 0) continue;
        spawn(player, state, setup);
        tick_start.set(i, player, setup);
        events.add({.position = player.body().position, .kind = EventKind::respawned, .slot = player.slot});
    }
}

// A round that is over stands still; the next one begins with all players back at the start.
void run_round(State& state, const Setup& setup, Events<Event>& events) {
    const auto change = contract::run_round(state, setup.round());
    if (change == contract::RoundChange::ended) {
        const Player* winner = contract::find_player(state.players, state.head->winner);
        events.add({.position = winner ? winner->body().position : Vec2{},
                    .kind = winner ? EventKind::won : EventKind::drawn,
                    .slot = state.head->winner});
    }
    if (change == contract::RoundChange::began) {
        for (Player& player : state.players) spawn(player, state, setup);
        events.add({.kind = EventKind::restarted});
    }
}

// No rules lead farther out than this in the life of a server, and its square is still a number; false for
// NaN as well.
bool is_sane(Vec2 v) { return std::abs(v.x) < 1e100 && std::abs(v.y) < 1e100; }

}  // namespace

contract::Facts facts(const Setup& setup) {
    const double edge = setup.map.size / 2;
    return {.tick_rate = setup.rules.tick_rate,
            .snapshot_every = setup.rules.tick_rate >= 20 ? setup.rules.tick_rate / 20 : 1,
            .teleport_distance = 400,
            .most_players = setup.map.most_players,
            .most_events = 512,
            .y_up = false,
            .view_low = {-edge, -edge},
            .view_high = {edge, edge}};
}

void start(State&, const Setup&) {}  // an empty map

bool sanitize(Input& input, const Setup&) {
    if (!(std::abs(input.angle) <= 1e300)) return false;
    if (std::abs(input.angle) > math::pi) input.angle = math::wrap_angle(input.angle);
    input.unused = {};
    return true;
}

state::Result<void> validate(const State& state, const Setup& setup) {
    if (auto legal = contract::validate_common(state, setup.map.most_players); !legal) return legal;
    if (auto legal = contract::validate_round(*state.head, setup.round(), setup.map.most_players); !legal)
        return legal;
    const Rules& rules = setup.rules;
    constexpr double health_slack = 0.5;  // the wire rounds
    for (const Player& player : state.players) {
        const std::string where = "players: slot " + std::to_string(player.slot);
        for (const Particle& node : player.rope)
            if (!is_sane(node.position) || !is_sane(node.velocity))
                return state::refuse(where, "is nowhere on the map");
        if (!(std::abs(player.flail_angle) <= 4) || !(std::abs(player.input.angle) <= 4))
            return state::refuse(where, "has an angle beyond half a turn");
        if (!(player.health >= 0 && player.health <= rules.most_health + health_slack))
            return state::refuse(where, "has an impossible health");
        if (player.flail_size > rules.most_flail_size)
            return state::refuse(where, "has a flail beyond all sizes");
        if (player.hit_pause > rules.hit_pause || player.respawn_pause > rules.respawn_pause)
            return state::refuse(where, "has a pause longer than the rules allow");
        if (player.protection > rules.spawn_protection)
            return state::refuse(where, "is protected for longer than the rules allow");
        if (player.loose && player.reeling)
            return state::refuse(where, "has a flail that flies and is reeled");
        if (!rules.combat && (player.loose || player.reeling || player.hit_pause > 0 || !player.alive()))
            return state::refuse(where, "is in a fight, which these rules do not have");
        for (std::size_t i = rules.rope_nodes; i < most_rope_nodes; ++i)
            if (!(player.rope[i] == Particle{}))
                return state::refuse(where, "has more rope than the rules give");
    }
    return {};
}

void step(State& state, const Setup& setup, const Tick<Input>& tick, Events<Event>& events) {
    take_leaves_and_joins(state, setup, tick, events);
    if (!state.head->over) {
        TickStart tick_start(state, setup);
        swing_all(state, setup, tick, events);
        hold_bodies_in_map(state, setup);
        if (setup.rules.combat) {
            respawn_the_dead(state, setup, tick_start, events);
            clash_all(state, setup, tick_start, events);
            strike_all(state, setup, tick_start, events);
        }
    }
    run_round(state, setup, events);
    ++state.head->tick;
}

}  // namespace instep::worlds::flail
