// SPDX-License-Identifier: MIT
// A sanitizer has its own operators, which ours would conflict with; it offers hooks instead.
#include <tests/support/allocations.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define INSTEP_SANITIZER_ALLOCATES
#endif
#endif

namespace {

struct ThreadCount {
    std::atomic<pid_t> thread{0};
    std::atomic<std::uint64_t> count{0};
};
constexpr std::size_t most_threads =
    4096;  // of a test program in total; further threads share the last entry
ThreadCount counts[most_threads];
std::atomic<std::size_t> threads_seen{0};

ThreadCount& mine() {
    thread_local ThreadCount* found = nullptr;
    if (!found) {
        const std::size_t seen = threads_seen.fetch_add(1);
        found = &counts[seen < most_threads ? seen : most_threads - 1];
        found->thread = gettid();
    }
    return *found;
}

void count_one() { mine().count.fetch_add(1, std::memory_order_relaxed); }

}  // namespace

namespace instep::test {
std::uint64_t allocations_in_this_thread() { return mine().count; }

std::uint64_t allocations_in_thread(int thread) {
    std::uint64_t sum = 0;
    for (const ThreadCount& other : counts)
        if (other.thread == thread) sum += other.count;
    return sum;
}
}  // namespace instep::test

#ifdef INSTEP_SANITIZER_ALLOCATES

#include <sanitizer/allocator_interface.h>

namespace {
[[maybe_unused]] const int hooks = __sanitizer_install_malloc_and_free_hooks(
    [](const volatile void*, std::size_t) { count_one(); }, [](const volatile void*) {});
}  // namespace

#else

void* operator new(std::size_t size) {
    count_one();
    if (void* memory = std::malloc(size > 0 ? size : 1)) return memory;
    throw std::bad_alloc();
}
// The other forms too, so that allocations and deallocations always match.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    count_one();
    return std::malloc(size > 0 ? size : 1);
}
void* operator new(std::size_t size, std::align_val_t alignment) {
    count_one();
    const auto at = static_cast<std::size_t>(alignment);
    if (void* memory = std::aligned_alloc(at, (size + at - 1) / at * at)) return memory;
    throw std::bad_alloc();
}
void* operator new[](std::size_t size) { return operator new(size); }
void* operator new[](std::size_t size, const std::nothrow_t& tag) noexcept { return operator new(size, tag); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

#endif
