// SPDX-License-Identifier: MIT
// Adds flail to the worlds of the program that it is linked into.
#include <flail/flail.h>

#include <instep/game.h>

INSTEP_WORLD(instep::worlds::flail::World)
