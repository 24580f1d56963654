// SPDX-License-Identifier: MIT
#include <instep/state/shelf.h>

#include <doctest/doctest.h>

#include <tests/support/allocations.h>

#include <atomic>
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

TEST_CASE("nobody gets a bench that another holds, also when more are asked for than there are places") {
    Shelf shelf(1);
    std::vector<std::unique_ptr<Shelf::Loan>> loans;
    for (int i = 0; i < 70; ++i) {
        auto loan = std::make_unique<Shelf::Loan>(shelf, 1);
        CHECK((*loan)->users++ == 0);
        loans.push_back(std::move(loan));
    }
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
