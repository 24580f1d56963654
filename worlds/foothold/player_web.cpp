// SPDX-License-Identifier: MIT
// The web client's player, updatePlayer step by step: keys, ropes, then ground or air, then where that leads.
// Speeds are in px/s; forces are the reference's, per tick of 8 ms.
#include <algorithm>
#include <cmath>

#include <foothold/player.h>

namespace instep::worlds::foothold {
namespace {

constexpr double rope_jump_push = 6;        // PHYS_ROPE_JUMP_HMULT
constexpr double rope_jump_divisor = 1.5;   // PHYS_ROPE_JUMP_VDIV
constexpr double climb_action_delay = 200;  // PHYS_CLIMB_ACTION_DELAY_MS
// ms until any rope can be taken again. The client also locks the one that was left, for 200 ms, which is
// over by then and never seen.
constexpr double climb_cooldown = 400;
constexpr double rope_tolerance = 20;         // max(20, round(58 · 0.33)), px
constexpr double rope_margin = 12;            // px to either side when climbing up
constexpr double rope_bottom_tolerance = 12;  // max(12, round(rope_tolerance · 0.5)), px
constexpr double rope_probe = 5;              // px
constexpr double rope_exit_distance = 24;     // to the ground at either end, px
constexpr double drop_jump_part = 0.35;       // of a jump, when dropping through a platform
constexpr double drop_ignore_time = 260;      // ms
constexpr double swim_side_force = 0.12;      // PHYS_SWIM_HFORCE, px/tick²
constexpr double swim_up_force = 0.25;        // PHYS_FLYFORCE, px/tick²
constexpr double swim_down_force = 0.12;      // px/tick²
constexpr double bounds_margin = 40;          // px beyond the bounds

// findAttachableRope: the nearest in reach, counted from 1; 0 if none is in reach.
std::uint16_t find_rope(const Setup& setup, Vec2 at, bool upwards) {
    const double probe = upwards ? at.y - rope_probe : at.y + rope_probe;
    const double margin = upwards ? rope_margin : rope_tolerance;
    const double above = upwards ? 0 : rope_tolerance;
    const double below = upwards ? 0 : rope_bottom_tolerance;
    std::uint16_t best = 0;
    double nearest = 0;
    for (std::size_t i = 0; i < setup.ladders.size(); ++i) {
        const Ladder& rope = setup.ladders[i];
        const double away = std::abs(at.x - rope.x);
        if (away > margin || probe < rope.top - above || probe > rope.bottom + below) continue;
        if (best != 0 && away >= nearest) continue;
        best = static_cast<std::uint16_t>(i + 1);
        nearest = away;
    }
    return best;
}

void leave_rope(Player& player, const Moment& moment) {
    player.left_ladder_at = moment.clock.tick;
    player.ladder = 0;
}

void stand_on(Player& player, const web::Ground& ground, const Moment& moment) {
    leave_rope(player, moment);
    player.body.position.y = ground.y;
    player.body.velocity = {};
    player.body.foothold = ground.foothold;
    player.body.on_ground = true;
}

void take_rope(Player& player, std::uint16_t rope, const Moment& moment) {
    player.ladder = rope;
    player.attached_at = moment.clock.tick;
    player.body.position.x = moment.setup.ladders[rope - 1u].x - 1;  // climbSnapX
    player.body.velocity = {};
    player.body.on_ground = false;
    player.body.foothold = 0;
}

void jump_off_rope(Player& player, int way, const Moment& moment) {
    const Forces& forces = moment.setup.forces;
    player.body.velocity = {way * forces.walk * rope_jump_push * web::ticks_per_second,
                            -(forces.jump / rope_jump_divisor) * web::ticks_per_second};
    leave_rope(player, moment);
}

void climb(Player& player, const Input& input, const Moment& moment) {
    const Setup& setup = moment.setup;
    const Ladder rope = setup.ladders[player.ladder - 1u];
    PhysicsObject& body = player.body;
    const bool at_top = body.position.y <= rope.top;
    const bool at_bottom = body.position.y >= rope.bottom;
    const bool up = input.up && !input.down;
    const bool down = input.down && !input.up;
    const double way = up && !at_top ? -1 : down && !at_bottom ? 1 : 0;
    const bool goes_down = way > 0;

    body.position.x = rope.x - 1;
    body.position.y += way * setup.forces.climb * web::ticks_per_second * setup.dt;
    body.velocity = {0, way * setup.forces.climb * web::ticks_per_second};
    if ((at_top && up) || (at_bottom && down)) {
        const double end = at_top && up ? rope.top : rope.bottom;
        const web::Ground exit = web::find_near(setup.ground, body.position.x, end, rope_exit_distance);
        if (exit.foothold != 0) return stand_on(player, exit, moment);
    }
    const double feet = body.position.y;
    const double probe = goes_down ? feet + rope_probe : feet - rope_probe;
    if (!(probe > rope.bottom || feet + rope_probe < rope.top)) return;  // ladderFellOff
    if (!goes_down && feet + rope_probe < rope.top) {
        body.position.y = rope.top;
        body.velocity.y = 0;
    } else if (goes_down && feet > rope.bottom) {
        leave_rope(player, moment);
    }
}

// On the ground: friction and the walking force, then a jump or a drop.
void run(Player& player, const Input& input, int way, FootholdIndex current, const Moment& moment) {
    const Setup& setup = moment.setup;
    PhysicsObject& body = player.body;
    const Foothold& here = setup.ground[current];
    const double slope = here.exists() ? here.slope : 0;
    const double speed =
        web::speed_on_ground(body.velocity.x / web::ticks_per_second, way * setup.forces.walk, slope,
                             setup.dt * web::ticks_per_second);
    body.velocity = {speed * web::ticks_per_second, 0};
    if (!input.jump) return;
    const double jump = setup.forces.jump * web::ticks_per_second;
    if (!input.down) {
        body.velocity.y = -jump;
        player.ignored_foothold = 0;
        player.drop_lock = false;
    } else {
        if (!here.exists() || here.is_wall) return;
        const double height = web::height_on(here, body.position.x);
        const web::Ground below = web::find_below(setup.ground, body.position.x, height + 1, current);
        if (below.foothold == 0 || !(below.y - height < foothold_longest_drop)) return;
        body.position.y = height + 1;
        body.velocity = {0, -jump * drop_jump_part};
        player.ignored_foothold = current;
        player.dropped_at = moment.clock.tick;
        player.drop_lock = true;
    }
    body.on_ground = false;
    body.foothold = 0;
    moment.events.add({.position = body.position, .kind = EventKind::jumped, .slot = player.slot});
}

void swim(Player& player, const Input& input, const Setup& setup) {
    Vec2 speed = player.body.velocity / web::ticks_per_second;
    if (input.jump && !player.drop_lock) speed.y = -setup.forces.jump * setup.rules.swim_jump;
    const double side = input.walk() * swim_side_force;
    const double rise = input.up == input.down ? 0 : input.up ? -swim_up_force : swim_down_force;
    const double ticks = setup.dt * web::ticks_per_second;
    for (int k = 0; k < ticks; ++k) {  // whole ticks, the last one too
        speed.x += side - web::swim_side_friction * speed.x;
        speed.y += rise - web::swim_friction * speed.y + web::swim_gravity;
    }
    if (side == 0 && std::abs(speed.x) < foothold_dead_zone) speed.x = 0;
    if (rise == 0 && std::abs(speed.y) < foothold_dead_zone) speed.y = 0;
    player.body.velocity = speed * web::ticks_per_second;
}

void drift(Player& player, int way, const Setup& setup) {
    Vec2 speed = player.body.velocity / web::ticks_per_second;
    const double ticks = setup.dt * web::ticks_per_second;
    speed.y += foothold_gravity * ticks;
    if (way < 0 && speed.x > 0) speed.x -= web::fall_brake * ticks;
    if (way > 0 && speed.x < 0) speed.x += web::fall_brake * ticks;
    player.body.velocity = speed * web::ticks_per_second;
    const double cap = setup.rules.fall_speed_cap;
    if (cap > 0) player.body.velocity.y = std::min(player.body.velocity.y, cap);
}

// Not on a rope: forces, then motion. Returns whether it landed.
bool move_freely(Player& player, const Input& input, int way, const Moment& moment) {
    const Setup& setup = moment.setup;
    PhysicsObject& body = player.body;
    FootholdIndex current = setup.ground[body.foothold].self;
    if (current == 0) current = web::find_below(setup.ground, body.position.x, body.position.y).foothold;

    if (body.on_ground) run(player, input, way, current, moment);
    bool swims = false;
    if (!body.on_ground) {
        swims = setup.is_water(body.position);
        if (swims)
            swim(player, input, setup);
        else
            drift(player, way, setup);
    }
    body.type = swims ? MotionType::swimming : MotionType::normal;

    if (body.on_ground && (current == 0 || setup.ground[current].is_wall)) body.on_ground = false;
    if (body.on_ground) {
        body.foothold = current;
        web::walk(body, setup.ground, setup.dt);
        return false;
    }
    const bool ignores = !moment.clock.is_past(player.dropped_at, drop_ignore_time);
    const bool landed =
        web::fall(body, setup.ground, setup.dt, ignores ? player.ignored_foothold : FootholdIndex{0});
    if (landed) {
        player.drop_lock = false;
        player.ignored_foothold = 0;
        moment.events.add({.position = body.position, .kind = EventKind::landed, .slot = player.slot});
    }
    return landed;
}

void hold_in_bounds(PhysicsObject& body, const Setup& setup) {
    const double held = web::hold_between_side_walls(setup.ground, body.position.x);
    if ((held > body.position.x && body.velocity.x < 0) || (held < body.position.x && body.velocity.x > 0))
        body.velocity.x = 0;
    body.position.x =
        std::max(setup.bounds.left - bounds_margin, std::min(setup.bounds.right + bounds_margin, held));
}

// The web client has no stances; this is what its player looks like.
Stance stance_of(const Player& player, const Input& input, const Setup& setup) {
    if (player.climbing()) return setup.ladders[player.ladder - 1u].is_rope ? Stance::rope : Stance::ladder;
    if (!player.body.on_ground) return player.body.type == MotionType::swimming ? Stance::swim : Stance::fall;
    if (input.down) return Stance::prone;
    return player.body.velocity.x == 0 ? Stance::stand : Stance::walk;
}

}  // namespace

void move_web_player(Player& player, const Input& input, const Moment& moment) {
    const Setup& setup = moment.setup;
    const Clock& clock = moment.clock;
    PhysicsObject& body = player.body;
    player.input = input;
    const int way = input.walk();
    const std::uint16_t rope_below = input.down ? find_rope(setup, body.position, false) : std::uint16_t{0};
    const bool rope_first = rope_below != 0 && body.on_ground;
    const bool crouches = input.down && body.on_ground && !player.climbing() && !rope_first;
    const int steered = crouches || (player.drop_lock && !body.on_ground) ? 0 : way;
    if (!player.climbing() && steered != 0) player.facing_right = steered > 0;

    if (!player.climbing() && (clock.is_past(player.left_ladder_at, climb_cooldown) || rope_first) &&
        clock.is_past(player.hurt_at, setup.rules.climb_lock)) {
        const std::uint16_t rope =
            input.up && !input.down ? find_rope(setup, body.position, true) : rope_below;
        if (rope != 0) take_rope(player, rope, moment);
    }

    bool landed = false;
    if (player.climbing()) {
        player.facing_right = false;
        body.type = MotionType::fixated;
        if (input.jump && way != 0 && clock.is_past(player.attached_at, climb_action_delay))
            jump_off_rope(player, way, moment);
        else
            climb(player, input, moment);
    } else {
        landed = move_freely(player, input, steered, moment);
    }
    feel_the_fall(player, landed, moment);
    hold_in_bounds(body, setup);
    player.stance = stance_of(player, input, setup);
}

}  // namespace instep::worlds::foothold
