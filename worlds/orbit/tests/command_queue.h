// SPDX-License-Identifier: MIT
// How the document's program fed its ship: commands with sequence numbers, taken lowest first, one a tick, in
// a session paced by the clock. It is compared with the original; Instep's rooms
// take their inputs through src/net. Time is passed in.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include <instep/contract/events.h>
#include <orbit/orbit.h>

namespace instep::test::orbit {

using worlds::orbit::Event;
using worlds::orbit::Input;
using worlds::orbit::Setup;
using worlds::orbit::State;

struct Command {
    std::uint32_t sequence = 0;
    Input input;
};

class CommandQueue {
public:
    static constexpr std::uint32_t capacity = 5;

    // Refuses a command that is older than one already taken, that is there already, or for which the queue
    // has no capacity. An early one waits for its turn.
    bool enqueue(const Command& command);
    // The lowest sequence number; from then on it and all below it are old. Nothing if the queue is empty.
    std::optional<Command> dequeue();

    std::uint32_t size() const { return size_; }

private:
    std::array<Command, capacity> waiting_{};  // in the order of their sequence numbers
    std::uint32_t size_ = 0;
    std::uint64_t next_sequence_ = 1;  // one above the last one taken; wide enough never to wrap
};

// Milliseconds would not do: a session's owner may call at any time.
using Nanoseconds = std::int64_t;

// 33 ms, while a tick of the world is 1/30 s: a session runs one part in a hundred fast.
inline constexpr Nanoseconds tick_interval = 33'000'000;

// How many ticks to run after so much time. A call that comes early still gets one tick; nothing for time
// that has not passed.
inline std::uint32_t ticks_due(Nanoseconds elapsed, std::uint32_t most_ticks);

// One ship, in slot 0, and its commands.
struct Session {
    CommandQueue queue;
    Nanoseconds last_tick =
        0;  // moves by tick_interval a tick, so after an early call it is ahead of the clock

    // Runs the ticks that are due, at most so many, each with the next command or with none; stops when the
    // match is over. Returns how many there were.
    std::uint32_t run(State& state, const Setup& setup, Nanoseconds now, std::uint32_t most_ticks,
                      contract::Events<Event>& events);
};

inline bool CommandQueue::enqueue(const Command& command) {
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

inline std::optional<Command> CommandQueue::dequeue() {
    if (size_ == 0) return std::nullopt;
    Command* const first = waiting_.data();
    const Command lowest = *first;
    std::move(first + 1, first + size_, first);
    --size_;
    next_sequence_ = std::uint64_t{lowest.sequence} + 1;
    return lowest;
}

inline std::uint32_t ticks_due(Nanoseconds elapsed, std::uint32_t most_ticks) {
    if (elapsed <= 0) return 0;
    const Nanoseconds whole = std::max<Nanoseconds>(1, elapsed / tick_interval);
    return static_cast<std::uint32_t>(std::min<Nanoseconds>(whole, most_ticks));
}

inline std::uint32_t Session::run(State& state, const Setup& setup, Nanoseconds now, std::uint32_t most_ticks,
                                  contract::Events<Event>& events) {
    const std::uint32_t due = ticks_due(now - last_tick, most_ticks);
    std::uint32_t done = 0;
    for (; done < due && !state.head->over; ++done) {
        const Input input = queue.dequeue().value_or(Command{}).input;
        worlds::orbit::step(state, setup, {{}, {}, {&input, 1}}, events);
        last_tick += tick_interval;
    }
    return done;
}

}  // namespace instep::test::orbit
