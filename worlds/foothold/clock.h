// SPDX-License-Identifier: MIT
// The time for pauses and waits. A state keeps the ticks in which things happened; here they become
// milliseconds, computed as in the web client, so that a wait ends in the same step as
// in that client.
#pragma once

#include <cmath>
#include <cstdint>

#include <foothold/state.h>

namespace instep::worlds::foothold {

struct Clock {
    std::uint32_t tick = 0;  // that is being stepped, counted from 1
    double rate = 125;       // Hz

    static Clock of(const State& state, const Setup& setup) {
        return {static_cast<std::uint32_t>(state.head->tick + 1), static_cast<double>(setup.rules.tick_rate)};
    }

    double ms(std::uint32_t at) const { return static_cast<double>(at) * 1000 / rate; }
    double now() const { return ms(tick); }
    // Whether at least this many milliseconds have passed since then; true if it never happened.
    bool is_past(std::uint32_t since, double milliseconds) const {
        return since == 0 || now() >= ms(since) + milliseconds;
    }
    // The tick that is this many milliseconds away, the next one at the earliest.
    std::uint32_t tick_in(double milliseconds) const {
        const double ticks = std::ceil(milliseconds * rate / 1000);
        return tick + static_cast<std::uint32_t>(ticks < 1 ? 1 : ticks > 1e9 ? 1e9 : ticks);
    }
    bool is_reached(std::uint32_t at) const { return static_cast<std::int32_t>(tick - at) >= 0; }
};

}  // namespace instep::worlds::foothold
