// SPDX-License-Identifier: MIT
// So much a second and twice as much at once: what is taken flows back in at the rate, up to two seconds'
// worth, so that a line that stalled and then delivers all at once is no attack.
#pragma once

#include <algorithm>
#include <cstdint>

#include <instep/server/loop.h>

namespace instep::server {

class RateLimit {
public:
    RateLimit(std::uint32_t per_second, Time now) : rate_(per_second), left_(2.0 * per_second), at_(now) {}

    // False once more was taken than there is.
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
