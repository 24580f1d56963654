// SPDX-License-Identifier: MIT
// One mob: what it decides, and how its stance moves its body. Deciding is ours, after the document's state
// machine; moving is the original's, in both models.
#pragma once

#include <foothold/player.h>

namespace instep::worlds::foothold {

inline constexpr double mob_knock_on_ground = 0.2;  // KB_FORCE_GROUND, px/tick²
inline constexpr double mob_knock_in_air = 0.1;     // KB_FORCE_AIR, px/tick²
inline constexpr double mob_jump = 5;               // vforce of Stance::JUMP, px/tick²

struct MobForces {
    double walk = 0, fly = 0;  // px/tick²
};
MobForces forces_of(const MobKind& kind);

inline bool can_fly(const MobKind& kind) {
    return kind.motion == MobMotion::flies || kind.motion == MobMotion::swims;
}

// A mob at home, with all of its health.
Mob spawn_mob(const Setup& setup, std::uint16_t home);

// One tick of its body, after Mob::update of the reference.
void move_reference_mob(Mob& mob, const MobKind& kind, const MobForces& forces, const Setup& setup);
// One step of its body, after updateLifeAnimations of the web client.
void move_web_mob(Mob& mob, const MobKind& kind, const MobForces& forces, const Setup& setup, bool swims);

// All mobs: those that are gone come back, those that live decide and move.
void move_mobs(State& state, const Moment& moment);

// Hits a mob; true if that was its end.
bool hit_mob(Mob& mob, std::int32_t damage, const Player& by, const Moment& moment);

// Where its body is.
Box body_of(const Mob& mob, const Setup& setup);

}  // namespace instep::worlds::foothold
