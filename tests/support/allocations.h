// SPDX-License-Identifier: MIT
// Counts every allocation that a thread makes through operator new, to prove that a step makes none.
#pragma once

#include <cstdint>

namespace instep::test {

std::uint64_t allocations_in_this_thread();
// `thread` is its id of the system, as in /proc/self/task.
std::uint64_t allocations_in_thread(int thread);

class AllocationCount {
public:
    AllocationCount() : before_(allocations_in_this_thread()) {}
    std::uint64_t so_far() const { return allocations_in_this_thread() - before_; }

private:
    std::uint64_t before_;
};

}  // namespace instep::test
