// SPDX-License-Identifier: MIT
// Counts the allocations of a thread through operator new, to prove that a step makes none.
#pragma once

#include <cstdint>

namespace instep::test {

std::uint64_t allocations_in_this_thread();
// `thread` is the system's thread id, as in /proc/self/task.
std::uint64_t allocations_in_thread(int thread);

class AllocationCount {
public:
    AllocationCount() : before_(allocations_in_this_thread()) {}
    std::uint64_t so_far() const { return allocations_in_this_thread() - before_; }

private:
    std::uint64_t before_;
};

}  // namespace instep::test
