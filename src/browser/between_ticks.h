// SPDX-License-Identifier: MIT
// A match that is stepped at its own rate and shown at the screen's: the state between its last two ticks.
#pragma once

#include <algorithm>
#include <cmath>

#include <instep/match/match.h>
#include <instep/present/interpolation.h>

namespace instep::browser {

// Ticks that are due, at any speed, when time comes in frames.
class Pace {
public:
    static constexpr double most_catching_up = 0.25;  // s; a hidden page does not play all that it missed
    static constexpr double most_speed = 64;

    explicit Pace(std::uint32_t tick_rate) : rate_(tick_rate) {}

    // Speed 1 is the world's own; 0 stands still.
    void set_speed(double speed) { speed_ = std::isfinite(speed) ? std::clamp(speed, 0.0, most_speed) : 0; }
    void set_rate(std::uint32_t tick_rate) { rate_ = tick_rate; }
    // How many ticks are due since the last call.
    std::uint32_t advance(double now) {
        const double passed = last_ < 0 ? 0 : std::clamp(now - last_, 0.0, most_catching_up);
        last_ = now;
        owed_ += passed * speed_ * rate_;
        const double due = std::floor(owed_);
        owed_ -= due;
        return static_cast<std::uint32_t>(due);
    }
    double fraction() const { return speed_ > 0 ? owed_ : 1; }  // of the way to the last tick

private:
    double rate_;
    double speed_ = 1;
    double owed_ = 0;
    double last_ = -1;
};

// `shown` becomes the state `fraction` of the way from `before` to the state of the match. Returns its time.
inline contract::DrawTimes show_between(const match::Match& match, const std::byte* before, double fraction,
                                        std::byte* shown) {
    present::blend_states(match.layout(), before, match.state(), fraction, match.facts().teleport_distance,
                          shown);
    const auto from = static_cast<double>(match.world().tick(match.layout(), before));
    const double time = from + (static_cast<double>(match.tick()) - from) * fraction;
    return {.past = time, .present = time};
}

}  // namespace instep::browser
