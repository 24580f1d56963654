// SPDX-License-Identifier: MIT
#include <foothold/mob.h>

#include <algorithm>
#include <cmath>

#include <foothold/units.h>
#include <instep/contract/players.h>

namespace instep::worlds::foothold {
namespace {

constexpr double reference_dt =
    1 / ticks_per_second;  // s: the web client moves a staggering mob by one tick of the reference
constexpr std::uint32_t jump_chance = 4;  // one in this many decisions of a mob that can
constexpr double flight_height = 80;      // px that a flyer keeps to, above and below its home

void set_stance(Mob& mob, MobStance stance, std::uint32_t tick) {
    mob.stance = stance;
    mob.since = tick;
}

// A mob's random numbers depend on the match, the mob and the tick alone, not on what others drew before it.
math::Random draws_of(const State& state, const Mob& mob, const Clock& clock) {
    const std::uint64_t which = (std::uint64_t{clock.tick} << 16) | mob.home;
    return math::Random::from_seed(state.head->seed ^ (which * 0xd6e8feb86659fd93));
}

bool turns_at_edges(const MobKind& kind) { return !can_fly(kind); }

// In the tick after a jump a body still says that it is on the ground; only its speed knows better.
bool stands(const PhysicsObject& body) { return body.on_ground && body.velocity.y == 0; }

void walk_or_fly(Mob& mob, math::Random& random, const Moment& moment) {
    const Rules& rules = moment.setup.rules;
    set_stance(mob, MobStance::move, moment.clock.tick);
    mob.until = moment.clock.tick_in(random.uniform(rules.move_least, rules.move_most));
    mob.facing_right = random.below(2) == 0;
    mob.rising = static_cast<std::int8_t>(static_cast<int>(random.below(3)) - 1);
}

void stand(Mob& mob, math::Random& random, const Moment& moment) {
    const Rules& rules = moment.setup.rules;
    set_stance(mob, MobStance::stand, moment.clock.tick);
    mob.until = moment.clock.tick_in(random.uniform(rules.stand_least, rules.stand_most));
}

// Once; it keeps its direction until it decides again.
void jump(Mob& mob, math::Random& random, const Moment& moment) {
    const Rules& rules = moment.setup.rules;
    set_stance(mob, MobStance::jump, moment.clock.tick);
    mob.until = moment.clock.tick_in(random.uniform(rules.move_least, rules.move_most));
}

void decide(Mob& mob, const MobKind& kind, const State& state, const Moment& moment) {
    math::Random random = draws_of(state, mob, moment.clock);
    if (kind.motion == MobMotion::stands) return stand(mob, random, moment);
    if (mob.stance == MobStance::stand) return walk_or_fly(mob, random, moment);
    if (moment.setup.is_web()) return stand(mob, random, moment);  // by turns; the reference draws lots
    if (kind.can_jump && stands(mob.body) && random.below(jump_chance) == 0) return jump(mob, random, moment);
    if (random.below(3) == 0) return stand(mob, random, moment);
    walk_or_fly(mob, random, moment);
}

// Turns round where its patrol ends; a flyer also keeps to its height.
void keep_to_patrol(Mob& mob, const MobHome& home, const MobKind& kind) {
    const Vec2 at = mob.body.position;
    if (home.spawn.right > home.spawn.left) {
        if (at.x <= home.spawn.left) mob.facing_right = true;
        if (at.x >= home.spawn.right) mob.facing_right = false;
    }
    if (!can_fly(kind)) return;
    if (at.y < home.position.y - flight_height) mob.rising = 1;
    if (at.y > home.position.y + flight_height) mob.rising = -1;
}

// Whether it ran into an edge or a wall in its last tick: it has lost the flag and turns round when it moves.
bool was_stopped(const Mob& mob, const MobKind& kind) {
    return turns_at_edges(kind) && !mob.body.has(MotionFlags::turn_at_edges);
}

// Runs at its prey and turns when it is past it; false if there is no player to chase any more. Where an edge
// or a wall keeps it from a prey out of reach it waits, facing it; near its prey it turns round there.
bool chase(Mob& mob, const MobKind& kind, const State& state, const Moment& moment) {
    if (mob.prey == no_player) return false;
    const Player* prey = contract::find_player(state.players, mob.prey);
    if (!prey || !prey->alive() || moment.clock.is_reached(mob.angry_until)) {
        mob.prey = no_player;
        mob.waits = false;
        mob.until = moment.clock.tick;
        return false;
    }
    if (kind.motion == MobMotion::stands) return true;
    const Vec2 away = prey->body.position - mob.body.position;
    const double reach = moment.setup.rules.aggro_distance;
    const bool is_far = std::abs(away.x) > reach;
    const bool faces_prey = mob.facing_right == (away.x > 0);
    if (!is_far || !faces_prey) mob.waits = false;
    if (is_far) {
        if (was_stopped(mob, kind)) {
            mob.waits = faces_prey;
            mob.body.set(MotionFlags::turn_at_edges);
        }
        mob.facing_right = away.x > 0;
    }
    const MobStance stance = mob.waits ? MobStance::stand : MobStance::move;
    if (mob.stance != stance) set_stance(mob, stance, moment.clock.tick);
    mob.rising = away.y < -reach ? -1 : away.y > reach ? 1 : 0;
    return true;
}

void think(Mob& mob, const State& state, const Moment& moment) {
    const MobHome& home = moment.setup.mobs[mob.home];
    const MobKind& kind = moment.setup.kind_of(home);
    if (mob.stance == MobStance::hit) {
        if (!moment.clock.is_past(mob.since, moment.setup.rules.stagger_time)) return;
        set_stance(mob, MobStance::stand, moment.clock.tick);
    }
    if (mob.stance == MobStance::jump) set_stance(mob, MobStance::move, moment.clock.tick);
    if (chase(mob, kind, state, moment) || !moment.setup.rules.mobs_wander) return;
    if (moment.clock.is_reached(mob.until)) decide(mob, kind, state, moment);
    keep_to_patrol(mob, home, kind);
}

void come_back(Mob& mob, const Moment& moment) {
    mob = spawn_mob(moment.setup, mob.home);
    mob.since = moment.clock.tick;
    mob.until = moment.clock.tick_in(moment.setup.rules.stand_least);
    moment.events.add({.position = mob.body.position, .mob = mob.home, .kind = EventKind::mob_respawned});
}

// A mob that leaves the map is brought back.
void return_if_lost(Mob& mob, const Moment& moment) {
    if (moment.setup.rules.fall_out && mob.body.position.y >= moment.setup.ground.borders().high)
        come_back(mob, moment);
}

}  // namespace

MobForces forces_of(const MobKind& kind) {
    return {double{mob_force(kind.speed)}, double{mob_force(kind.fly_speed)}};
}

Mob spawn_mob(const Setup& setup, std::uint16_t index) {
    const MobHome& home = setup.mobs[index];
    const MobKind& kind = setup.kind_of(home);
    Mob mob{.health = kind.health, .home = index, .facing_right = home.spawn.facing_right};
    mob.body = {.position = home.position, .foothold = home.foothold, .on_ground = home.on_ground};
    if (home.on_ground) mob.body.layer = setup.ground[home.foothold].layer;
    if (kind.motion == MobMotion::flies) mob.body.type = MotionType::flying;
    if (kind.motion == MobMotion::swims) {
        mob.body.type = MotionType::swimming;
        mob.body.set(MotionFlags::no_gravity);
    }
    if (turns_at_edges(kind)) mob.body.set(MotionFlags::turn_at_edges);
    return mob;
}

void move_reference_mob(Mob& mob, const MobKind& kind, const MobForces& forces, const Setup& setup) {
    PhysicsObject& body = mob.body;
    if (was_stopped(mob, kind)) {
        mob.facing_right = !mob.facing_right;
        body.set(MotionFlags::turn_at_edges);
        if (mob.stance == MobStance::hit) mob.stance = MobStance::stand;
    }
    Vec2 force;
    // Where forces work in mid-air a walker must not use them: nothing would ever slow it down there.
    const bool pushes = stands(body) || setup.rules.air_drops_forces;
    switch (mob.stance) {
        case MobStance::move:
            if (can_fly(kind))
                force = {mob.facing_right ? forces.fly : -forces.fly, mob.rising * forces.fly};
            else if (pushes)
                force.x = mob.facing_right ? forces.walk : -forces.walk;
            break;
        case MobStance::hit: {
            const double strength = body.on_ground ? mob_knock_on_ground : mob_knock_in_air;
            force.x = mob.facing_right ? -strength : strength;
            break;
        }
        case MobStance::jump:
            if (pushes) force.y = -mob_jump;
            break;
        default: break;
    }
    move_object(body, force, setup.ground, setup.quirks);
}

void move_web_mob(Mob& mob, const MobKind& kind, const MobForces& forces, const Setup& setup, bool swims) {
    PhysicsObject& body = mob.body;
    constexpr double per_second = web::ticks_per_second;
    if (mob.stance == MobStance::hit) {
        const double strength = body.on_ground ? mob_knock_on_ground : mob_knock_in_air;
        web::move_object(body, {mob.knock * strength * per_second, 0}, setup.ground, setup.bounds,
                         reference_dt, false);
        return;
    }
    if (was_stopped(mob, kind)) {
        mob.facing_right = !mob.facing_right;
        body.set(MotionFlags::turn_at_edges);
    }
    Vec2 force;
    if (mob.stance == MobStance::move) force.x = (mob.facing_right ? forces.walk : -forces.walk) * per_second;
    web::move_object(body, force, setup.ground, setup.bounds, setup.dt, swims);
}

void move_mobs(State& state, const Moment& moment) {
    const Setup& setup = moment.setup;
    for (Mob& mob : state.mobs) {
        const MobHome& home = setup.mobs[mob.home];
        if (mob.stance == MobStance::die && moment.clock.is_past(mob.since, setup.rules.death_fade)) {
            set_stance(mob, MobStance::gone, moment.clock.tick);
        } else if (mob.stance == MobStance::gone && moment.clock.is_past(mob.since, home.spawn.respawn)) {
            come_back(mob, moment);
        }
        if (!mob.alive()) continue;
        think(mob, state, moment);
        const MobKind& kind = setup.kind_of(home);
        if (setup.is_web())
            move_web_mob(mob, kind, forces_of(kind), setup, setup.is_water(mob.body.position));
        else
            move_reference_mob(mob, kind, forces_of(kind), setup);
        return_if_lost(mob, moment);
    }
}

bool hit_mob(Mob& mob, std::int32_t damage, const Player& by, const Moment& moment) {
    const Rules& rules = moment.setup.rules;
    mob.health = std::max(0, mob.health - damage);
    const bool from_left = by.body.position.x < mob.body.position.x;
    mob.knock = from_left ? 1 : -1;
    mob.facing_right = !from_left;  // it looks at its attacker, and is pushed away from it
    moment.events.add({.position = mob.body.position,
                       .amount = static_cast<double>(damage),
                       .mob = mob.home,
                       .kind = EventKind::mob_hit,
                       .slot = by.slot});
    if (mob.health == 0) {
        mob.body.velocity = {};
        mob.prey = no_player;
        mob.waits = false;
        set_stance(mob, MobStance::die, moment.clock.tick);
        return true;
    }
    mob.prey = by.slot;
    mob.waits = false;
    mob.angry_until = moment.clock.tick_in(rules.stagger_time + rules.aggro_time);
    set_stance(mob, MobStance::hit, moment.clock.tick);
    return false;
}

Box body_of(const Mob& mob, const Setup& setup) {
    const Box& body = setup.kind_of(setup.mobs[mob.home]).body;
    return (mob.facing_right ? body.mirrored() : body).moved(mob.body.position);
}

}  // namespace instep::worlds::foothold
