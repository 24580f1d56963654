// SPDX-License-Identifier: MIT
#include <instep/headless/backoff.h>

#include <set>

#include <doctest/doctest.h>

using namespace instep;
using headless::Backoff;

TEST_CASE("backoff: pauses double up to the longest, each within half of its usual length") {
    auto random = math::Random::from_seed(1);
    Backoff backoff;
    double usual = Backoff::first;
    for (int i = 0; i < 10; ++i) {
        const double pause = backoff.next_pause(random);
        CHECK(pause >= 0.5 * usual);
        CHECK(pause <= 1.5 * usual);
        usual = std::min(2 * usual, Backoff::longest);
    }
    backoff.reset();
    CHECK(backoff.next_pause(random) <= 1.5 * Backoff::first);
}

TEST_CASE("backoff: a thousand clients that lost their server at once come back over the whole pause") {
    std::set<int> tenths;  // of the range in which pauses lie
    for (std::uint64_t client = 0; client < 1000; ++client) {
        auto random = math::Random::from_seed(client);
        Backoff backoff;
        tenths.insert(static_cast<int>((backoff.next_pause(random) / Backoff::first - 0.5) * 10));
    }
    CHECK(tenths.size() >= 10);
}
