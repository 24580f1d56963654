// SPDX-License-Identifier: MIT
// What a world is made of: numbers, fields, pools, players, events, the draw list. contract/world.h lists the
// functions of a world.
#pragma once

#include <instep/contract/basic_player.h>
#include <instep/contract/defaults.h>
#include <instep/contract/owned.h>
#include <instep/contract/players.h>
#include <instep/contract/world.h>
#include <instep/math/rotation.h>
#include <instep/math/trig.h>
#include <instep/math/units.h>
#include <instep/math/vec2.h>
#include <instep/motion/box.h>
#include <instep/motion/disc.h>
#include <instep/motion/spring.h>
#include <instep/state/layout.h>
