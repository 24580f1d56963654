// SPDX-License-Identifier: MIT
// What the operating system says about this process, for metrics: read from /proc at most once a second, so
// that asking often costs nothing. From any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <dirent.h>

#include <instep/server/loop.h>
#include <instep/server/mutex.h>

namespace instep::server {

class ProcessStats {
public:
    ProcessStats();
    ~ProcessStats();
    ProcessStats(const ProcessStats&) = delete;
    ProcessStats& operator=(const ProcessStats&) = delete;

    struct Sample {
        std::uint64_t resident_bytes = 0;
        std::uint64_t descriptors = 0;
        std::uint64_t most_descriptors = 0;
        double processor_seconds = 0;
    };
    Sample sample(Time now);

private:
    std::uint64_t read_resident_bytes() const REQUIRES(mutex_);
    std::uint64_t count_descriptors() const REQUIRES(mutex_);

    Mutex mutex_;
    // Opened once: no request opens a file.
    int statm_;
    DIR* descriptors_;
    Time sampled_at_ GUARDED_BY(mutex_) = Time::min();
    Sample sample_ GUARDED_BY(mutex_);
};

}  // namespace instep::server
