// SPDX-License-Identifier: MIT
// `instep netsim`: a match of bots over a simulated network and its statistics, or a campaign of matches over
// bad networks and their faults. Everything comes from the seed, so a failure can be reproduced.
#pragma once

#include <chrono>

#include <instep/cli/commands.h>
#include <instep/net/simulation.h>

namespace instep::cli {

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point start);

net::SimulationPlan make_plan(const NetsimOptions& options, const match::Setup& setup);

// Many matches, several at a time; false if one of them failed.
Outcome<bool> play_campaign(const NetsimOptions& options);

}  // namespace instep::cli
