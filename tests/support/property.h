// SPDX-License-Identifier: MIT
// Property tests: a law checked on many seeded random cases.
//
//     for_each_seed(1000, [](math::Random& random) {
//         const Vec2 v{random.uniform(-10, 10), random.uniform(-10, 10)};
//         CHECK(rotate(v, quarter_turn) == perpendicular(v));
//     });
//
// The loop stops at the first seed that breaks the law and prints it; INSTEP_SEED=<seed> runs only that case.
#pragma once

#include <instep/math/random.h>

#include <doctest/doctest.h>

#include <cstdint>
#include <cstdlib>

namespace instep::test {
// How many assertions have failed since the program started.
std::size_t failed_assertions();

template <class Property>
void check_seed(std::uint64_t seed, Property&& property) {
    INFO("replay this case alone with INSTEP_SEED=" << seed);
    auto random = math::Random::from_seed(seed);
    property(random);
}

template <class Property>
void for_each_seed(std::uint64_t count, Property&& property) {
    if (const char* only = std::getenv("INSTEP_SEED")) {
        check_seed(std::strtoull(only, nullptr, 10), property);
        return;
    }
    const std::size_t failed_before = failed_assertions();
    for (std::uint64_t seed = 0; seed < count && failed_assertions() == failed_before; ++seed)
        check_seed(seed, property);
}
}  // namespace instep::test
