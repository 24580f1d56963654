// SPDX-License-Identifier: MIT
// A match that is stepped at its tick rate and drawn at the screen's: a fixed time step with an accumulator,
// drawn between the last two ticks (Fiedler, "Fix Your Timestep!").
#pragma once

#include <algorithm>
#include <cmath>

#include <instep/contract/draw_times.h>
#include <instep/match/match.h>
#include <instep/present/interpolation.h>

namespace instep::browser {

class TickPacer {
public:
    static constexpr double most_catching_up = 0.25;  // s; a page that was hidden skips the rest
    static constexpr double most_speed = 64;

    explicit TickPacer(std::uint32_t tick_rate) : rate_(tick_rate) {}

    // 1 is the world's tick rate, 0 pauses.
    void set_speed(double speed) { speed_ = std::isfinite(speed) ? std::clamp(speed, 0.0, most_speed) : 0; }
    void set_rate(std::uint32_t tick_rate) { rate_ = tick_rate; }
    // How many ticks are due since the last call.
    std::uint32_t advance(double now) {
        const double passed = last_ < 0 ? 0 : std::clamp(now - last_, 0.0, most_catching_up);
        last_ = now;
        accumulated_ += passed * speed_ * rate_;
        const double due = std::floor(accumulated_);
        accumulated_ -= due;
        return static_cast<std::uint32_t>(due);
    }
    // Where to draw between the tick before the last (0) and the last one (1).
    double fraction() const { return speed_ > 0 ? accumulated_ : 1; }

private:
    double rate_;
    double speed_ = 1;
    double accumulated_ = 0;  // ticks
    double last_ = -1;
};

// Writes to `shown` the state `fraction` of the way from `before` to the match's current state. Returns its
// time.
inline contract::DrawTimes blend_last_tick(const match::Match& match, const std::byte* before,
                                           double fraction, std::byte* shown) {
    present::blend_states(match.layout(), before, match.state(), fraction, match.facts().teleport_distance,
                          shown);
    const auto from = static_cast<double>(match.world().tick(match.layout(), before));
    const double time = from + (static_cast<double>(match.tick()) - from) * fraction;
    return {.past = time, .present = time};
}

}  // namespace instep::browser
