// SPDX-License-Identifier: MIT
// The list to which a step adds what a watcher wants to know of the tick: hit, scored, landed, died. The
// memory is the caller's; events that do not fit are counted.
#pragma once

#include <cstdint>
#include <span>

namespace instep::contract {

template <class Event>
class Events {
public:
    explicit Events(std::span<Event> memory) : memory_(memory) {}

    void add(const Event& event) {
        if (count_ < memory_.size())
            memory_[count_++] = event;
        else
            ++lost_;
    }

    std::span<const Event> all() const { return memory_.first(count_); }
    std::uint32_t lost() const { return lost_; }

private:
    std::span<Event> memory_;
    std::uint32_t count_ = 0;
    std::uint32_t lost_ = 0;
};

}  // namespace instep::contract
