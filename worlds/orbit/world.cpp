// SPDX-License-Identifier: MIT
// Adds orbit to the worlds of the program that it is linked into.
#include <orbit/orbit.h>

#include <instep/game.h>

INSTEP_WORLD(instep::worlds::orbit::World)
