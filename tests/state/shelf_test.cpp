// SPDX-License-Identifier: MIT
#include <instep/state/shelf.h>

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

struct Bench {
    explicit Bench(int size) : numbers(static_cast<std::size_t>(size)) {}
    std::vector<int> numbers;
    int users = 0;
};

using Shelf = state::Shelf<Bench>;

}  // namespace

TEST_CASE("a bench that was put back is the next one to be taken, and taking it allocates nothing") {
    Shelf shelf(100);
    Bench* first = nullptr;
    {
        const Shelf::Loan loan(shelf, 100);
        first = &*loan;
    }
    const test::AllocationCount count;
    for (int i = 0; i < 10; ++i) {
        const Shelf::Loan loan(shelf, 100);
        CHECK(&*loan == first);
    }
    CHECK(count.so_far() == 0);
}

TEST_CASE("nobody gets a bench that another holds, and each is made once") {
    Shelf shelf(1);
    std::array<std::optional<Shelf::Loan>, Shelf::most_benches> loans;
    const auto allocations = [&] {
        const test::AllocationCount count;
        for (auto& loan : loans) CHECK(loan.emplace(shelf, 1)->users++ == 0);
        for (auto& loan : loans) {
            --(*loan)->users;
            loan.reset();
        }
        return count.so_far();
    };
    CHECK(allocations() == 2 * (Shelf::most_benches - 1));  // a bench and its numbers
    CHECK(allocations() == 0);
}

TEST_CASE("who finds no bench left waits until one is put back") {
    Shelf shelf(1);
    std::array<std::optional<Shelf::Loan>, Shelf::most_benches> loans;
    for (auto& loan : loans) loan.emplace(shelf, 1);
    const Bench* returned = &**loans[40];
    std::atomic<const Bench*> got = nullptr;
    std::thread late([&] { got = &*Shelf::Loan(shelf, 1); });
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    CHECK(got == nullptr);
    loans[40].reset();
    late.join();
    CHECK(got == returned);
}

TEST_CASE("threads never share a bench") {
    Shelf shelf(1);
    std::atomic<int> clashes = 0;
    const auto work = [&] {
        for (int i = 0; i < 20'000; ++i) {
            const Shelf::Loan loan(shelf, 1);
            if (++loan->users != 1) ++clashes;
            --loan->users;
        }
    };
    std::thread other(work);
    work();
    other.join();
    CHECK(clashes == 0);
}
