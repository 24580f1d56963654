// SPDX-License-Identifier: MIT
// A token bucket: refills at the rate, and holds two seconds' worth, so that a connection that stalled and
// then delivers everything at once is not refused.
#pragma once

#include <algorithm>
#include <cstdint>

#include <instep/server/loop.h>

namespace instep::server {

class RateLimit {
public:
    RateLimit(std::uint32_t per_second, Time now) : rate_(per_second), left_(2.0 * per_second), at_(now) {}

    // False: more was taken than the bucket holds.
    bool take(double amount, Time now) {
        left_ = std::min(2 * rate_, left_ + rate_ * std::chrono::duration<double>(now - at_).count());
        at_ = now;
        left_ -= amount;
        return left_ >= 0;
    }
    void give_back(double amount) { left_ += amount; }

private:
    double rate_;
    double left_;
    Time at_;
};

}  // namespace instep::server
