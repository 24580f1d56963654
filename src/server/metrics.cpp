// SPDX-License-Identifier: MIT
#include <instep/server/metrics.h>

#include <cmath>
#include <cstdio>

#include <instep/server/log.h>
#include <instep/server/process_stats.h>

namespace instep::server {

void Histogram::add(std::chrono::nanoseconds time) {
    const double seconds = static_cast<double>(time.count()) * 1e-9;
    std::size_t bucket = 0;
    while (bucket < bucket_count && seconds > bound(bucket)) ++bucket;
    buckets_[bucket].fetch_add(1, std::memory_order_relaxed);
    if (time.count() > 0)
        nanoseconds_.fetch_add(static_cast<std::uint64_t>(time.count()), std::memory_order_relaxed);
}

std::uint64_t Histogram::count() const {
    std::uint64_t all = 0;
    for (const Count& bucket : buckets_) all += bucket;
    return all;
}

double Histogram::quantile(double share) const {
    const double wanted = share * static_cast<double>(count());
    std::uint64_t below = 0;
    for (std::size_t bucket = 0; bucket < bucket_count; ++bucket) {
        below += buckets_[bucket];
        if (static_cast<double>(below) >= wanted) return bound(bucket);
    }
    return INFINITY;
}

namespace {

// A metric that is one number.
struct Metric {
    const char* type;
    const char* name;
    const char* help;
    Count Metrics::* count;
};

constexpr Metric single_metrics[] = {
    {"gauge", "connections", "Connections open now.", &Metrics::connections},
    {"counter", "connections_total", "Connections accepted.", &Metrics::connections_total},
    {"gauge", "players", "Players in rooms now.", &Metrics::players},
    {"gauge", "watchers", "Watchers of rooms now.", &Metrics::watchers},
    {"gauge", "rooms", "Rooms open now.", &Metrics::rooms},
    {"counter", "rooms_total", "Rooms opened.", &Metrics::rooms_total},
    {"counter", "rooms_failed_total", "Rooms ended by a failed invariant or by their tick budget.",
     &Metrics::rooms_failed},
    {"counter", "rooms_handed_over_total", "Rooms that went on in another process.",
     &Metrics::rooms_handed_over},
    {"counter", "rooms_received_total", "Rooms that came from another process.", &Metrics::rooms_received},
    {"counter", "hand_overs_failed_total", "Rooms that no other process took, and that went on here.",
     &Metrics::hand_overs_failed},
    {"counter", "rooms_taken_over_total", "Rooms that went on here after their process had died.",
     &Metrics::rooms_taken_over},
    {"counter", "take_overs_failed_total", "Rooms of dead processes that could not go on here.",
     &Metrics::take_overs_failed},
    {"counter", "rooms_fenced_total", "Rooms that ended here because another process owns them.",
     &Metrics::rooms_fenced},
    {"counter", "ticks_unprotected_total", "Ticks played without a lease, since Redis did not answer.",
     &Metrics::ticks_unprotected},
    {"counter", "requests_total", "HTTP requests answered.", &Metrics::requests},
    {"counter", "bytes_in_total", "Bytes received, framing included.", &Metrics::bytes_in},
    {"counter", "bytes_out_total", "Bytes of messages sent.", &Metrics::bytes_out},
    {"counter", "messages_in_total", "Messages received.", &Metrics::messages_in},
    {"counter", "messages_out_total", "Messages sent.", &Metrics::messages_out},
    {"counter", "snapshots_skipped_total", "Snapshots not sent to clients that read slowly.",
     &Metrics::snapshots_skipped},
    {"counter", "ticks_total", "Ticks stepped.", &Metrics::ticks},
    {"counter", "ticks_skipped_total", "Ticks that rooms skipped because they were too far behind.",
     &Metrics::ticks_skipped},
    {"counter", "inputs_accepted_total", "Inputs that came in time.", &Metrics::inputs_accepted},
    {"counter", "inputs_late_total", "Inputs that came after their tick.", &Metrics::inputs_late},
    {"counter", "inputs_rejected_total", "Inputs too early or illegal, and malformed messages.",
     &Metrics::inputs_rejected},
    {"counter", "predictions_confirmed_total", "Snapshots that confirmed the client's prediction to the bit.",
     &Metrics::predictions_confirmed},
    {"counter", "predictions_corrected_total",
     "Snapshots that carried the exact state of the client's player.", &Metrics::predictions_corrected},
    {"counter", "desyncs_total", "Desync reports that named a difference.", &Metrics::desyncs},
    {"counter", "desync_reports_unfounded_total", "Desync reports that differed in nothing remembered.",
     &Metrics::desync_reports_unfounded},
    {"counter", "desync_reports_ignored_total", "Desync reports beyond the limits, which were not read.",
     &Metrics::desync_reports_ignored},
    {"counter", "joins_total", "Players that joined a room.", &Metrics::joins},
    {"counter", "leaves_total", "Players that left a room.", &Metrics::leaves},
    {"counter", "resumes_total", "Players that came back over another connection.", &Metrics::resumes},
    {"counter", "recordings_failed_total", "Recordings that ended before their match.",
     &Metrics::recordings_failed},
    {"gauge", "recording_bytes_waiting", "Bytes of recordings that wait for the disk.",
     &Metrics::recording_bytes_waiting},
    {"counter", "slow_ticks_total", "Ticks slower than slow-tick-percent.", &Metrics::slow_ticks},
};

std::string line(const std::string& name, const std::string& value) {
    return "instep_" + name + " " + value + "\n";
}

std::string histogram_text(const std::string& name, const char* help, const Histogram& histogram) {
    std::string text = metric_head("histogram", name, help);
    std::uint64_t below = 0;
    for (std::size_t i = 0; i <= Histogram::bucket_count; ++i) {
        below += histogram.in_bucket(i);
        const std::string bound = i < Histogram::bucket_count ? metric_number(Histogram::bound(i)) : "+Inf";
        text += line(name + "_bucket{le=\"" + bound + "\"}", std::to_string(below));
    }
    return text + line(name + "_sum", metric_number(histogram.sum())) +
           line(name + "_count", std::to_string(below));
}

#ifdef __clang__
constexpr std::string_view compiler = "clang " __clang_version__;
#else
constexpr std::string_view compiler = "g++ " __VERSION__;
#endif

// By the names that Prometheus' own client libraries use.
std::string process_text(const ProcessStats::Sample& sample) {
    const auto metric = [](const std::string& type, const std::string& name, const char* help,
                           const std::string& value) {
        return "# HELP " + name + " " + help + "\n# TYPE " + name + " " + type + "\n" + name + " " + value +
               "\n";
    };
    return metric("gauge", "process_resident_memory_bytes", "Memory in use.",
                  std::to_string(sample.resident_bytes)) +
           metric("gauge", "process_open_fds", "Open files and sockets.",
                  std::to_string(sample.descriptors)) +
           metric("gauge", "process_max_fds", "How many may be open.",
                  std::to_string(sample.most_descriptors)) +
           metric("counter", "process_cpu_seconds_total", "Processor time used.",
                  metric_number(sample.processor_seconds));
}

}  // namespace

std::string metric_head(std::string_view type, std::string_view name, std::string_view help) {
    const std::string full = "instep_" + std::string(name);
    return "# HELP " + full + " " + std::string(help) + "\n# TYPE " + full + " " + std::string(type) + "\n";
}

std::string metric_line(std::string_view name, std::string_view label, std::string_view value,
                        const std::string& number) {
    return line(std::string(name) + "{" + std::string(label) + "=\"" + std::string(value) + "\"}", number);
}

std::string metric_number(double number) {
    char text[32];
    std::snprintf(text, sizeof text, "%.9g", number);
    return text;
}

std::string prometheus_text(const Metrics& metrics, const Log& log, ProcessStats& process) {
    std::string text;
    for (const Metric& metric : single_metrics)
        text += metric_head(metric.type, metric.name, metric.help) +
                line(metric.name, std::to_string(metrics.*metric.count));
    text += histogram_text("tick_seconds", "Duration of a room's tick, sending included.", metrics.tick_time);
    text += histogram_text("tick_lateness_seconds", "How late a tick began.", metrics.lateness);
    text += metric_head("counter", "tick_part_seconds_total", "Duration of the parts of ticks.");
    for (std::size_t i = 0; i < tick_part_names.size(); ++i)
        text += metric_line("tick_part_seconds_total", "part", tick_part_names[i],
                            metric_number(static_cast<double>(metrics.tick_parts[i]) * 1e-9));
    text += metric_head("counter", "refusals_total", "Refusals, by reason.");
    for (std::size_t i = 0; i < metrics.refusals.size(); ++i)
        text += metric_line("refusals_total", "reason", refusal_table[i].name,
                            std::to_string(metrics.refusals[i]));
    text += metric_head("counter", "log_lines_lost_total",
                        "Lines not logged: not read in time, or above a rate.");
    text += metric_line("log_lines_lost_total", "reason", "unread", std::to_string(log.lines_unread()));
    text += metric_line("log_lines_lost_total", "reason", "rate", std::to_string(log.lines_above_rate()));
    text += metric_head("gauge", "build_info", "The version and the compiler that it was built with.");
    text +=
        "instep_build_info{version=\"" INSTEP_VERSION "\",compiler=\"" + std::string(compiler) + "\"} 1\n";
    return text + process_text(process.sample(Clock::now()));
}

}  // namespace instep::server
