// SPDX-License-Identifier: MIT
// Random numbers that are part of a state: sixteen bytes, copied with it, the same on every platform. Steele,
// Lea and Flood, "Fast Splittable Pseudorandom Number Generators" (OOPSLA 2014): a counter that advances by
// an odd gamma, with a scrambled output. A split gives an entity or a feature a stream of its own, so that
// one more draw in one place does not change the others.
//
// Never write two draws as arguments of one call or operands of one expression, f(random.next(),
// random.next()): g++ and clang draw them in different orders. Name them first, or use braces, which are
// ordered: Vec2{...}.
#pragma once

#include <instep/math/float_rules.h>

#include <bit>
#include <cassert>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace instep::math {

struct Random {
    static constexpr std::uint64_t golden_gamma = 0x9e3779b97f4a7c15;  // 2^64 over the golden ratio, made odd

    std::uint64_t counter = 0;
    std::uint64_t gamma = golden_gamma;

    [[nodiscard]] static constexpr Random from_seed(std::uint64_t seed) { return {seed, golden_gamma}; }

    // An even gamma would skip most counters, so a state from outside with one is invalid.
    [[nodiscard]] constexpr bool is_valid() const { return (gamma & 1) != 0; }

    // All 64 bits; every value occurs exactly once in 2^64 draws.
    constexpr std::uint64_t next() { return mix(advance()); }

    // In [0, 1), a multiple of 2^-53.
    constexpr double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

    // In [low, high), or low when the two are equal. Rounding can carry the sum up to high; that draw becomes
    // low.
    constexpr double uniform(double low, double high) {
        assert(low <= high && high - low <= std::numeric_limits<double>::max());
        const double value = low + (high - low) * uniform();
        return value < high ? value : low;
    }

    // In 0 .. n - 1, each equally likely. The result is the high half of a 32 × 32 bit product; the few
    // products that would favour some results are drawn again (Lemire, "Fast Random Integer Generation in an
    // Interval", 2019).
    constexpr std::uint32_t below(std::uint32_t n) {
        assert(n != 0);
        std::uint64_t product = (next() >> 32) * n;
        if (static_cast<std::uint32_t>(product) < n) {
            const std::uint32_t surplus = (0 - n) % n;  // 2^32 mod n
            while (static_cast<std::uint32_t>(product) < surplus) {
                product = (next() >> 32) * n;
            }
        }
        return static_cast<std::uint32_t>(product >> 32);
    }

    // A new stream with its own starting point and its own gamma; this one advances by two draws.
    constexpr Random split() {
        const std::uint64_t start = next();
        return {start, mix_gamma(advance())};
    }

    friend constexpr bool operator==(const Random&, const Random&) = default;

private:
    constexpr std::uint64_t advance() { return counter += gamma; }

    // Stafford's thirteenth variant of the MurmurHash3 finaliser, as the paper recommends.
    static constexpr std::uint64_t mix(std::uint64_t z) {
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        return z ^ (z >> 31);
    }

    // Odd, with enough changes between neighbouring bits that adding it alters many bits.
    static constexpr std::uint64_t mix_gamma(std::uint64_t z) {
        z = (z ^ (z >> 33)) * 0xff51afd7ed558ccd;
        z = (z ^ (z >> 33)) * 0xc4ceb9fe1a85ec53;
        z = (z ^ (z >> 33)) | 1;
        return std::popcount(z ^ (z >> 1)) < 24 ? z ^ 0xaaaaaaaaaaaaaaaa : z;
    }
};

static_assert(std::is_trivially_copyable_v<Random> && std::is_aggregate_v<Random> && sizeof(Random) == 16);

}  // namespace instep::math
