// SPDX-License-Identifier: MIT
// One tick of arena. The step at the end of the file is the list of its phases in the order in which they
// run.
#include <cmath>

#include <arena/arena.h>
#include <arena/bodies.h>
#include <arena/combat.h>
#include <arena/pickup.h>
#include <arena/rock.h>
#include <arena/roster.h>
#include <arena/ship.h>
#include <instep/contract/players.h>
#include <instep/rigid/step.h>

namespace instep::worlds::arena {
namespace {

using contract::Tick;

void fire(Player& player, State& state, const Setup& setup, Events<Event>& events) {
    const Salvo salvo = salvo_of(player.weapon, setup.rules);
    if (!may_fire(player) || state.shots.capacity() - state.shots.size() < salvo.shots) return;
    for (std::uint32_t i = 0; i < salvo.shots; ++i)
        state.shots.add(shot_from(player, salvo.spread * (i - (salvo.shots - 1) / 2.0), setup));
    player.heat += salvo.heat;
    player.fire_pause = salvo.pause;
    use_ammunition(player);
    events.add({.position = player.ship.position, .kind = EventKind::fired, .slot = player.slot});
}

// The document's applyInputToShip: an overheated ship does nothing.
void obey(Player& player, State& state, const Setup& setup, Events<Event>& events) {
    if (player.fire_pause > 0) --player.fire_pause;
    if (player.overheated) {
        recover(player, setup);
        if (!setup.rules.spin_goes_on) player.ship.spin = 0;
        limit_speed(player.ship, setup.rules);
        if (!player.overheated)
            events.add({.position = player.ship.position, .kind = EventKind::recovered, .slot = player.slot});
        return;
    }
    turn(player, setup.rules);
    thrust(player, setup);
    limit_speed(player.ship, setup.rules);
    fire(player, state, setup, events);
    cool_and_judge(player, setup);
    if (player.overheated)
        events.add({.position = player.ship.position, .kind = EventKind::overheated, .slot = player.slot});
}

// No ship can be steered while scores are shown.
void obey_all(State& state, const Setup& setup, const Tick<Input>& tick, Events<Event>& events) {
    for (Player& player : state.players) {
        player.input = state.head->showing_scores ? Input{} : tick.inputs[player.slot];
        if (player.alive()) obey(player, state, setup, events);
    }
}

void move_bodies(State& state, const Setup& setup, Events<Event>& events) {
    const state::ScratchPool<rigid::Scratch>::Lease scratch(*setup.scratch_pool, setup.bodies);
    rigid::Space space = space_of(state, setup);
    rigid::step(space, setup.bodies, setup.dt, *scratch);
    judge_contacts(state, setup, space.bodies, scratch->events, events);
}

void keep_precise(Flight& flight) {
    if (std::fabs(flight.angle) > largest_angle) flight.angle = math::wrap_angle(flight.angle);
}

void hold_inside(Flight& flight, const Field& field) {
    const Vec2 most{field.half_width, field.half_height};
    const Vec2 inside{std::min(std::max(flight.position.x, -most.x), most.x),
                      std::min(std::max(flight.position.y, -most.y), most.y)};
    if (inside == flight.position) return;
    if (inside.x != flight.position.x) flight.velocity.x = 0;
    if (inside.y != flight.position.y) flight.velocity.y = 0;
    flight.position = inside;
}

// The walls hold everything, unless something huge presses a body through one.
void hold_all_inside(State& state, const Setup& setup) {
    for (Player& player : state.players) hold_inside(player.ship, setup.field);
    for (Rock& rock : state.rocks) hold_inside(rock.flight, setup.field);
}

void keep_all_precise(State& state) {
    for (Player& player : state.players) keep_precise(player.ship);
    for (Rock& rock : state.rocks) keep_precise(rock.flight);
    for (Shot& shot : state.shots) keep_precise(shot.flight);
}

// A state may come from the wire, where positions and heat are rounded, by at most one and a half steps.
constexpr double tolerance = 0.025;

bool is_legal(const Flight& flight, const Setup& setup) {
    return setup.holds(flight.position, tolerance) && std::fabs(flight.velocity.x) <= 1e5 &&
           std::fabs(flight.velocity.y) <= 1e5 && std::fabs(flight.angle) <= largest_angle &&
           std::fabs(flight.spin) <= 1e5;
}

state::Result<void> validate_player(const Player& player, const Setup& setup) {
    const Rules& rules = setup.rules;
    const std::string where = "players: slot " + std::to_string(player.slot);
    if (!is_legal(player.ship, setup)) return state::refuse(where, "is nowhere in the field");
    const double most_heat = player.overheated ? hottest(rules, setup.dt) : rules.most_heat;
    if (!(player.heat >= 0 && player.heat <= most_heat + 2 * tolerance))
        return state::refuse(where, "has a heat that no ship can have");
    if (player.alive() ? player.health < 1 || player.health > rules.most_health : player.health != 0)
        return state::refuse(where, "has a health that it cannot have");
    if (player.respawn_pause > rules.respawn_pause ||
        player.fire_pause > rules.fire_pause * longest_salvo_pause)
        return state::refuse(where, "has a pause longer than the rules allow");
    if (player.claim_ticks > rules.claim_ticks ||
        (player.attacker == no_player) != (player.claim_ticks == 0) ||
        (player.attacker != no_player && player.attacker >= setup.field.most_players))
        return state::refuse(where, "has an attacker that cannot claim it");
    if ((player.weapon == Weapon::cannon) != (player.ammunition == 0) ||
        player.ammunition > rules.most_ammunition || (player.ammunition > 0 && setup.pickups.empty()))
        return state::refuse(where, "has a weapon that it cannot have");
    if (player.met_ticks > rules.touch_pause) return state::refuse(where, "touches for longer than it can");
    return {};
}

state::Result<void> validate_departed(const State& state, const Setup& setup) {
    for (std::uint32_t i = 0; i < state.departed.size(); ++i) {
        const Player& player = state.departed[i].player;
        if (player.identity == 0) return state::refuse("departed", "one has no identity");
        for (std::uint32_t j = 0; j < i; ++j)
            if (state.departed[j].player.identity == player.identity)
                return state::refuse("departed", "one is there twice");
        if (auto legal = validate_player(player, setup); !legal)
            return state::within("departed", legal.error());
    }
    return {};
}

state::Result<void> validate_rocks(const State& state, const Setup& setup) {
    if (state.rocks.size() != setup.rocks.size())
        return state::refuse("rocks", "are not as many as the level has");
    for (std::uint32_t i = 0; i < state.rocks.size(); ++i) {
        if (state.rocks.handle_at(i).id != i || !is_legal(state.rocks[i].flight, setup))
            return state::refuse("rocks", "one is not where a rock can be");
        if (auto legal = validate_rock(state, i, setup); !legal) return legal;
    }
    return {};
}

state::Result<void> validate_shots(const State& state, const Setup& setup) {
    for (const Shot& shot : state.shots) {
        if (!is_legal(shot.flight, setup)) return state::refuse("shots", "one is nowhere in the field");
        if (shot.ticks_left < 1 || shot.ticks_left > setup.rules.shot_ticks)
            return state::refuse("shots", "one flies longer than any");
        // The owner may have left: the wire never corrects a shot.
        if (shot.owner >= setup.field.most_players) return state::refuse("shots", "one has no owner");
    }
    return {};
}

state::Result<void> validate_clock(const Head& head, const Rules& rules) {
    const std::uint32_t most = head.showing_scores ? rules.scoreboard_ticks : rules.match_ticks;
    if (head.ticks_left < 1 || head.ticks_left > most)
        return state::refuse("head.ticks_left", "expected 1 to " + std::to_string(most));
    return {};
}

}  // namespace

Shot shot_from(const Player& player, double aside, const Setup& setup) {
    const auto on_grid = [](Vec2 v, double step) {
        return Vec2{std::round(v.x / step) * step, std::round(v.y / step) * step};
    };
    const Flight& ship = player.ship;
    const double speed = salvo_of(player.weapon, setup.rules).speed;
    return {.flight = {.position = on_grid(ship.position, position_precision),
                       .velocity =
                           on_grid(ship.velocity + nose_of(ship.angle + aside) * speed, velocity_precision)},
            .ticks_left = setup.rules.shot_ticks,
            .owner = player.slot,
            .weapon = player.weapon};
}

contract::Facts facts(const Setup& setup) {
    const Vec2 corner{setup.field.half_width + edge_thickness, setup.field.half_height + edge_thickness};
    const std::uint32_t players = setup.field.most_players;
    return {.tick_rate = setup.rules.tick_rate,
            .snapshot_every = setup.rules.tick_rate / 20,
            .teleport_distance = 10,
            .most_players = players,
            // Leaving and losing the ship, joining, respawning, heat and fire of each ship, a hit and an
            // explosion for each shot, a collision for each contact, the clock; a weapon for each ship, the
            // end of each rock.
            .most_events = 7 * players + 2 * setup.bodies.max_contacts +
                           static_cast<std::uint32_t>(setup.rocks.size()) + 1,
            .y_up = true,
            .view_low = -corner,
            .view_high = corner};
}

void start(State& state, const Setup& setup) { begin_match(state, setup); }

bool sanitize(Input&, const Setup&) { return true; }

state::Result<void> validate(const State& state, const Setup& setup) {
    if (auto legal = contract::validate_common(state, setup.field.most_players); !legal) return legal;
    if (auto legal = validate_clock(*state.head, setup.rules); !legal) return legal;
    for (const Player& player : state.players)
        if (auto legal = validate_player(player, setup); !legal) return legal;
    if (auto legal = validate_departed(state, setup); !legal) return legal;
    if (auto legal = validate_rocks(state, setup); !legal) return legal;
    if (auto legal = validate_shots(state, setup); !legal) return legal;
    if (auto legal = validate_pickups(state, setup); !legal) return legal;
    return rigid::validate(space_of(state, setup), setup.bodies);
}

void step(State& state, const Setup& setup, const Tick<Input>& tick, Events<Event>& events) {
    take_leaves_and_joins(state, setup, tick, events);
    pass_time_away(state, setup);
    run_pauses(state);
    respawn_the_dead(state, setup, events);
    obey_all(state, setup, tick, events);
    move_bodies(state, setup, events);
    hold_all_inside(state, setup);
    keep_all_precise(state);
    end_shots(state, setup);
    mend_rocks(state, setup);
    take_pickups(state, setup, events);
    run_clock(state, setup, events);
    ++state.head->tick;
}

}  // namespace instep::worlds::arena
