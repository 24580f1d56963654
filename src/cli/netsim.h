// SPDX-License-Identifier: MIT
// `instep netsim`: plays a match of bots over a simulated network and reports its cost, or a campaign of
// matches over bad links and reports failures. The seed determines everything, so a failure can be repeated.
#pragma once

#include <chrono>

#include <instep/cli/commands.h>
#include <instep/net/simulation.h>

namespace instep::cli {

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point start);

net::SimulationPlan make_plan(const NetsimOptions& options, const match::Setup& setup);

// False if a match failed.
Outcome<bool> play_campaign(const NetsimOptions& options);

}  // namespace instep::cli
