// SPDX-License-Identifier: MIT
// Sleep. Bodies that touch form an island, and an island sleeps or wakes as one: a box taken to be at rest
// while the one under it still moves would hang in the air. Islands are found anew in every step from the
// contacts, by union and find; only how long each body has been still is kept.
//
//       [3]        [5]      floors and walls join nobody, so these are two islands, {1, 2, 3} and {4, 5}.
//     [1] [2]      [4]      If 5 still rocks, 4 stays awake as well; 1, 2 and 3 may sleep.
//    =================
//
// Contacts within the margin join too, for they may push in this very step. Where there is gravity, what has
// no contact at all does not sleep, however slow it is.
#pragma once

#include <instep/rigid/scratch.h>

namespace instep::rigid {

// Joins what touches. Bodies that nothing can push don't join: two stacks on one floor are two islands.
void find_islands(const Space& space, Scratch& scratch);

// The place of the body that stands for the island of one.
std::uint32_t island_of(Scratch& scratch, std::uint32_t body);

// Those that a moving kinematic body touches: a lift keeps its passengers awake. Everyone else's mark is
// taken away.
void mark_carried_islands(const Space& space, Scratch& scratch);

// An island of which one body is awake, or which a moving kinematic body touches, wakes.
void wake_islands(Space& space, const Setup& setup, Scratch& scratch);

// An island of which every body has been still for long enough falls asleep.
void put_islands_to_sleep(Space& space, const Setup& setup, Scratch& scratch);

}  // namespace instep::rigid
