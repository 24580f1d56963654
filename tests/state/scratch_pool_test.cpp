// SPDX-License-Identifier: MIT
#include <instep/state/scratch_pool.h>

#include <doctest/doctest.h>

#include <tests/support/allocations.h>

#include <array>
#include <atomic>
#include <chrono>
#include <optional>
#include <thread>
#include <vector>

using namespace instep;

namespace {

struct Scratch {
    explicit Scratch(int size) : numbers(static_cast<std::size_t>(size)) {}
    std::vector<int> numbers;
    int users = 0;
};

using ScratchPool = state::ScratchPool<Scratch>;

}  // namespace

TEST_CASE("scratch pool: a returned object is leased next, without an allocation") {
    ScratchPool pool(100);
    Scratch* first = nullptr;
    {
        const ScratchPool::Lease lease(pool, 100);
        first = &*lease;
    }
    const test::AllocationCount count;
    for (int i = 0; i < 10; ++i) {
        const ScratchPool::Lease lease(pool, 100);
        CHECK(&*lease == first);
    }
    CHECK(count.so_far() == 0);
}

TEST_CASE("scratch pool: an object has one lease at a time and is made once") {
    ScratchPool pool(1);
    std::array<std::optional<ScratchPool::Lease>, ScratchPool::capacity> leases;
    const auto allocations = [&] {
        const test::AllocationCount count;
        for (auto& lease : leases) CHECK(lease.emplace(pool, 1)->users++ == 0);
        for (auto& lease : leases) {
            --(*lease)->users;
            lease.reset();
        }
        return count.so_far();
    };
    CHECK(allocations() == 2 * (ScratchPool::capacity - 1));  // a scratch object and its numbers
    CHECK(allocations() == 0);
}

TEST_CASE("scratch pool: a lease waits while all objects are leased") {
    ScratchPool pool(1);
    std::array<std::optional<ScratchPool::Lease>, ScratchPool::capacity> leases;
    for (auto& lease : leases) lease.emplace(pool, 1);
    const Scratch* returned = &**leases[40];
    std::atomic<const Scratch*> got = nullptr;
    std::thread late([&] { got = &*ScratchPool::Lease(pool, 1); });
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    CHECK(got == nullptr);
    leases[40].reset();
    late.join();
    CHECK(got == returned);
}

TEST_CASE("scratch pool: threads never share an object") {
    ScratchPool pool(1);
    std::atomic<int> clashes = 0;
    const auto work = [&] {
        for (int i = 0; i < 20'000; ++i) {
            const ScratchPool::Lease lease(pool, 1);
            if (++lease->users != 1) ++clashes;
            --lease->users;
        }
    };
    std::thread other(work);
    work();
    other.join();
    CHECK(clashes == 0);
}
