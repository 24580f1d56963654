// SPDX-License-Identifier: MIT
// A running match of a registered world: step, save, restore, hash.
#pragma once

#include <instep/match/match.h>
#include <instep/match/registry.h>
#include <instep/match/tick_builder.h>
