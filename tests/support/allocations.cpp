// SPDX-License-Identifier: MIT
// A sanitizer brings operators of its own, which ours would clash with; it offers hooks instead.
#include <tests/support/allocations.h>

#include <cstddef>
#include <cstdlib>
#include <new>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define INSTEP_SANITIZER_ALLOCATES
#endif
#endif

namespace {
thread_local std::uint64_t count = 0;
}

namespace instep::test {
std::uint64_t allocations_in_this_thread() { return count; }
}  // namespace instep::test

#ifdef INSTEP_SANITIZER_ALLOCATES

#include <sanitizer/allocator_interface.h>

namespace {
[[maybe_unused]] const int hooks = __sanitizer_install_malloc_and_free_hooks(
    [](const volatile void*, std::size_t) { ++count; }, [](const volatile void*) {});
}  // namespace

#else

void* operator new(std::size_t size) {
    ++count;
    if (void* memory = std::malloc(size > 0 ? size : 1)) return memory;
    throw std::bad_alloc();
}
// The other ways in and out too, so that what one of these gives another of these takes back.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    ++count;
    return std::malloc(size > 0 ? size : 1);
}
void* operator new[](std::size_t size) { return operator new(size); }
void* operator new[](std::size_t size, const std::nothrow_t& tag) noexcept { return operator new(size, tag); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

#endif
