// SPDX-License-Identifier: MIT
#include <instep/server/figures.h>

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

double Histogram::quantile(double part) const {
    const double wanted = part * static_cast<double>(count());
    std::uint64_t below = 0;
    for (std::size_t bucket = 0; bucket < bucket_count; ++bucket) {
        below += buckets_[bucket];
        if (static_cast<double>(below) >= wanted) return bound(bucket);
    }
    return INFINITY;
}

namespace {

class PrometheusWriter {
public:
    void gauge(const char* name, const char* help, std::uint64_t value) { one("gauge", name, help, value); }
    void counter(const char* name, const char* help, std::uint64_t value) {
        one("counter", name, help, value);
    }

    void histogram(const char* name, const char* help, const Histogram& histogram) {
        head("histogram", name, help);
        std::uint64_t below = 0;
        for (std::size_t i = 0; i <= Histogram::bucket_count; ++i) {
            below += histogram.in_bucket(i);
            char bound[32] = "+Inf";
            if (i < Histogram::bucket_count) std::snprintf(bound, sizeof bound, "%.9g", Histogram::bound(i));
            text += std::string("instep_") + name + "_bucket{le=\"" + bound + "\"} " + std::to_string(below) +
                    "\n";
        }
        char sum[32];
        std::snprintf(sum, sizeof sum, "%.9g", histogram.sum());
        text += std::string("instep_") + name + "_sum " + sum + "\n";
        text += std::string("instep_") + name + "_count " + std::to_string(below) + "\n";
    }

    void head(const char* type, const char* name, const char* help) {
        text +=
            std::string("# HELP instep_") + name + " " + help + "\n# TYPE instep_" + name + " " + type + "\n";
    }

    std::string text;

private:
    void one(const char* type, const char* name, const char* help, std::uint64_t value) {
        head(type, name, help);
        text += std::string("instep_") + name + " " + std::to_string(value) + "\n";
    }
};

}  // namespace

std::string prometheus_text(const Figures& figures) {
    PrometheusWriter out;
    out.gauge("connections", "Connections open now.", figures.connections);
    out.counter("connections_total", "Connections accepted.", figures.connections_total);
    out.gauge("players", "Players in rooms now.", figures.players);
    out.gauge("watchers", "Watchers of rooms now.", figures.watchers);
    out.gauge("rooms", "Rooms open now.", figures.rooms);
    out.counter("rooms_total", "Rooms opened.", figures.rooms_total);
    out.counter("rooms_failed_total", "Rooms ended by a failed invariant or by their tick budget.",
                figures.rooms_failed);
    out.counter("requests_total", "HTTP requests answered.", figures.requests);
    out.counter("bytes_in_total", "Bytes received, framing included.", figures.bytes_in);
    out.counter("bytes_out_total", "Bytes of messages sent.", figures.bytes_out);
    out.counter("messages_in_total", "Messages received.", figures.messages_in);
    out.counter("messages_out_total", "Messages sent.", figures.messages_out);
    out.counter("snapshots_left_out_total", "Snapshots that a slow reader was spared.",
                figures.snapshots_left_out);
    out.counter("ticks_total", "Ticks stepped.", figures.ticks);
    out.counter("ticks_skipped_total", "Ticks of time that rooms gave up as lost.", figures.ticks_skipped);
    out.counter("inputs_taken_total", "Inputs that came in time.", figures.inputs_taken);
    out.counter("inputs_late_total", "Inputs that came after their tick.", figures.inputs_late);
    out.counter("inputs_refused_total", "Inputs too early or illegal, and messages that are none.",
                figures.inputs_refused);
    out.counter("own_confirmed_total", "Snapshots that confirmed a prediction to the bit.",
                figures.own_confirmed);
    out.counter("own_corrected_total", "Snapshots that carried the exact own player.", figures.own_corrected);
    out.counter("desyncs_total", "Reports of told states that differ.", figures.desyncs);
    out.histogram("tick_seconds", "Time that a room's tick took, sending included.", figures.tick_time);
    out.histogram("tick_lateness_seconds", "How late a tick began.", figures.lateness);
    out.head("counter", "refused_total", "What was refused, by cause.");
    for (std::size_t i = 0; i < figures.refused.size(); ++i)
        out.text += "instep_refused_total{cause=\"" + std::string(causes[i].word) + "\"} " +
                    std::to_string(figures.refused[i]) + "\n";
    return out.text;
}

}  // namespace instep::server
