// SPDX-License-Identifier: MIT
// One player: how keys become motion. The two originals do it so differently that each has a file of its own
// (player_reference.cpp, player_web.cpp); what both need is here.
#pragma once

#include <foothold/clock.h>
#include <foothold/state.h>
#include <instep/contract/events.h>

namespace instep::worlds::foothold {

using Events = contract::Events<Event>;

// What the phases of a tick need besides the player itself.
struct Moment {
    const Setup& setup;
    Clock clock;
    Events& events;
};

// One tick of a living player, after the reference's PlayerStates.
void move_reference_player(Player& player, const Input& input, const Moment& moment);
// One step of a living player, after updatePlayer of the web client.
void move_web_player(Player& player, const Input& input, const Moment& moment);

// Changes the stance and the type of motion that belongs to it.
void enter(Player& player, Stance stance, const Setup& setup);

// Puts a player down in the air, at rest, at this position.
void place(Player& player, Vec2 position, const Setup& setup);

// The effects of a hit: speeds of PlayerStates and of the document, px/tick.
inline constexpr double knock_speed_x = 1.5;  // TRAP_KNOCKBACK_HSPEED
inline constexpr double knock_speed_y = 3.5;  // TRAP_KNOCKBACK_VSPEED

// px/tick in the unit in which the model keeps speeds.
inline double speed_of(double per_tick, const Setup& setup) {
    return setup.is_web() ? per_tick * web::ticks_per_second : per_tick;
}

// Throws a player off its feet.
void knock(Player& player, bool to_the_right, const Setup& setup);

// Keeps the highest point of a fall, and lets a long one hurt when it ends. Called after each tick of motion.
void feel_the_fall(Player& player, bool landed, const Moment& moment);

}  // namespace instep::worlds::foothold
