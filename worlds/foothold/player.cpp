// SPDX-License-Identifier: MIT
#include <foothold/player.h>

#include <algorithm>
#include <cmath>

namespace instep::worlds::foothold {

void enter(Player& player, Stance stance, const Setup& setup) {
    player.stance = stance;
    switch (stance) {
        case Stance::stand:
        case Stance::walk:
        case Stance::fall: player.body.type = setup.ground_type(); break;
        case Stance::swim: player.body.type = MotionType::swimming; break;
        case Stance::ladder:
        case Stance::rope: player.body.type = MotionType::fixated; break;
        case Stance::prone:
        case Stance::sit:
        case Stance::dead: break;
    }
}

void place(Player& player, Vec2 position, const Setup& setup) {
    player.body = {.position = position, .on_ground = false};
    player.ladder = 0;
    player.drop_lock = false;
    player.ignored_foothold = 0;
    player.jump_pressed_at = 0;
    player.fall_start = position.y;
    enter(player, Stance::fall, setup);
}

void knock(Player& player, bool to_the_right, const Setup& setup) {
    PhysicsObject& body = player.body;
    body.velocity = {speed_of(to_the_right ? knock_speed_x : -knock_speed_x, setup),
                     speed_of(-knock_speed_y, setup)};
    body.on_ground = false;
    body.foothold = 0;
    player.jump_pressed_at = 0;
    enter(player, Stance::fall, setup);
}

namespace {

void land_hard(Player& player, double distance, const Moment& moment) {
    const Rules& rules = moment.setup.rules;
    const double units =
        std::floor((distance - rules.fall_damage_threshold) / rules.fall_damage_threshold) + 1;
    const double share = std::floor(rules.most_health * rules.fall_damage_part * units + 0.5);
    const auto damage = static_cast<std::int32_t>(std::min(std::max(share, 1.0), 1e9));
    const std::int32_t left = std::max(1, player.health - damage);  // a fall alone does not kill
    moment.events.add({.position = player.body.position,
                       .amount = static_cast<double>(player.health - left),
                       .kind = EventKind::hurt,
                       .slot = player.slot});
    player.health = left;
    player.hurt_at = moment.clock.tick;
    player.fall_start = player.body.position.y;
    knock(player, !player.facing_right, moment.setup);
}

}  // namespace

void feel_the_fall(Player& player, bool landed, const Moment& moment) {
    const double y = player.body.position.y;
    const double distance = y - player.fall_start;
    if (landed && moment.setup.rules.fall_damage && distance > moment.setup.rules.fall_damage_threshold)
        land_hard(player, distance, moment);
    const bool floats =
        player.stance == Stance::swim && !moment.setup.is_web();  // there water breaks no fall
    const bool falls = !player.body.on_ground && !player.climbing() && !floats;
    player.fall_start = falls ? std::min(player.fall_start, y) : y;
}

}  // namespace instep::worlds::foothold
