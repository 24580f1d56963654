// SPDX-License-Identifier: MIT
#include <instep/worlds/orbit/command_queue.h>

#include <algorithm>

#include <instep/worlds/orbit/orbit.h>

namespace instep::worlds::orbit {

bool CommandQueue::enqueue(const Command& command) {
    if (command.sequence < next_sequence_ || size_ == capacity) return false;
    Command* const end = waiting_.data() + size_;
    Command* const place =
        std::find_if(waiting_.data(), end, [&](const Command& c) { return c.sequence >= command.sequence; });
    if (place != end && place->sequence == command.sequence) return false;
    std::move_backward(place, end, end + 1);
    *place = command;
    ++size_;
    return true;
}

std::optional<Command> CommandQueue::dequeue() {
    if (size_ == 0) return std::nullopt;
    Command* const first = waiting_.data();
    const Command lowest = *first;
    std::move(first + 1, first + size_, first);
    --size_;
    next_sequence_ = std::uint64_t{lowest.sequence} + 1;
    return lowest;
}

std::uint32_t ticks_due(Nanoseconds elapsed, std::uint32_t most_ticks) {
    if (elapsed <= 0) return 0;
    const Nanoseconds whole = std::max<Nanoseconds>(1, elapsed / tick_interval);
    return static_cast<std::uint32_t>(std::min<Nanoseconds>(whole, most_ticks));
}

std::uint32_t Session::run(State& state, const Setup& setup, Nanoseconds now, std::uint32_t most_ticks,
                           contract::Events<Event>& events) {
    const std::uint32_t due = ticks_due(now - last_tick, most_ticks);
    std::uint32_t done = 0;
    for (; done < due && !state.head->over; ++done) {
        const Input input = queue.dequeue().value_or(Command{}).input;
        Orbit::step(state, setup, {{}, {}, {&input, 1}}, events);
        last_tick += tick_interval;
    }
    return done;
}

}  // namespace instep::worlds::orbit
