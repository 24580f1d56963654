// SPDX-License-Identifier: MIT
// Bytes aligned to cache lines, for states and their images. Accesses that cross cache lines would cost up to
// half of a copy's time.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <vector>

namespace instep::state {

inline constexpr std::size_t cache_line = 64;  // bytes, on all supported processors

template <class T>
struct CacheLineAllocator {
    using value_type = T;  // NOLINT(readability-identifier-naming): required by the library

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

// Memory without initial values: the system gives pages of it as they are first written.
struct CacheLineDelete {
    void operator()(std::byte* memory) const { ::operator delete(memory, std::align_val_t{cache_line}); }
};
using UninitialisedBytes = std::unique_ptr<std::byte[], CacheLineDelete>;
inline UninitialisedBytes allocate_uninitialised(std::size_t size) {
    return UninitialisedBytes(static_cast<std::byte*>(::operator new(size, std::align_val_t{cache_line})));
}

}  // namespace instep::state
