// SPDX-License-Identifier: MIT
// The threads of a server, and what runs on them. Asio stays behind this file and the few that speak to
// sockets: everything else sees strands, on which one thing runs at a time, and a clock.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>

namespace boost::asio {
class io_context;  // NOLINT(readability-identifier-naming): its name
}

namespace instep::server {

using Clock = std::chrono::steady_clock;
using Time = Clock::time_point;

class Loop {
public:
    // 0 threads: one for each core.
    explicit Loop(std::uint32_t threads);
    ~Loop();  // stops and joins
    Loop(const Loop&) = delete;
    Loop& operator=(const Loop&) = delete;

    // Ends the threads, whatever still waits.
    void stop();
    std::uint32_t threads() const;
    boost::asio::io_context& context();

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

// What is posted to one strand runs one after the other, on any of the loop's threads.
class Strand {
public:
    explicit Strand(Loop& loop);
    Strand(const Strand&) = delete;
    Strand& operator=(const Strand&) = delete;

    void post(std::function<void()> task);
    // One task waits for its time; a new one takes the place of the old. When the strand goes, it is
    // forgotten.
    void run_at(Time time, std::function<void()> task);

private:
    struct Parts;
    std::shared_ptr<Parts> parts_;
};

}  // namespace instep::server
