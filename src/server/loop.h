// SPDX-License-Identifier: MIT
// The threads of a server. Only this file and the few that use sockets know Asio; the others see strands, on
// which one task runs at a time, and a clock.
//
// Tasks with a due time (ticks of rooms and bots) have other threads than sockets, so that a tick never waits
// behind a thousand new connections.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

namespace boost::asio {
class io_context;  // NOLINT(readability-identifier-naming): Asio's name
}

namespace instep::server {

using Clock = std::chrono::steady_clock;
using Time = Clock::time_point;

class Loop {
public:
    // Called with the text of an exception that a task threw; the thread goes on. Default: prints to stderr.
    using ErrorHandler = std::function<void(const char* what)>;
    // `threads` for ticks, and as many for sockets; 0: one of each for every core.
    explicit Loop(std::uint32_t threads, ErrorHandler on_error = nullptr);
    ~Loop();  // stops and joins
    Loop(const Loop&) = delete;
    Loop& operator=(const Loop&) = delete;

    // Ends the threads, even if tasks are waiting.
    void stop();
    // Stops, and waits until no thread runs. Waiting tasks are destroyed with the loop.
    void join();
    std::uint32_t threads() const;
    // Gives the tick threads real-time priority (SCHED_RR). False: the system does not allow it.
    bool request_realtime();
    // A thread for sockets; what belongs to it runs one task at a time.
    struct IoThread {
        boost::asio::io_context& context;
        std::shared_ptr<void> lease;  // counts as load on that thread while it is held
    };
    IoThread assign_io_thread();  // the one with the fewest leases
    // Runs the task on a thread of its own, for work that would block a tick or a socket.
    void post_blocking(std::function<void()> task);

private:
    friend class Strand;
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

// Tasks of one strand run one after the other, on any of the loop's tick threads.
class Strand {
public:
    explicit Strand(Loop& loop);
    Strand(const Strand&) = delete;
    Strand& operator=(const Strand&) = delete;

    // A task that returns when it is due again, or nothing to end.
    using Timed = std::function<std::optional<Time>()>;

    void post(std::function<void()> task);
    // A strand has one timed task: a new one replaces it, and it is dropped with the strand.
    void run_at(Time time, Timed task);

private:
    struct Parts;
    static void wait(const std::shared_ptr<Parts>& parts, Time time, Timed task);
    std::shared_ptr<Parts> parts_;
};

}  // namespace instep::server
