// SPDX-License-Identifier: MIT
// Tests the property loop itself: it must be able to fail.
#include <tests/support/property.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

using namespace instep;
using test::for_each_seed;

namespace {
// Sets INSTEP_SEED for a scope.
struct OnlySeed {
    explicit OnlySeed(const char* seed) { setenv("INSTEP_SEED", seed, 1); }
    ~OnlySeed() { unsetenv("INSTEP_SEED"); }
};
}  // namespace

TEST_CASE("property: runs as many different cases as asked for") {
    std::vector<std::uint64_t> seen;
    for_each_seed(100, [&](math::Random& random) { seen.push_back(random.next()); });
    REQUIRE(seen.size() == 100);
    std::sort(seen.begin(), seen.end());
    CHECK(std::unique(seen.begin(), seen.end()) == seen.end());
}

TEST_CASE("property: INSTEP_SEED replays the same case, and no other") {
    std::vector<std::uint64_t> all;
    for_each_seed(10, [&](math::Random& random) { all.push_back(random.next()); });

    const OnlySeed only("7");
    std::vector<std::uint64_t> one;
    for_each_seed(10, [&](math::Random& random) { one.push_back(random.next()); });
    CHECK(one == std::vector{all[7]});
}

TEST_CASE("property: a failing case stops the loop at its seed" * doctest::expected_failures(1)) {
    int cases = 0;
    for_each_seed(100, [&](math::Random&) { CHECK(++cases < 3); });
    CHECK(cases == 3);
}
