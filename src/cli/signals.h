// SPDX-License-Identifier: MIT
// How SIGINT (Ctrl-C) and SIGTERM end a program: the first lets it finish what it does, another one ends it
// at once. Signals that come within a second of the first count as the same request: a terminal, a supervisor
// or coreutils' `timeout` may signal a process and then its whole group.
#pragma once

#include <atomic>
#include <csignal>
#include <cstdint>
#include <ctime>

namespace instep::cli {

class StopRequest {
public:
    static constexpr std::int64_t same_request_ns = 1'000'000'000;

    // What a signal handler does with a signal; true for the first.
    static bool take(int signal) {
        const std::int64_t now = now_ns();
        std::int64_t none = 0;
        if (first_ns.compare_exchange_strong(none, now)) {
            first_signal = signal;
            return true;
        }
        if (now - none >= same_request_ns) end_by(signal);
        return false;
    }
    // The first signal's number, 0 before there was one.
    static int signal() { return first_signal; }
    // Ends the process by a signal, as if it had never been handled.
    static void end_by(int signal) {
        std::signal(signal, SIG_DFL);
        std::raise(signal);
    }

private:
    static std::int64_t now_ns() {
        timespec time{};
        clock_gettime(CLOCK_MONOTONIC, &time);  // may be called in a handler, unlike most functions
        return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
    }

    static inline std::atomic<std::int64_t> first_ns = 0;
    static inline std::atomic<int> first_signal = 0;
    static_assert(std::atomic<std::int64_t>::is_always_lock_free, "a handler sets it");
};

// Waits for a signal without a handler. To be made before there are other threads, so that none is
// interrupted.
class Signals {
public:
    enum class Hangup : std::uint8_t { ends, reloads };

    // `reloads`: SIGHUP does not end the process, but wait_for_end() reports it.
    explicit Signals(Hangup hangup = Hangup::ends) {
        sigemptyset(&set_);
        sigaddset(&set_, SIGINT);
        sigaddset(&set_, SIGTERM);
        if (hangup == Hangup::reloads) sigaddset(&set_, SIGHUP);
        pthread_sigmask(SIG_BLOCK, &set_, nullptr);
    }

    // Returns at the first signal that ends the program, and calls `reload` for each SIGHUP before. From then
    // on a second one, if it is a request of its own, ends the process; SIGHUP stays blocked.
    template <class Reload>
    void wait_for_end(Reload reload) {
        int signal = 0;
        for (sigwait(&set_, &signal); signal == SIGHUP; sigwait(&set_, &signal)) reload();
        sigdelset(&set_, SIGHUP);
        StopRequest::take(signal);
        for (const int each : {SIGINT, SIGTERM})
            std::signal(each, [](int again) { StopRequest::take(again); });
        pthread_sigmask(SIG_UNBLOCK, &set_, nullptr);
    }
    // False if no signal came within so many seconds.
    bool wait(double seconds) const {
        timespec time{};
        time.tv_sec = static_cast<std::time_t>(seconds);
        time.tv_nsec =
            static_cast<decltype(time.tv_nsec)>((seconds - static_cast<double>(time.tv_sec)) * 1e9);
        return sigtimedwait(&set_, nullptr, &time) > 0;
    }

private:
    sigset_t set_{};
};

}  // namespace instep::cli
