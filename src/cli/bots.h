// SPDX-License-Identifier: MIT
// A room full of bots: they all join at the first tick and play by the world's own bot until the match ends.
#pragma once

#include <cstdint>

#include <instep/match/match.h>
#include <instep/match/tick_builder.h>

namespace instep::cli {

class Bots {
public:
    // `count` must not be more than the level takes.
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
