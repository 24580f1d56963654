// SPDX-License-Identifier: MIT
// A pool of scratch memory for steps. A step may not allocate, and a setup is shared by matches that may run
// in different threads, so each step leases a scratch object from its setup's pool and returns it. A step
// never reads what an earlier one left in it, so it makes no difference which one a step gets: the pool is no
// part of the setup's value.
//
// The first object is made with the pool, so a program with one thread never allocates in a step. Another is
// made when more threads step at once than ever before, at most 63 times in the life of a setup. Beyond 64 a
// step waits until one is returned.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>

namespace instep::state {

template <class Scratch>
class ScratchPool {
    struct Entry {
        std::atomic<bool> leased = false;
        std::unique_ptr<Scratch> scratch;
    };

public:
    static constexpr std::size_t capacity = 64;

    // `arguments` are passed to the constructor of Scratch.
    template <class... Arguments>
    explicit ScratchPool(const Arguments&... arguments) {
        entries_[0].scratch = std::make_unique<Scratch>(arguments...);
    }

    // Holds a scratch object for its own lifetime.
    class Lease {
    public:
        template <class... Arguments>
        explicit Lease(ScratchPool& pool, const Arguments&... arguments) {
            std::size_t next = 0;
            while (pool.entries_[next].leased.exchange(true, std::memory_order_acquire))
                next = (next + 1) % capacity;
            entry_ = &pool.entries_[next];
            if (!entry_->scratch) entry_->scratch = std::make_unique<Scratch>(arguments...);
        }
        ~Lease() { entry_->leased.store(false, std::memory_order_release); }
        Lease(const Lease&) = delete;
        Lease& operator=(const Lease&) = delete;

        Scratch& operator*() const { return *entry_->scratch; }
        Scratch* operator->() const { return &**this; }

    private:
        Entry* entry_ = nullptr;
    };

private:
    std::array<Entry, capacity> entries_;
};

}  // namespace instep::state
