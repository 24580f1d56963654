// SPDX-License-Identifier: MIT
#include <flail/combat.h>

#include <algorithm>

#include <instep/contract/players.h>
#include <instep/motion/distance.h>

namespace instep::worlds::flail {
namespace {

void kill(Player& victim, Player& killer, Slot king, const Setup& setup, contract::Events<Event>& events) {
    victim.respawn_pause = setup.rules.respawn_pause;
    contract::add_score(killer.score, victim.slot == king ? 1 + setup.rules.king_bounty : 1);
    killer.flail_size = std::min(killer.flail_size + setup.rules.growth, setup.rules.most_flail_size);
    events.add({.position = victim.body().position,
                .kind = EventKind::died,
                .slot = victim.slot,
                .by = killer.slot});
}

// The flails of two players, of which the first comes earlier in the pool.
void clash(Player& first, Player& second, Vec2 from_first, Vec2 from_second, const Setup& setup,
           contract::Events<Event>& events) {
    Particle& a = rope_of(first, setup).back();
    Particle& b = rope_of(second, setup).back();
    const double reach = setup.flail_radius(first.flail_size) + setup.flail_radius(second.flail_size);
    const auto part = motion::first_within(from_first - from_second, a.position - b.position, reach);
    if (!part) return;
    const Vec2 met_a = from_first + (a.position - from_first) * *part;
    const Vec2 met_b = from_second + (b.position - from_second) * *part;
    const Vec2 normal = normalized_or_zero(met_a - met_b);
    const double approach = dot(b.velocity - a.velocity, normal);
    if (approach <= 0) return;
    if (*part > 0) {  // they stop where they met; those that overlapped before move on
        a.position = met_a;
        b.position = met_b;
    }
    const double mass_a = first.flail_size;
    const double mass_b = second.flail_size;
    const double exchanged = (1 + setup.rules.clash_restitution) * approach / (mass_a + mass_b);
    a.velocity += normal * (exchanged * mass_b);
    b.velocity -= normal * (exchanged * mass_a);
    if (approach > setup.rules.harmless_speed)
        events.add({.position = (met_a + met_b) * 0.5,
                    .kind = EventKind::clash,
                    .slot = first.slot,
                    .by = second.slot});
}

// `from` is where the flail was at the start of the tick, seen from the victim's body.
void strike(Player& striker, Player& victim, Vec2 from, Slot king, const Setup& setup,
            contract::Events<Event>& events) {
    const Particle& flail = rope_of(striker, setup).back();
    Particle& body = victim.body();
    const double reach = setup.flail_radius(striker.flail_size) + setup.rules.body_radius;
    if (!motion::first_within(from, flail.position - body.position, reach)) return;
    const Vec2 relative = flail.velocity - body.velocity;
    const double damage = damage_at(length(relative), setup.rules);
    if (damage <= 0) return;
    victim.health = std::max(0.0, victim.health - damage);
    victim.hit_pause = setup.rules.hit_pause;
    body.velocity += relative * setup.rules.knock_back;
    events.add({.position = body.position,
                .amount = damage,
                .kind = EventKind::hit,
                .slot = victim.slot,
                .by = striker.slot});
    if (victim.health == 0) kill(victim, striker, king, setup, events);
}

Slot slot_of(const Player* player) { return player ? player->slot : no_player; }

}  // namespace

double damage_at(double relative_speed, const Rules& rules) {
    const double excess = std::max(0.0, relative_speed - rules.harmless_speed);
    return std::min(excess * rules.damage_per_speed, rules.most_damage);
}

void clash_all(State& state, const Setup& setup, const TickStart& start, contract::Events<Event>& events) {
    for (std::uint32_t i = 0; i < state.players.size(); ++i)
        for (std::uint32_t j = i + 1; j < state.players.size(); ++j)
            if (state.players[i].fights() && state.players[j].fights())
                clash(state.players[i], state.players[j], start.flails[i], start.flails[j], setup, events);
}

void strike_all(State& state, const Setup& setup, const TickStart& start, contract::Events<Event>& events) {
    for (Player& player : state.players) {
        if (player.hit_pause > 0) --player.hit_pause;
        if (player.protection > 0) --player.protection;
    }
    const Slot king = slot_of(king_of(state.players));
    for (std::uint32_t i = 0; i < state.players.size(); ++i) {
        Player& striker = state.players[i];
        if (!striker.fights()) continue;
        for (std::uint32_t j = 0; j < state.players.size(); ++j) {
            Player& victim = state.players[j];
            if (i != j && victim.fights() && victim.hit_pause == 0)
                strike(striker, victim, start.flails[i] - start.bodies[j], king, setup, events);
        }
    }
    const Player* next = king_of(state.players);
    if (next && next->slot != king && setup.rules.king_bounty > 0)
        events.add({.position = next->body().position, .kind = EventKind::crowned, .slot = next->slot});
}

}  // namespace instep::worlds::flail
