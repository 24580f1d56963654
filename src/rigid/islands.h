// SPDX-License-Identifier: MIT
// Sleep. Bodies that touch form an island, and an island sleeps or wakes as one: a box asleep while the box
// under it still moves would hang in the air. Every step finds the islands anew from the contacts, by union
// and find; only how long each body has been still is kept.
//
//       [3]        [5]      Fixed bodies don't join islands, so these are two, {1, 2, 3} and {4, 5}.
//     [1] [2]      [4]      If 5 still rocks, 4 stays awake as well; 1, 2 and 3 may sleep.
//    =================
//
// Contacts within the margin join too, since they may push in this step. Under gravity a body without any
// contact does not sleep, however slow it is: a ball at the top of its flight is slow too. A body of which
// the state keeps only a motion never sleeps, nor does its island.
#pragma once

#include <instep/rigid/scratch.h>

namespace instep::rigid {

// Joins dynamic bodies that touch.
void find_islands(Scratch& scratch);

// The root of a body's island: the lowest body index in it.
std::uint32_t island_of(Scratch& scratch, std::uint32_t body);

// Marks the islands that a moving kinematic body touches and unmarks all others.
void mark_kinematic_islands(Scratch& scratch);

// Wakes islands that have an awake body or that a moving kinematic body touches.
void wake_islands(Scratch& scratch);

// Puts islands to sleep whose bodies have all been still for long enough.
void put_islands_to_sleep(const Setup& setup, Scratch& scratch);

}  // namespace instep::rigid
