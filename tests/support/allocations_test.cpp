// SPDX-License-Identifier: MIT
#include <tests/support/allocations.h>

#include <doctest/doctest.h>

#include <new>

using namespace instep;

TEST_CASE("allocations: the counter sees an allocation") {
    const test::AllocationCount count;
    CHECK(count.so_far() == 0);
    void* memory = ::operator new(16);  // called by name: a compiler may remove an unused `new` expression
    CHECK(count.so_far() == 1);
    ::operator delete(memory);
    CHECK(count.so_far() == 1);
    memory = ::operator new(16, std::align_val_t{64});
    CHECK(count.so_far() == 2);
    ::operator delete(memory, std::align_val_t{64});
}
