// SPDX-License-Identifier: MIT
// A token bucket in a room's ticks: it holds `capacity` tokens and gets `per_tick` more each tick. A burst is
// served at once, and what lasts at that rate.
#pragma once

#include <algorithm>
#include <cstdint>

namespace instep::net {

class TokenBucket {
public:
    TokenBucket(double capacity, double per_tick)
        : capacity_(capacity), per_tick_(per_tick), tokens_(capacity) {}

    // Takes a token in this tick. Ticks never go back.
    bool take(std::uint64_t tick) {
        tokens_ = std::min(capacity_, tokens_ + per_tick_ * static_cast<double>(tick - tick_));
        tick_ = tick;
        if (tokens_ < 1) return false;
        tokens_ -= 1;
        return true;
    }
    void give_back() { tokens_ += 1; }

private:
    double capacity_;
    double per_tick_;
    double tokens_;
    std::uint64_t tick_ = 0;
};

}  // namespace instep::net
