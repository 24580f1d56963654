// SPDX-License-Identifier: MIT
// A seeded script of joins, leaves and inputs that suits any world: chronicles record its matches, and the
// laws of every world are tested on them. Players come and go at random, and each for a while plays like a
// bot, presses at random, or holds its keys; so a script sees empty rooms, full ones, and slots that are used
// again.
#pragma once

#include <array>
#include <cstdint>

#include <instep/match/match.h>
#include <instep/match/tick_builder.h>

namespace instep::match {

class RandomScript {
public:
    RandomScript(const Match& match, std::uint64_t seed)
        : match_(match), random_(math::Random::from_seed(seed)), tick_(match.setup()) {}

    // The inputs of the match's next tick; valid until the next call.
    TickBytes next();

private:
    enum class Mood : std::uint8_t { bot, random, hold };

    void play_or_leave(contract::Slot slot);

    const Match& match_;
    math::Random random_;
    TickBuilder tick_;
    std::array<Mood, contract::most_slots> moods_{};
};

}  // namespace instep::match
