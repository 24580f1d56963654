// SPDX-License-Identifier: MIT
// Where a setup keeps memory for the steps of its matches. A step may not allocate, and a setup is shared by
// matches that may run in threads of their own, so each step takes a bench from the shelf and puts it back.
// What is left on a bench is never read, so which one a step got makes no difference to its result: a shelf
// is no part of what a setup says.
//
// The first bench is made with the shelf, so that a program of one thread never allocates in a step. Another
// is made when more threads step at once than ever before: at most 63 times in the life of a setup. Beyond 64
// a step waits until one is put back.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>

namespace instep::state {

template <class Bench>
class Shelf {
    struct Place {
        std::atomic<bool> taken = false;
        std::unique_ptr<Bench> bench;
    };

public:
    static constexpr std::size_t most_benches = 64;

    // `arguments` are what a bench is made from.
    template <class... Arguments>
    explicit Shelf(const Arguments&... arguments) {
        places_[0].bench = std::make_unique<Bench>(arguments...);
    }

    // A bench for as long as this lives.
    class Loan {
    public:
        template <class... Arguments>
        explicit Loan(Shelf& shelf, const Arguments&... arguments) {
            std::size_t next = 0;
            while (shelf.places_[next].taken.exchange(true, std::memory_order_acquire))
                next = (next + 1) % most_benches;
            place_ = &shelf.places_[next];
            if (!place_->bench) place_->bench = std::make_unique<Bench>(arguments...);
        }
        ~Loan() { place_->taken.store(false, std::memory_order_release); }
        Loan(const Loan&) = delete;
        Loan& operator=(const Loan&) = delete;

        Bench& operator*() const { return *place_->bench; }
        Bench* operator->() const { return &**this; }

    private:
        Place* place_ = nullptr;
    };

private:
    std::array<Place, most_benches> places_;
};

}  // namespace instep::state
