// SPDX-License-Identifier: MIT
// Where a step says what a watcher would want to know of the tick: hit, scored, landed, died. Memory is given
// from outside; what does not fit is counted, never lost in silence.
#pragma once

#include <cstdint>
#include <span>

namespace instep::contract {

template <class Event>
class Events {
public:
    explicit Events(std::span<Event> room) : room_(room) {}

    void add(const Event& event) {
        if (count_ < room_.size())
            room_[count_++] = event;
        else
            ++lost_;
    }

    std::span<const Event> all() const { return room_.first(count_); }
    std::uint32_t lost() const { return lost_; }

private:
    std::span<Event> room_;
    std::uint32_t count_ = 0;
    std::uint32_t lost_ = 0;
};

}  // namespace instep::contract
