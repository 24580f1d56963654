// SPDX-License-Identifier: MIT
// Rigid bodies that can be rolled back, in a world or alone (rigid/standalone_space.h).
#pragma once

#include <instep/rigid/chain.h>
#include <instep/rigid/energy.h>
#include <instep/rigid/forces.h>
#include <instep/rigid/material.h>
#include <instep/rigid/mover.h>
#include <instep/rigid/one_way.h>
#include <instep/rigid/queries.h>
#include <instep/rigid/query.h>
#include <instep/rigid/sensors.h>
#include <instep/rigid/space.h>
#include <instep/rigid/standalone_space.h>
#include <instep/rigid/step.h>
#include <instep/state/scratch_pool.h>
