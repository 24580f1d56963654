// SPDX-License-Identifier: MIT
// Impacts create no energy. What the solver comes to can: friction turns a body while it bounces and the
// bounce is still asked for in full, and eight passes leave something undone. So what it has made of the
// bodies that touch each other, an island, is looked at as a whole. If they have won energy, all of them get
// the same part of their changes of velocity, as much as leaves them with what they had.
//
//     energy                      + won
//     before --*-----------------*------      along v + s dv, the energy is a parabola in s; the solver went
//               \               /  s = 1      to s = 1, and the other end of the chord is where it is as
//                `-._       _.-'              before: s = -2 (v · m dv) / (dv · m dv)
//                     `---'
//
// A part of changes that sum up to nothing sums up to nothing: momentum and angular momentum stay what they
// are. Bodies that lose energy, which is nearly always so, keep every bit.
#pragma once

#include <instep/rigid/scratch.h>

namespace instep::rigid {

// Between solving velocities and moving. Islands that a moving kinematic body touches are left alone: it does
// work on them.
void take_back_won_energy(const Space& space, const Setup& setup, Scratch& scratch);

}  // namespace instep::rigid
