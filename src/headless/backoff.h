// SPDX-License-Identifier: MIT
// How long a client waits before it connects again. The pauses double, and each has jitter: clients that lost
// their server at the same moment must not all come back at the same moment.
#pragma once

#include <algorithm>

#include <instep/math/random.h>

namespace instep::headless {

class Backoff {
public:
    static constexpr double first = 0.5;  // s, on average
    static constexpr double longest = 8;

    double next_pause(math::Random& random) {
        const double pause = usual_;
        usual_ = std::min(2 * usual_, longest);
        return pause * random.uniform(0.5, 1.5);
    }
    // After a connection that worked.
    void reset() { usual_ = first; }

private:
    double usual_ = first;
};

}  // namespace instep::headless
