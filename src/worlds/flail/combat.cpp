// SPDX-License-Identifier: MIT
#include <instep/worlds/flail/combat.h>

#include <algorithm>

#include <instep/contract/players.h>
#include <instep/motion/distance.h>

namespace instep::worlds::flail {
namespace {

void kill(Player& victim, Player& killer, const Setup& setup, contract::Events<Event>& events) {
    victim.respawn_pause = setup.rules.respawn_pause;
    contract::add_score(killer.score, 1);
    killer.flail_size = std::min(killer.flail_size + setup.rules.growth, setup.rules.most_flail_size);
    events.add({.position = victim.body().position,
                .kind = EventKind::died,
                .slot = victim.slot,
                .by = killer.slot});
}

void strike(Player& striker, Player& victim, const Setup& setup, contract::Events<Event>& events) {
    const Particle& flail = rope_of(striker, setup).back();
    Particle& body = victim.body();
    if (!motion::circles_touch(flail.position, setup.flail_radius(striker.flail_size), body.position,
                               setup.rules.body_radius))
        return;
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
    if (victim.health == 0) kill(victim, striker, setup, events);
}

}  // namespace

double damage_at(double relative_speed, const Rules& rules) {
    return std::max(0.0, relative_speed - rules.harmless_speed) * rules.damage_per_speed;
}

void strike_all(State& state, const Setup& setup, contract::Events<Event>& events) {
    for (Player& player : state.players)
        if (player.hit_pause > 0) --player.hit_pause;
    for (Player& striker : state.players) {
        if (!striker.alive()) continue;
        for (Player& victim : state.players)
            if (&victim != &striker && victim.alive() && victim.hit_pause == 0)
                strike(striker, victim, setup, events);
    }
}

}  // namespace instep::worlds::flail
