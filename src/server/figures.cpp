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

// Those that are one number.
struct Figure {
    const char* type;
    const char* name;
    const char* help;
    Count Figures::* count;
};

constexpr Figure figure_list[] = {
    {"gauge", "connections", "Connections open now.", &Figures::connections},
    {"counter", "connections_total", "Connections accepted.", &Figures::connections_total},
    {"gauge", "players", "Players in rooms now.", &Figures::players},
    {"gauge", "watchers", "Watchers of rooms now.", &Figures::watchers},
    {"gauge", "rooms", "Rooms open now.", &Figures::rooms},
    {"counter", "rooms_total", "Rooms opened.", &Figures::rooms_total},
    {"counter", "rooms_failed_total", "Rooms ended by a failed invariant or by their tick budget.",
     &Figures::rooms_failed},
    {"counter", "requests_total", "HTTP requests answered.", &Figures::requests},
    {"counter", "bytes_in_total", "codec::Bytes received, framing included.", &Figures::bytes_in},
    {"counter", "bytes_out_total", "codec::Bytes of messages sent.", &Figures::bytes_out},
    {"counter", "messages_in_total", "Messages received.", &Figures::messages_in},
    {"counter", "messages_out_total", "Messages sent.", &Figures::messages_out},
    {"counter", "snapshots_left_out_total", "Snapshots that a slow reader was spared.",
     &Figures::snapshots_left_out},
    {"counter", "ticks_total", "Ticks stepped.", &Figures::ticks},
    {"counter", "ticks_skipped_total", "Ticks of time that rooms gave up as lost.", &Figures::ticks_skipped},
    {"counter", "inputs_taken_total", "Inputs that came in time.", &Figures::inputs_taken},
    {"counter", "inputs_late_total", "Inputs that came after their tick.", &Figures::inputs_late},
    {"counter", "inputs_refused_total", "Inputs too early or illegal, and messages that are none.",
     &Figures::inputs_refused},
    {"counter", "own_confirmed_total", "Snapshots that confirmed a prediction to the bit.",
     &Figures::own_confirmed},
    {"counter", "own_corrected_total", "Snapshots that carried the exact own player.",
     &Figures::own_corrected},
    {"counter", "desyncs_total", "Desync reports that were judged.", &Figures::desyncs},
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

std::string prometheus_text(const Figures& figures) {
    std::string text;
    for (const Figure& figure : figure_list)
        text += head(figure.type, figure.name, figure.help) +
                line(figure.name, std::to_string(figures.*figure.count));
    text +=
        histogram_text("tick_seconds", "Time that a room's tick took, sending included.", figures.tick_time);
    text += histogram_text("tick_lateness_seconds", "How late a tick began.", figures.lateness);
    text += head("counter", "refused_total", "What was refused, by cause.");
    for (std::size_t i = 0; i < figures.refused.size(); ++i)
        text += line("refused_total{cause=\"" + std::string(causes[i].word) + "\"}",
                     std::to_string(figures.refused[i]));
    return text;
}

}  // namespace instep::server
