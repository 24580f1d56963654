// SPDX-License-Identifier: MIT
// Bots for a local match: all of them join at the first tick and play until the match ends.
#pragma once

#include <cstdint>

#include <instep/match/match.h>
#include <instep/match/tick_builder.h>

namespace instep::cli {

// Adds the inputs that the world's bot chooses for the players in the first `count` slots.
void add_bot_inputs(const match::Match& match, std::uint32_t count, match::TickBuilder& tick);

class Bots {
public:
    // `count` is at most the level's most_players.
    Bots(const match::Match& match, std::uint32_t count, std::uint64_t seed);

    // The inputs of the match's next tick, valid until the next call.
    match::TickBytes next();

private:
    const match::Match& match_;
    match::TickBuilder tick_;
    std::uint32_t count_;
    std::uint64_t seed_;
};

}  // namespace instep::cli
