// SPDX-License-Identifier: MIT
#include <instep/server/metrics.h>

#include <cmath>
#include <cstdio>

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
    {"counter", "inputs_rejected_total", "Inputs too early or illegal, and malformed or ignored messages.",
     &Metrics::inputs_rejected},
    {"counter", "predictions_confirmed_total", "Snapshots that confirmed the client's prediction to the bit.",
     &Metrics::predictions_confirmed},
    {"counter", "predictions_corrected_total",
     "Snapshots that carried the exact state of the client's player.", &Metrics::predictions_corrected},
    {"counter", "desyncs_total", "Desync reports that the server checked.", &Metrics::desyncs},
    {"counter", "recordings_failed_total", "Recordings that ended before their match.",
     &Metrics::recordings_failed},
    {"gauge", "recording_bytes_waiting", "Bytes of recordings that wait for the disk.",
     &Metrics::recording_bytes_waiting},
};

std::string head(const char* type, const char* name, const char* help) {
    const std::string full = std::string("instep_") + name;
    return "# HELP " + full + " " + help + "\n# TYPE " + full + " " + type + "\n";
}

std::string line(const std::string& name, const std::string& value) {
    return "instep_" + name + " " + value + "\n";
}

std::string text_of(double number) {
    char text[32];
    std::snprintf(text, sizeof text, "%.9g", number);
    return text;
}

std::string histogram_text(const std::string& name, const char* help, const Histogram& histogram) {
    std::string text = head("histogram", name.c_str(), help);
    std::uint64_t below = 0;
    for (std::size_t i = 0; i <= Histogram::bucket_count; ++i) {
        below += histogram.in_bucket(i);
        const std::string bound = i < Histogram::bucket_count ? text_of(Histogram::bound(i)) : "+Inf";
        text += line(name + "_bucket{le=\"" + bound + "\"}", std::to_string(below));
    }
    return text + line(name + "_sum", text_of(histogram.sum())) +
           line(name + "_count", std::to_string(below));
}

}  // namespace

std::string prometheus_text(const Metrics& metrics) {
    std::string text;
    for (const Metric& metric : single_metrics)
        text += head(metric.type, metric.name, metric.help) +
                line(metric.name, std::to_string(metrics.*metric.count));
    text += histogram_text("tick_seconds", "Duration of a room's tick, sending included.", metrics.tick_time);
    text += histogram_text("tick_lateness_seconds", "How late a tick began.", metrics.lateness);
    text += head("counter", "refusals_total", "Refusals, by reason.");
    for (std::size_t i = 0; i < metrics.refusals.size(); ++i)
        text += line("refusals_total{reason=\"" + std::string(refusal_table[i].name) + "\"}",
                     std::to_string(metrics.refusals[i]));
    return text;
}

}  // namespace instep::server
