// SPDX-License-Identifier: MIT
// The reference's player: a state machine around one physics object. Keys first, then the stance decides what
// they mean, then the object moves, then the stance reacts to the result, then ladders within reach are
// taken.
#include <cmath>

#include <foothold/player.h>

namespace instep::worlds::foothold {
namespace {

constexpr double air_brake = 0.025;          // px/tick² against the direction of flight
constexpr double ladder_jump_push = 8;       // of the walk force, off a ladder or rope
constexpr double ladder_jump_divisor = 1.5;  // of the jump force
constexpr double ladder_pause = 1000;        // ms until the next ladder can be taken
constexpr double ladder_reach = 10;          // px to either side
constexpr double ladder_probe = 5;           // px above or below the feet
constexpr double swim_force = 0.25;          // flyforce, px/tick²
constexpr std::uint8_t ladder_layer = 7;     // climbers are drawn in front

double walk_force_of(const Player& player, const Setup& setup) {
    // On ice it is as hard to get going as to stop, so that the top speed stays the same.
    return player.body.type == MotionType::ice ? setup.forces.walk * setup.map.friction : setup.forces.walk;
}

void drop_through(Player& player, const Setup& setup) {
    player.body.position.y = player.body.drop_height;
    if (!setup.rules.loose_joints) {  // so that the joint that holds feet to a slope does not hold these
        player.body.on_ground = false;
        player.body.velocity.x = 0;
    }
    enter(player, Stance::fall, setup);
}

// What a press of the jump key does, as a force for this tick.
double press_jump(Player& player, const Input& input, const Setup& setup) {
    const bool drops = input.down && player.body.can_drop;
    switch (player.stance) {
        case Stance::stand: return -setup.forces.jump;
        case Stance::walk:
            if (drops) drop_through(player, setup);
            return drops && !setup.rules.air_drops_forces ? 0 : -setup.forces.jump;
        case Stance::prone:
            if (drops) drop_through(player, setup);
            return 0;
        case Stance::sit: enter(player, Stance::stand, setup); return 0;
        case Stance::swim:
            if (setup.rules.swim_jump > 0)
                player.body.velocity.y = -setup.forces.jump * setup.rules.swim_jump;
            return 0;
        default: return 0;
    }
}

// Whether the jump key acts in this tick. A press in the air is kept for a while and acts after the landing.
bool takes_jump(Player& player, bool pressed, const Moment& moment) {
    const double buffer = moment.setup.rules.jump_buffer;
    if (pressed) {
        player.jump_pressed_at = player.stance == Stance::fall && buffer > 0 ? moment.clock.tick : 0;
        return true;
    }
    const bool stands = player.stance == Stance::stand || player.stance == Stance::walk;
    if (player.jump_pressed_at == 0 || !stands) return false;
    // One tick more: a player that has landed acts in the next one.
    const bool is_late = moment.clock.is_past(player.jump_pressed_at, buffer + moment.clock.ms(1));
    player.jump_pressed_at = 0;
    return !is_late;
}

void leave_ladder(Player& player, const Moment& moment) {
    player.ladder = 0;
    player.left_ladder_at = moment.clock.tick;
    enter(player, Stance::fall, moment.setup);
}

void climb(Player& player, const Input& input, const Moment& moment) {
    const Setup& setup = moment.setup;
    PhysicsObject& body = player.body;
    body.velocity.y = input.up == input.down ? 0 : input.up ? -setup.forces.climb : setup.forces.climb;
    if (!input.jump || !(input.left || input.right)) return;
    player.facing_right = input.right;
    body.velocity.x = ladder_jump_push * (input.left ? -setup.forces.walk : setup.forces.walk);
    body.velocity.y = -setup.forces.jump / ladder_jump_divisor;
    leave_ladder(player, moment);
}

void face_and_walk(Player& player, int way, const Setup& setup) {
    player.facing_right = way > 0;
    enter(player, Stance::walk, setup);
}

// The part of a stance before the motion: the force that keys make.
Vec2 act(Player& player, const Input& input, const Moment& moment) {
    const Setup& setup = moment.setup;
    PhysicsObject& body = player.body;
    const int way = input.walk();
    Vec2 force;
    const auto look_below = [&] {
        if (!body.can_drop) body.set(MotionFlags::check_below);
    };
    switch (player.stance) {
        case Stance::stand:
            look_below();
            if (way != 0) face_and_walk(player, way, setup);
            if (input.down && !input.up && !input.left && !input.right) enter(player, Stance::prone, setup);
            break;
        case Stance::walk:
            look_below();
            if (way != 0) {
                player.facing_right = way > 0;
                force.x = way * walk_force_of(player, setup);
            } else if (!input.left && !input.right && input.down) {
                enter(player, Stance::prone, setup);
            }
            break;
        case Stance::fall:
            if (way < 0 && body.velocity.x > 0) body.velocity.x -= air_brake;
            if (way > 0 && body.velocity.x < 0) body.velocity.x += air_brake;
            if (way != 0) player.facing_right = way > 0;
            break;
        case Stance::prone:
            look_below();
            if (input.up || !input.down) enter(player, Stance::stand, setup);
            if (input.left) face_and_walk(player, -1, setup);
            if (input.right) face_and_walk(player, 1, setup);
            break;
        case Stance::swim:
            force = {input.left    ? -swim_force
                     : input.right ? swim_force
                                   : 0,
                     input.up     ? -swim_force
                     : input.down ? swim_force
                                  : 0};
            if (way != 0) player.facing_right = way > 0;
            break;
        case Stance::ladder:
        case Stance::rope: climb(player, input, moment); break;
        case Stance::sit:
            if (way != 0) face_and_walk(player, way, setup);
            break;
        case Stance::dead: break;
    }
    return force;
}

bool has_left(const Ladder& ladder, double y, bool downwards) {
    const double feet = std::round(y);
    const double probe = downwards ? feet + ladder_probe : feet - ladder_probe;
    return probe > ladder.bottom || feet + ladder_probe < ladder.top;
}

void land(Player& player, const Input& input, const Moment& moment) {
    const bool lies_down = input.down && !input.left && !input.right;
    enter(player, lies_down ? Stance::prone : Stance::stand, moment.setup);
    moment.events.add({.position = player.body.position, .kind = EventKind::landed, .slot = player.slot});
}

// The part of a stance after the motion. `stance` is the one that the tick began with: one that it has just
// changed to has its say in the next tick.
void react(Player& player, Stance stance, const Input& input, const Moment& moment) {
    const Setup& setup = moment.setup;
    const PhysicsObject& body = player.body;
    const bool under_water = setup.is_water(body.position);
    switch (stance) {
        case Stance::stand:
        case Stance::sit:
            if (!body.on_ground) enter(player, Stance::fall, setup);
            break;
        case Stance::walk:
            if (!body.on_ground)
                enter(player, Stance::fall, setup);
            else if ((!input.left && !input.right) || body.velocity.x == 0)
                enter(player, Stance::stand, setup);
            break;
        case Stance::fall:
            // A player thrown off the ground is still on it for a tick.
            if (body.on_ground && body.velocity.y >= 0)
                land(player, input, moment);
            else if (under_water)
                enter(player, Stance::swim, setup);
            break;
        case Stance::swim:
            if (!under_water)
                enter(player, Stance::fall, setup);
            else if (body.on_ground)
                enter(player,
                      input.left || input.right ? Stance::walk
                      : input.down              ? Stance::prone
                                                : Stance::stand,
                      setup);
            break;
        case Stance::ladder:
        case Stance::rope:
            if (player.climbing() && has_left(setup.ladders[player.ladder - 1u], body.position.y, input.down))
                leave_ladder(player, moment);
            break;
        case Stance::prone:
            if (!body.on_ground && !setup.rules.loose_joints) enter(player, Stance::fall, setup);
            break;
        case Stance::dead: break;
    }
}

bool may_climb(const Player& player, const Moment& moment) {
    const Clock& clock = moment.clock;
    // The original counts the tick in which a ladder was left as one of the pause.
    const bool rested = player.left_ladder_at == 0 ||
                        clock.now() + clock.ms(1) >= clock.ms(player.left_ladder_at) + ladder_pause;
    return rested && clock.is_past(player.hurt_at, moment.setup.rules.climb_lock);
}

void look_for_ladder(Player& player, const Input& input, const Moment& moment) {
    if (player.climbing() || !(input.up || input.down) || !may_climb(player, moment)) return;
    PhysicsObject& body = player.body;
    const double x = std::round(body.position.x);
    const double probe = std::round(body.position.y) + (input.down ? ladder_probe : -ladder_probe);
    const std::vector<Ladder>& ladders = moment.setup.ladders;
    for (std::size_t i = 0; i < ladders.size(); ++i) {
        const Ladder& ladder = ladders[i];
        if (std::abs(ladder.x - x) > ladder_reach || probe < ladder.top || probe > ladder.bottom) continue;
        player.ladder = static_cast<std::uint16_t>(i + 1);
        player.attached_at = moment.clock.tick;
        body.position.x = ladder.x;
        body.velocity = {};
        body.layer = ladder_layer;
        enter(player, ladder.is_rope ? Stance::rope : Stance::ladder, moment.setup);
        return;
    }
}

}  // namespace

void move_reference_player(Player& player, const Input& input, const Moment& moment) {
    const Input before = player.input;
    player.input = input;
    double jump = 0;
    if (takes_jump(player, input.jump && !before.jump, moment))
        jump = press_jump(player, input, moment.setup);
    if (jump != 0)
        moment.events.add({.position = player.body.position, .kind = EventKind::jumped, .slot = player.slot});
    if (input.sit && !before.sit && player.stance == Stance::stand) enter(player, Stance::sit, moment.setup);

    const Stance stance = player.stance;
    Vec2 force = act(player, input, moment);
    force.y += jump;
    move_object(player.body, force, moment.setup.ground, moment.setup.quirks);
    react(player, stance, input, moment);
    const bool landed = stance == Stance::fall && player.stance != Stance::fall && player.body.on_ground;
    feel_the_fall(player, landed, moment);
    look_for_ladder(player, input, moment);
}

}  // namespace instep::worlds::foothold
