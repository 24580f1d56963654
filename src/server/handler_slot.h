// SPDX-License-Identifier: MIT
// Memory for what Asio must remember of an operation of which only one is under way at a time: bind it to
// the handler, and starting the operation allocates nothing. A second one at the same time is allocated.
#pragma once

#include <cstddef>
#include <new>
#include <utility>

namespace instep::server {

class HandlerSlot {
public:
    HandlerSlot() = default;
    HandlerSlot(const HandlerSlot&) = delete;
    HandlerSlot& operator=(const HandlerSlot&) = delete;

    void* take(std::size_t size) {
        if (size > sizeof bytes_ || std::exchange(is_taken_, true)) return ::operator new(size);
        return bytes_;
    }
    void give_back(void* memory) {
        if (memory == bytes_)
            is_taken_ = false;
        else
            ::operator delete(memory);
    }

private:
    alignas(std::max_align_t) std::byte bytes_[896];  // Beast needs 720 to write a message
    bool is_taken_ = false;
};

// As the standard wants an allocator.
template <class T>
struct SlotAllocator {
    using value_type = T;  // NOLINT(readability-identifier-naming): the standard's name

    explicit SlotAllocator(HandlerSlot& to) : slot(&to) {}
    template <class U>
    explicit(false) SlotAllocator(const SlotAllocator<U>& other) : slot(other.slot) {}
    T* allocate(std::size_t count) { return static_cast<T*>(slot->take(count * sizeof(T))); }
    void deallocate(T* memory, std::size_t) { slot->give_back(memory); }
    friend bool operator==(const SlotAllocator&, const SlotAllocator&) = default;

    HandlerSlot* slot;
};

}  // namespace instep::server
