// SPDX-License-Identifier: MIT
// How far a body goes in a step: its velocity times dt, within the rules' limits.
#pragma once

#include <cmath>

#include <instep/rigid/batches.h>
#include <instep/rigid/space.h>

namespace instep::rigid {

// Cuts velocities down to the limits and fills in shift and turn.
inline void limit_and_move(Mover& mover, const Rules& rules, double dt) {
    const double squared = math::length_squared(dt * mover.velocity);
    const double most = rules.max_translation;
    if (squared > most * most) mover.velocity *= most / std::sqrt(squared);
    const double turn = std::fabs(dt * mover.angular_velocity);
    if (turn > rules.max_rotation) mover.angular_velocity *= rules.max_rotation / turn;
    mover.shift = dt * mover.velocity;
    mover.turn = dt * mover.angular_velocity;
}

// How far the parts of a shape may swing while its body turns.
inline double swing_of(const Form& form, const Shape& shape, double turn) {
    return form.round ? 0 : std::fabs(turn) * shape.reach;
}

// Half of its core a step is slow: its middle is then still on its own side when the contact begins.
inline bool is_fast(const Form& form, const Mover& mover) {
    const double slow = 0.5 * form.core - (form.round ? 0 : std::fabs(mover.turn) * form.reach);
    return slow < 0 || math::length_squared(mover.shift) > slow * slow;
}

}  // namespace instep::rigid
