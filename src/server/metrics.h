// SPDX-License-Identifier: MIT
// What a server counts, from any thread, and the text that Prometheus reads.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include <instep/server/refusal.h>
#include <instep/server/tick_parts.h>

namespace instep::server {

using Count = std::atomic<std::uint64_t>;

// Durations in buckets. Each bound is twice the one before: 31 µs, 62 µs, ... 1 s.
class Histogram {
public:
    static constexpr std::size_t bucket_count = 16;
    static constexpr double bound(std::size_t bucket) {
        return 1.0 / static_cast<double>(1 << (15 - bucket));
    }

    void add(std::chrono::nanoseconds time);
    std::uint64_t count() const;
    double sum() const { return static_cast<double>(nanoseconds_.load()) * 1e-9; }
    std::uint64_t in_bucket(std::size_t bucket) const {
        return buckets_[bucket];
    }  // the last: longer than 1 s
    // An upper bound, in seconds, of the duration that this share of all stayed below.
    double quantile(double share) const;

private:
    std::array<Count, bucket_count + 1> buckets_{};
    Count nanoseconds_{0};
};

struct Metrics {
    Count connections{0};  // now
    Count connections_total{0};
    Count players{0};   // now
    Count watchers{0};  // now
    Count rooms{0};     // now
    Count rooms_total{0};
    Count rooms_failed{0};
    Count rooms_handed_over{0};  // to another process
    Count rooms_received{0};     // from another process
    Count hand_overs_failed{0};
    Count rooms_taken_over{0};   // from a process that died
    Count rooms_fenced{0};       // another process owns them
    Count ticks_unprotected{0};  // played without a lease
    Count requests{0};
    Count bytes_in{0};
    Count bytes_out{0};
    Count messages_in{0};
    Count messages_out{0};
    Count snapshots_skipped{0};  // for clients that read slowly
    Count ticks{0};
    Count ticks_skipped{0};  // of rooms that were too far behind
    Count inputs_accepted{0};
    Count inputs_late{0};
    Count inputs_rejected{0};
    Count predictions_confirmed{0};
    Count predictions_corrected{0};
    Count desyncs{0};
    Count desync_reports_unfounded{0};
    Count desync_reports_ignored{0};
    Count joins{0};
    Count leaves{0};
    Count resumes{0};
    Count recordings_failed{0};
    Count recording_bytes_waiting{0};  // now, for the disk
    Count slow_ticks{0};
    std::array<Count, tick_part_names.size()> tick_parts{};  // ns
    Histogram tick_time;
    Histogram lateness;
    std::array<Count, static_cast<std::size_t>(RefusalReason::count)> refusals{};
    Count take_overs_failed{0};  // rooms of dead processes that could not go on here

    void count(RefusalReason reason) { ++refusals[static_cast<std::size_t>(reason)]; }
};

class Log;
class ProcessStats;
std::string prometheus_text(const Metrics& metrics, const Log& log, ProcessStats& process);

// One line of that text with its label, "instep_room_ticks_total{room=\"ours\"} 12".
std::string metric_line(std::string_view name, std::string_view label, std::string_view value,
                        const std::string& number);
std::string metric_head(std::string_view type, std::string_view name, std::string_view help);
std::string metric_number(double number);

}  // namespace instep::server
