// SPDX-License-Identifier: MIT
// Waiting for Ctrl-C, or for whoever asks the process to end. To be made before there are other threads, so
// that no thread is interrupted.
#pragma once

#include <csignal>
#include <ctime>

namespace instep::cli {

class Signals {
public:
    Signals() {
        sigemptyset(&set_);
        sigaddset(&set_, SIGINT);
        sigaddset(&set_, SIGTERM);
        pthread_sigmask(SIG_BLOCK, &set_, nullptr);
    }

    void wait() const {
        int signal = 0;
        sigwait(&set_, &signal);
    }
    // False if nobody asked within so many seconds.
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
