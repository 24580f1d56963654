// SPDX-License-Identifier: MIT
// Adds foothold to the worlds of the program that it is linked into.
#include <foothold/foothold.h>

#include <instep/game.h>

INSTEP_WORLD(instep::worlds::foothold::World)
