// SPDX-License-Identifier: MIT
// The threads of a server, and what runs on them. Asio stays behind this file and the few that speak to
// sockets: everything else sees strands, on which one thing runs at a time, and a clock.
//
// What has a time at which it is due (rooms, bots) has threads of its own, and sockets have others: a
// thousand strangers at the door are a long queue, and a tick must not stand in it.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

namespace boost::asio {
class io_context;  // NOLINT(readability-identifier-naming): its name
}

namespace instep::server {

using Clock = std::chrono::steady_clock;
using Time = Clock::time_point;

class Loop {
public:
    // So many threads for what is due, and as many for sockets; 0: one of each for every core.
    // `trouble` is told what a task threw, and the thread goes on; without it standard error is.
    using Trouble = std::function<void(const char* what)>;
    explicit Loop(std::uint32_t threads, Trouble trouble = nullptr);
    ~Loop();  // stops and joins
    Loop(const Loop&) = delete;
    Loop& operator=(const Loop&) = delete;

    // Ends the threads, whatever still waits.
    void stop();
    // Stops, and waits until nothing runs. What still waits is kept until the loop goes.
    void join();
    std::uint32_t threads() const;
    // Lets what is due run before all ordinary programs of this machine. False: the system does not let us.
    bool put_due_first();
    // A thread for sockets, that which the fewest hold: what belongs to it runs one thing at a time.
    struct Sockets {
        boost::asio::io_context& context;
        std::shared_ptr<void> held;  // counts for as long as it is kept
    };
    Sockets take_sockets();
    // On a thread of its own: for what would make a tick or a socket wait.
    void post_aside(std::function<void()> task);

private:
    friend class Strand;
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

// What is posted to one strand runs one after the other, on any of the loop's threads for what is due.
class Strand {
public:
    explicit Strand(Loop& loop);
    Strand(const Strand&) = delete;
    Strand& operator=(const Strand&) = delete;

    // A task that is due at a time, and says when it is due again, if it is.
    using Timed = std::function<std::optional<Time>()>;

    void post(std::function<void()> task);
    // One task waits for its time; a new one takes the place of the old. When the strand goes, it is
    // forgotten.
    void run_at(Time time, Timed task);

private:
    struct Parts;
    static void wait(const std::shared_ptr<Parts>& parts, Time time, Timed task);
    std::shared_ptr<Parts> parts_;
};

}  // namespace instep::server
