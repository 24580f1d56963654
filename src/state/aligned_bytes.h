// SPDX-License-Identifier: MIT
// Bytes that begin where a cache line does, as states and their images are kept: a copy between two of them
// crosses no lines, which costs up to half of it.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace instep::state {

inline constexpr std::size_t cache_line = 64;  // bytes, on all that Instep runs on

template <class T>
struct CacheLineAllocator {
    using value_type = T;  // NOLINT(readability-identifier-naming): as the library asks for it

    CacheLineAllocator() = default;
    template <class U>
    CacheLineAllocator(const CacheLineAllocator<U>&) {
    }  // NOLINT(google-explicit-constructor): allocators convert

    T* allocate(std::size_t count) {
        return static_cast<T*>(::operator new(count * sizeof(T), std::align_val_t{cache_line}));
    }
    void deallocate(T* memory, std::size_t) { ::operator delete(memory, std::align_val_t{cache_line}); }

    bool operator==(const CacheLineAllocator&) const { return true; }
};

using AlignedBytes = std::vector<std::byte, CacheLineAllocator<std::byte>>;

}  // namespace instep::state
