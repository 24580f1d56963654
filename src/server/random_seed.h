// SPDX-License-Identifier: MIT
// Seeds of rooms. A player who knows one room's seed, as every modified client may, must not know the next
// room's, so seeds come from the system's generator and do not follow from one another.
#pragma once

#include <cstdint>
#include <stdexcept>

#include <sys/random.h>

namespace instep::server {

// A system call, without a file: any thread may ask.
inline std::uint64_t random_seed() {
    std::uint64_t seed = 0;
    // Up to 256 bytes come at once, and no signal interrupts them (getrandom(2)).
    if (getrandom(&seed, sizeof seed, 0) != sizeof seed) throw std::runtime_error("getrandom failed");
    return seed;
}

}  // namespace instep::server
