// SPDX-License-Identifier: MIT
// Adds bounce to the worlds of the program that it is linked into.
#include <bounce/bounce.h>

#include <instep/game.h>

INSTEP_WORLD(instep::worlds::bounce::World)
