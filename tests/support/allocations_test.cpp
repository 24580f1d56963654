// SPDX-License-Identifier: MIT
#include <tests/support/allocations.h>

#include <doctest/doctest.h>

#include <memory>
#include <vector>

using namespace instep;

TEST_CASE("an allocation is seen by the counter that is to prove there are none") {
    const test::AllocationCount count;
    CHECK(count.so_far() == 0);
    const auto owned = std::make_unique<int>(7);
    CHECK(*owned == 7);
    CHECK(count.so_far() == 1);
    const std::vector<int> many(1000);
    CHECK(many.size() == 1000);
    CHECK(count.so_far() == 2);
}
