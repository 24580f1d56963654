// SPDX-License-Identifier: MIT
// Adds arena to the worlds of the program that it is linked into.
#include <arena/arena.h>

#include <instep/game.h>

INSTEP_WORLD(instep::worlds::arena::World)
