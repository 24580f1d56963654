// SPDX-License-Identifier: MIT
// Impacts must not create energy, but the solver can: friction spins a body while its bounce is still applied
// in full, and eight iterations leave an error. So the kinetic energy of every island (bodies that touch) is
// compared with what it was. If it grew, every body of the island keeps the same fraction s of its change of
// velocity dv, chosen so that the energy is what it was before.
//
//     energy                      + gain
//     before --*-----------------*------      along v + s dv the energy is a parabola in s; the solver went
//     to
//               \               /  s = 1      s = 1, and the other end of the chord has the energy of before:
//                `-._       _.-'              s = -2 (v · m dv) / (dv · m dv)
//                     `---'
//
// The changes of momentum within an island sum to zero, and so does any fraction of them: momentum and
// angular momentum are kept. Islands that lose energy, which is nearly always so, are left bit for bit as
// they are.
#pragma once

#include <instep/rigid/scratch.h>

namespace instep::rigid {

// Runs after the velocity iterations. Skips islands that a moving kinematic body or a conveyor touches, and
// those with joints: these do work on them.
void limit_energy_gain(Scratch& scratch);

}  // namespace instep::rigid
