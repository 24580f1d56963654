// SPDX-License-Identifier: MIT
#include <arena/combat.h>

#include <algorithm>
#include <limits>

#include <arena/pickup.h>
#include <arena/rock.h>
#include <arena/weapon.h>
#include <instep/contract/players.h>

namespace instep::worlds::arena {
namespace {

void hit(Shot& shot, Player* ship, Vec2 at, State& state, const Setup& setup, Events<Event>& events) {
    if (!setup.rules.shots_bounce) shot.ticks_left = 0;
    if (!ship || !ship->alive() || state.head->showing_scores) return;
    if (are_mates(shot.owner, ship->slot, setup.rules)) return;
    ship->health -= salvo_of(shot.weapon, setup.rules).damage;
    if (shot.owner != ship->slot && setup.rules.claim_ticks > 0) {
        ship->attacker = shot.owner;
        ship->claim_ticks = setup.rules.claim_ticks;
    }
    events.add({.position = at, .kind = EventKind::hit, .slot = ship->slot, .by = shot.owner});
    if (ship->health <= 0) explode(*ship, shot.owner, state, setup, events);
}

// A ship that touches one body several times within touch_pause touches it once.
bool meets_anew(Player& player, rigid::Handle other, const Rules& rules) {
    const bool anew = player.met != other.id || player.met_ticks == 0;
    player.met = other.id;
    player.met_ticks = rules.touch_pause;
    return anew;
}

void collide(const rigid::ContactEvent& contact, State& state, const Setup& setup,
             const rigid::BodyPools& bodies, Events<Event>& events) {
    Player* first = bodies.find(state.players, contact.a);
    Player* second = bodies.find(state.players, contact.b);
    if (!first && !second) return;
    bool anew = false;
    if (first) anew = meets_anew(*first, contact.b, setup.rules) || anew;
    if (second) anew = meets_anew(*second, contact.a, setup.rules) || anew;
    if (!anew) return;
    events.add({.position = contact.point,
                .speed = contact.speed,
                .kind = EventKind::collision,
                .slot = first ? first->slot : second->slot,
                .by = first && second ? second->slot : no_player});
}

double clearance_at(Vec2 point, const State& state, const Setup& setup) {
    double least = std::numeric_limits<double>::max();
    for (const Player& player : state.players)
        if (player.alive()) least = std::min(least, distance(point, player.ship.position));
    for (std::uint32_t i = 0; i < state.rocks.size(); ++i)
        if (state.rocks[i].is_there())
            least = std::min(least, distance(point, state.rocks[i].flight.position) - setup.rocks[i].radius);
    return least;
}

}  // namespace

void judge_contacts(State& state, const Setup& setup, const rigid::BodyPools& bodies,
                    std::span<const rigid::ContactEvent> contacts, Events<Event>& events) {
    using Kind = rigid::ContactEvent::Kind;
    for (const rigid::ContactEvent& contact : contacts) {
        if (contact.kind == Kind::end) continue;
        // Shots have the highest ids, and there is no contact of two of them.
        Shot* shot = bodies.find(state.shots, contact.b);
        if (!shot && contact.kind == Kind::hit) collide(contact, state, setup, bodies, events);
        if (shot && contact.kind == Kind::begin && shot->ticks_left > 0)
            hit(*shot, bodies.find(state.players, contact.a), contact.point, state, setup, events);
        if (shot && contact.kind == Kind::begin)
            if (const Rock* rock = bodies.find(state.rocks, contact.a))
                hit_rock(state, static_cast<std::uint32_t>(rock - state.rocks.begin()), setup, events);
    }
}

void drop_claim(Player& player) {
    player.attacker = no_player;
    player.claim_ticks = 0;
}

void explode(Player& player, Slot by, State& state, const Setup& setup, Events<Event>& events) {
    // A ship that ends itself while another may claim it does not deny that kill.
    if (by == player.slot && player.attacker != no_player) by = player.attacker;
    drop_claim(player);
    player.health = 0;
    player.respawn_pause = setup.rules.respawn_pause;
    ++player.deaths;
    if (by == player.slot) {
        contract::add_score(player.score, -setup.rules.own_kill_cost);
    } else if (Player* killer = contract::find_player(state.players, by)) {
        contract::add_score(killer->score, setup.rules.kill_score);
        ++killer->kills;
    }
    events.add(
        {.position = player.ship.position, .kind = EventKind::explosion, .slot = player.slot, .by = by});
}

void run_pauses(State& state) {
    for (Player& player : state.players) {
        if (player.met_ticks > 0) --player.met_ticks;
        if (player.claim_ticks > 0) --player.claim_ticks;
        if (player.claim_ticks == 0) player.attacker = no_player;
    }
}

void end_shots(State& state, const Setup& setup) {
    state.shots.remove_if([&](Shot& shot) {
        if (shot.ticks_left > 0) --shot.ticks_left;
        return shot.ticks_left == 0 || !setup.holds(shot.flight.position, 0);
    });
}

void take_out_shots_of(State& state, Slot owner) {
    state.shots.remove_if([owner](const Shot& shot) { return shot.owner == owner; });
}

void make_whole(Player& player, const Setup& setup) {
    player.heat = 0;
    player.overheated = false;
    player.fire_pause = 0;
    player.respawn_pause = 0;
    player.health = setup.rules.most_health;
    player.weapon = Weapon::cannon;
    player.ammunition = 0;
    drop_claim(player);
}

void launch(Player& player, const State& state, const Setup& setup) {
    const Start* best = &setup.starts.front();
    double most = -std::numeric_limits<double>::max();
    const std::uint32_t teams = setup.rules.teams;
    const bool has_camps = teams > 1 && setup.starts.size() >= teams;  // teams alternate in the list, too
    for (std::size_t i = 0; i < setup.starts.size(); ++i) {
        if (has_camps && i % teams != player.slot % teams) continue;
        const Start& start = setup.starts[i];
        const double clearance = clearance_at(start.position, state, setup);
        if (clearance <= most) continue;
        most = clearance;
        best = &start;
    }
    player.ship = {.position = best->position, .angle = best->angle};
    make_whole(player, setup);
}

void respawn_the_dead(State& state, const Setup& setup, Events<Event>& events) {
    for (Player& player : state.players) {
        if (player.alive()) continue;
        if (player.respawn_pause > 1) {
            --player.respawn_pause;
            continue;
        }
        launch(player, state, setup);
        events.add({.position = player.ship.position, .kind = EventKind::respawned, .slot = player.slot});
    }
}

void begin_match(State& state, const Setup& setup) {
    state.head->showing_scores = false;
    state.head->ticks_left = setup.rules.match_ticks;
    state.shots.remove_if([](const Shot&) { return true; });
    state.touches.remove_if([](const Touch&) { return true; });
    state.departed.remove_if([](const Departed&) { return true; });
    place_rocks(state, setup);
    place_pickups(state, setup);
    for (Player& player : state.players) {
        player.score = 0;
        player.kills = player.deaths = 0;
        player.respawn_pause = 1;  // so that those placed before ignore it
    }
    for (Player& player : state.players) launch(player, state, setup);
}

void run_clock(State& state, const Setup& setup, Events<Event>& events) {
    Head& head = *state.head;
    if (--head.ticks_left > 0) return;
    if (head.showing_scores) {
        ++head.match;
        begin_match(state, setup);
        events.add({.kind = EventKind::match_began});
    } else {
        head.showing_scores = true;
        head.ticks_left = setup.rules.scoreboard_ticks;
        state.shots.remove_if([](const Shot&) { return true; });
        events.add({.kind = EventKind::match_over});
    }
}

}  // namespace instep::worlds::arena
