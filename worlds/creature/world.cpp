// SPDX-License-Identifier: MIT
// Adds creature to the worlds of the program that it is linked into.
#include <creature/creature.h>

#include <instep/game.h>

INSTEP_WORLD(instep::worlds::creature::World)
