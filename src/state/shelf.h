// SPDX-License-Identifier: MIT
// Where a setup keeps memory for the steps of its matches. A step may not allocate, and a setup is shared by
// matches that may run in threads of their own, so each step takes a bench from the shelf and puts it back.
// What is left on a bench is never read, so which one a step got makes no difference to its result: a shelf
// is no part of what a setup says.
#pragma once

#include <array>
#include <atomic>
#include <memory>

namespace instep::state {

template <class Bench>
class Shelf {
    struct Place {
        std::atomic<bool> taken = false;
        std::unique_ptr<Bench> bench;
    };

public:
    // `arguments` are what a bench is made from. The first is made here; another one is made only when more
    // threads step at the same time than ever before.
    template <class... Arguments>
    explicit Shelf(const Arguments&... arguments) {
        places_[0].bench = std::make_unique<Bench>(arguments...);
    }

    // A bench for as long as this lives.
    class Loan {
    public:
        template <class... Arguments>
        explicit Loan(Shelf& shelf, const Arguments&... arguments) {
            for (Place& place : shelf.places_) {
                if (place.taken.exchange(true, std::memory_order_acquire)) continue;
                place_ = &place;
                if (!place.bench) place.bench = std::make_unique<Bench>(arguments...);
                return;
            }
            beyond_ = std::make_unique<Bench>(arguments...);
        }
        ~Loan() {
            if (place_) place_->taken.store(false, std::memory_order_release);
        }
        Loan(const Loan&) = delete;
        Loan& operator=(const Loan&) = delete;

        Bench& operator*() const { return place_ ? *place_->bench : *beyond_; }
        Bench* operator->() const { return &**this; }

    private:
        Place* place_ = nullptr;
        std::unique_ptr<Bench> beyond_;  // when every place of the shelf is taken
    };

private:
    std::array<Place, 64> places_;
};

}  // namespace instep::state
