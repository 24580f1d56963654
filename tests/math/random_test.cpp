// SPDX-License-Identifier: MIT
// The known values were computed independently, from the paper's definitions, with Python's unbounded
// integers modulo 2^64.
#include <instep/math/random.h>

#include <doctest/doctest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <set>
#include <vector>

namespace instep::math {
namespace {
// Sum of (observed - expected)² / expected. For k equally likely outcomes it is near k - 1, and differs from
// that by more than 5·sqrt(2k) less than once in a million times.
double chi_square(const std::vector<std::uint64_t>& counts) {
    std::uint64_t total = 0;
    for (const std::uint64_t count : counts) total += count;
    const double expected = static_cast<double>(total) / static_cast<double>(counts.size());
    double sum = 0;
    for (const std::uint64_t count : counts) {
        const double off = static_cast<double>(count) - expected;
        sum += off * off / expected;
    }
    return sum;
}

bool looks_uniform(const std::vector<std::uint64_t>& counts) {
    const double freedom = static_cast<double>(counts.size() - 1);
    return std::fabs(chi_square(counts) - freedom) < 5 * std::sqrt(2 * freedom);
}

// The next draw is 2^64 - 1: the counter before it was found by inverting the mixing function.
constexpr Random before_all_ones{0xcf9a04affa6badc0 - Random::golden_gamma, Random::golden_gamma};
}  // namespace

TEST_CASE("random: a seed gives the published sequence") {
    using Draws = std::array<std::uint64_t, 4>;
    const auto four_from = [](std::uint64_t seed) {
        Random random = Random::from_seed(seed);
        return Draws{random.next(), random.next(), random.next(), random.next()};
    };
    CHECK(four_from(0) ==
          Draws{0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, 0x06c45d188009454f, 0xf88bb8a8724c81ec});
    CHECK(four_from(1) ==
          Draws{0x910a2dec89025cc1, 0xbeeb8da1658eec67, 0xf893a2eefb32555e, 0x71c18690ee42c90b});
    CHECK(four_from(~std::uint64_t{0}) ==
          Draws{0xe4d971771b652c20, 0xe99ff867dbf682c9, 0x382ff84cb27281e9, 0x6d1db36ccba982d2});
}

TEST_CASE("random: a sequence can be drawn at compile time") {
    constexpr std::uint64_t first = [] {
        Random random = Random::from_seed(0);
        return random.next();
    }();
    static_assert(first == 0xe220a8397b1dcdaf);
}

TEST_CASE("random: a split gives the known stream and advances its parent") {
    Random parent = Random::from_seed(2014);
    Random child = parent.split();
    CHECK(child == Random{0xc5d011d42ade5404, 0x6f1742447bc280c1});
    CHECK(child.next() == 0x21c66932862bc9eb);
    CHECK(child.next() == 0xd7951e5e47d7269c);
    CHECK(parent.counter == 0x3c6ef372fe950008);
    CHECK(parent.next() == 0xa0cdd6c523743edb);
}

TEST_CASE("random: a gamma with too few bit transitions is fixed") {
    // One advance from here mixes to such a gamma.
    Random parent{0xe3779b97f4a7c151 - 2 * Random::golden_gamma, Random::golden_gamma};
    CHECK(parent.split().gamma == 0xb1ad1794a598a46b);
}

TEST_CASE("random: small integers and fractions have their known values") {
    Random random = Random::from_seed(7);
    for (const std::uint32_t expected : {3u, 0u, 9u, 5u, 4u, 2u, 4u, 3u, 1u, 4u, 1u, 9u}) {
        CHECK(random.below(10) == expected);
    }
    random = Random::from_seed(7);
    CHECK(random.uniform() == 0x1.8f2f879164c82p-2);
    random = Random::from_seed(9);
    for (const std::uint32_t expected : {2198044222u, 2418157510u, 854663403u, 2528061856u}) {
        CHECK(random.below(0xc0000000) == expected);
    }
}

TEST_CASE("random: a copy draws the same numbers") {
    Random original = Random::from_seed(99);
    original.next();
    Random copy = original;
    for (int i = 0; i < 100; ++i) CHECK(copy.next() == original.next());
}

TEST_CASE("random: every byte and every bit of a draw is uniform") {
    Random random = Random::from_seed(1);
    std::vector<std::vector<std::uint64_t>> bytes(8, std::vector<std::uint64_t>(256));
    std::vector<std::uint64_t> ones(64);
    constexpr int draws = 200'000;
    for (int i = 0; i < draws; ++i) {
        const std::uint64_t value = random.next();
        for (unsigned byte = 0; byte < 8; ++byte) ++bytes[byte][(value >> (8 * byte)) & 255];
        for (unsigned bit = 0; bit < 64; ++bit) ones[bit] += (value >> bit) & 1;
    }
    for (const auto& counts : bytes) CHECK(looks_uniform(counts));
    for (const std::uint64_t count : ones) {
        CHECK(std::fabs(static_cast<double>(count) - draws / 2.0) < 5 * std::sqrt(draws) / 2);
    }
}

TEST_CASE("random: neighbouring draws are uniform as pairs") {
    Random random = Random::from_seed(2);
    std::vector<std::uint64_t> pairs(64 * 64);
    for (int i = 0; i < 400'000; ++i) {
        const std::uint32_t first = random.below(64);
        ++pairs[first * 64 + random.below(64)];
    }
    CHECK(looks_uniform(pairs));
}

TEST_CASE("random: neighbouring seeds give unrelated first draws") {
    std::vector<std::uint64_t> counts(256);
    for (std::uint64_t seed = 0; seed < 100'000; ++seed) ++counts[Random::from_seed(seed).next() & 255];
    CHECK(looks_uniform(counts));
}

TEST_CASE("random: a fraction is uniform, at least 0, and below 1 even for the largest draw") {
    Random random = Random::from_seed(3);
    std::vector<std::uint64_t> counts(1000);
    double sum = 0;
    constexpr int draws = 1'000'000;
    for (int i = 0; i < draws; ++i) {
        const double value = random.uniform();
        REQUIRE(value >= 0);
        REQUIRE(value < 1);
        sum += value;
        ++counts[static_cast<std::size_t>(value * 1000)];
    }
    CHECK(looks_uniform(counts));
    CHECK(std::fabs(sum / draws - 0.5) < 0.0015);

    Random largest = before_all_ones;
    CHECK(Random{largest}.next() == ~std::uint64_t{0});
    CHECK(largest.uniform() == 1 - 0x1p-53);
}

TEST_CASE("random: a number between two bounds never reaches the upper one") {
    Random random = Random::from_seed(4);
    for (int i = 0; i < 100'000; ++i) {
        const double value = random.uniform(-3, 5);
        REQUIRE(value >= -3);
        REQUIRE(value < 5);
    }
    Random largest = before_all_ones;
    CHECK(largest.uniform(1, 1 + 0x1p-52) == 1);  // the sum rounds to the upper bound and is replaced
    largest = before_all_ones;
    CHECK(largest.uniform(0, 1e300) < 1e300);
    CHECK(random.uniform(2.5, 2.5) == 2.5);
}

TEST_CASE("random: an integer below n is uniform for every kind of n") {
    Random random = Random::from_seed(5);
    for (const std::uint32_t n : {2u, 3u, 7u, 10u, 64u, 100u, 1000u}) {
        std::vector<std::uint64_t> counts(n);
        for (std::uint32_t i = 0; i < 200 * n + 10'000; ++i) {
            const std::uint32_t value = random.below(n);
            REQUIRE(value < n);
            ++counts[value];
        }
        CAPTURE(n);
        CHECK(looks_uniform(counts));
    }
    for (int i = 0; i < 100; ++i) CHECK(random.below(1) == 0);
}

TEST_CASE("random: an integer below a large n has no bias, where a remainder would have one") {
    // Of the residues of 2^32 modulo 3·2^30, the lowest third would come twice as often.
    Random random = Random::from_seed(6);
    constexpr std::uint32_t n = 0xc0000000;
    std::vector<std::uint64_t> thirds(3);
    std::vector<std::uint64_t> low_digits(3);
    for (int i = 0; i < 300'000; ++i) {
        const std::uint32_t value = random.below(n);
        REQUIRE(value < n);
        ++thirds[value / 0x40000000];
        ++low_digits[value % 3];
    }
    CHECK(looks_uniform(thirds));
    CHECK(looks_uniform(low_digits));
}

TEST_CASE("random: splits have odd gammas and differ from their parent and each other") {
    Random parent = Random::from_seed(8);
    std::set<std::uint64_t> starts;
    std::set<std::uint64_t> gammas;
    std::uint64_t differing_bits = 0;
    constexpr int splits = 20'000;
    std::vector<std::uint64_t> first_bytes(256);
    for (int i = 0; i < splits; ++i) {
        Random child = parent.split();
        CHECK(child.is_valid());
        starts.insert(child.counter);
        gammas.insert(child.gamma);
        const std::uint64_t of_child = child.next();
        Random parent_copy = parent;
        differing_bits += static_cast<std::uint64_t>(std::popcount(of_child ^ parent_copy.next()));
        ++first_bytes[of_child & 255];
    }
    CHECK(starts.size() == splits);
    CHECK(gammas.size() == splits);
    CHECK(looks_uniform(first_bytes));
    // Unrelated words differ in half of their bits.
    const double mean = static_cast<double>(differing_bits) / splits;
    CHECK(std::fabs(mean - 32) < 5 * 4 / std::sqrt(splits));
}

TEST_CASE("random: draws of a parent and of its split are uncorrelated") {
    Random parent = Random::from_seed(10);
    Random child = parent.split();
    constexpr int draws = 200'000;
    double sum = 0;
    std::vector<std::uint64_t> pairs(256);
    for (int i = 0; i < draws; ++i) {
        const double a = parent.uniform();
        const double b = child.uniform();
        sum += (a - 0.5) * (b - 0.5) * 12;  // mean of a product of two normalised uniforms
        ++pairs[static_cast<std::size_t>(a * 16) * 16 + static_cast<std::size_t>(b * 16)];
    }
    CHECK(std::fabs(sum / draws) < 5 / std::sqrt(draws));
    CHECK(looks_uniform(pairs));
}

TEST_CASE("random: an even gamma is recognised as invalid") {
    CHECK(Random{}.is_valid());
    CHECK(Random::from_seed(0).is_valid());
    CHECK_FALSE(Random{1, 2}.is_valid());
    CHECK_FALSE(Random{0, 0}.is_valid());
}
}  // namespace instep::math
