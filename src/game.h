// SPDX-License-Identifier: MIT
// What a game's sources include: a world's contract, the physics, and INSTEP_WORLD, which adds a world to the
// program.
#pragma once

#include <instep/match/registry.h>
#include <instep/world.h>
