// SPDX-License-Identifier: MIT
// Memory for the state that Asio keeps of one asynchronous operation. With HandlerAllocator bound to the
// handler, starting the operation allocates nothing. A second operation at the same time is allocated as
// usual.
#pragma once

#include <cstddef>
#include <new>
#include <utility>

namespace instep::server {

class HandlerMemory {
public:
    HandlerMemory() = default;
    HandlerMemory(const HandlerMemory&) = delete;
    HandlerMemory& operator=(const HandlerMemory&) = delete;

    void* allocate(std::size_t size) {
        if (size > sizeof bytes_ || std::exchange(is_taken_, true)) return ::operator new(size);
        return bytes_;
    }
    void deallocate(void* memory) {
        if (memory == bytes_)
            is_taken_ = false;
        else
            ::operator delete(memory);
    }

private:
    alignas(std::max_align_t) std::byte bytes_[896];  // Beast needs 720 to write a message
    bool is_taken_ = false;
};

// A standard allocator that uses it.
template <class T>
struct HandlerAllocator {
    using value_type = T;  // NOLINT(readability-identifier-naming): the standard's name

    explicit HandlerAllocator(HandlerMemory& to) : source(&to) {}
    template <class U>
    explicit(false) HandlerAllocator(const HandlerAllocator<U>& other) : source(other.source) {}
    T* allocate(std::size_t count) { return static_cast<T*>(source->allocate(count * sizeof(T))); }
    void deallocate(T* memory, std::size_t) { source->deallocate(memory); }
    friend bool operator==(const HandlerAllocator&, const HandlerAllocator&) = default;

    HandlerMemory* source;
};

}  // namespace instep::server
