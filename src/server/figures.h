// SPDX-License-Identifier: MIT
// What a server counts, from any thread, and the text in which Prometheus reads it.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>

#include <instep/server/refusal.h>

namespace instep::server {

using Count = std::atomic<std::uint64_t>;

// How many took how long. Each bound is twice the one before: 31 µs, 62 µs, ... 1 s.
class Histogram {
public:
    static constexpr std::size_t bucket_count = 16;
    static constexpr double bound(std::size_t bucket) {
        return 1.0 / static_cast<double>(1 << (15 - bucket));
    }

    void add(std::chrono::nanoseconds time);
    std::uint64_t count() const;
    double sum() const { return static_cast<double>(nanoseconds_.load()) * 1e-9; }
    std::uint64_t in_bucket(std::size_t bucket) const { return buckets_[bucket]; }  // the last: all longer
    // An upper bound of the time, in seconds, that this part of all stayed below.
    double quantile(double part) const;

private:
    std::array<Count, bucket_count + 1> buckets_{};
    Count nanoseconds_{0};
};

struct Figures {
    Count connections{0};  // now
    Count connections_total{0};
    Count players{0};   // now
    Count watchers{0};  // now
    Count rooms{0};     // now
    Count rooms_total{0};
    Count rooms_failed{0};
    Count requests{0};
    Count bytes_in{0};
    Count bytes_out{0};
    Count messages_in{0};
    Count messages_out{0};
    Count snapshots_left_out{0};  // of slow readers
    Count ticks{0};
    Count ticks_skipped{0};  // time that a room gave up as lost
    Count inputs_taken{0};
    Count inputs_late{0};
    Count inputs_refused{0};
    Count own_confirmed{0};
    Count own_corrected{0};
    Count desyncs{0};
    Histogram tick_time;
    Histogram lateness;
    std::array<Count, static_cast<std::size_t>(Cause::count_of_causes)> refused{};

    void count(Cause cause) { ++refused[static_cast<std::size_t>(cause)]; }
};

std::string prometheus_text(const Figures& figures);

}  // namespace instep::server
