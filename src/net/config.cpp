// SPDX-License-Identifier: MIT
#include <instep/net/config.h>

#include <initializer_list>
#include <string>
#include <string_view>

#include <instep/state/decimal.h>

namespace instep::net {
namespace {

constexpr double shortest = 1e-3;  // s of an interval: no tick is shorter
constexpr double longest = 3600;   // s: as ticks it fits into 32 bits
constexpr double max_count = 1 << 20;

struct Range {
    std::string_view name;
    double value;
    double low;
    double high;
};

state::Result<void> check_ranges(std::string_view config, std::initializer_list<Range> ranges) {
    for (const Range& range : ranges) {
        if (range.value >= range.low && range.value <= range.high) continue;  // NaN is in no range
        std::string text = "expected a number from ";
        state::append_decimal(text, range.low);
        text += " to ";
        state::append_decimal(text, range.high);
        text += ", got ";
        if (std::isfinite(range.value))
            state::append_decimal(text, range.value);
        else
            text += std::isnan(range.value) ? "NaN" : "infinity";
        return state::refuse(std::string(config) + "." + std::string(range.name), std::move(text));
    }
    return {};
}

}  // namespace

state::Result<void> check(const HostConfig& config) {
    return check_ranges("HostConfig",
                        {{"max_lateness", config.max_lateness, shortest, longest},
                         {"input_hold", config.input_hold, 0, longest},
                         {"input_window", config.input_window, shortest, longest},
                         {"delta_budget", static_cast<double>(config.delta_budget.value_or(1)), 1, max_count},
                         {"bytes_per_second", config.bytes_per_second, 1, 1e9},
                         {"budget_patience", config.budget_patience, 0, longest},
                         {"cell_rest", config.cell_rest, 0, longest},
                         {"cells_per_side", static_cast<double>(config.cells_per_side), 1, 64},
                         {"link_capacity", static_cast<double>(config.link_capacity), 1, 1e9},
                         {"restart_interval", static_cast<double>(config.restart_interval), 1, max_count},
                         {"keyframe_patience", config.keyframe_patience, 0, longest},
                         {"datagram_keyframe_patience", config.datagram_keyframe_patience, 0, longest},
                         {"loss_memory", config.loss_memory, 0, longest},
                         {"exact_silence", config.exact_silence, 0, longest},
                         {"margin_interval", static_cast<double>(config.margin_interval), 1, max_count},
                         {"hashes_per_second", static_cast<double>(config.hashes_per_second), 1, max_count},
                         {"report_interval", config.report_interval, shortest, longest},
                         {"reports_per_second", static_cast<double>(config.reports_per_second), 1, max_count},
                         {"max_desyncs", static_cast<double>(config.max_desyncs), 1, max_count}});
}

state::Result<void> check(const ClientConfig& config) {
    return check_ranges(
        "ClientConfig",
        {{"max_rollback", config.max_rollback, shortest, longest},
         {"max_catch_up", config.max_catch_up, shortest, longest},
         {"event_tolerance", config.event_tolerance, 0, longest},
         {"smoothing", config.smoothing, shortest, longest},
         {"counted_correction", config.counted_correction, 0, 1e9},
         {"fast_probes", static_cast<double>(config.fast_probes), 0, max_count},
         {"fast_probe_interval", config.fast_probe_interval, shortest, longest},
         {"probe_interval", config.probe_interval, shortest, longest},
         {"keep_alive_interval", config.keep_alive_interval, shortest, longest},
         {"max_unacknowledged", static_cast<double>(config.max_unacknowledged), 1, max_count},
         {"report_interval", config.report_interval, shortest, longest},
         {"datagram_report_copies", static_cast<double>(config.datagram_report_copies), 1, max_count},
         {"datagram_report_interval", config.datagram_report_interval, shortest, longest},
         {"ordered_report_copies", static_cast<double>(config.ordered_report_copies), 1, max_count}});
}

state::Result<void> check(const ClockConfig& config) {
    return check_ranges("ClockConfig",
                        {{"max_rate_change", config.max_rate_change, 1e-6, 1},
                         {"jump_threshold", config.jump_threshold, shortest, longest},
                         {"max_lead", config.max_lead, shortest, longest},
                         {"kept_probes", static_cast<double>(config.kept_probes), 1, max_count},
                         {"assumed_drift", config.assumed_drift, 0, 1},
                         {"step_tolerance", config.step_tolerance, 0, longest},
                         {"delay_span", config.delay_span, shortest, longest},
                         {"settling_time", config.settling_time, shortest, longest},
                         {"initial_jitters", config.initial_jitters, 0, 1000}});
}

state::Result<void> check(const Config& config) {
    if (auto host = check(config.host); !host) return host;
    if (auto client = check(config.client); !client) return client;
    if (auto clock = check(config.clock); !clock) return clock;
    if (config.client.report_interval <= config.host.report_interval)
        return state::refuse("ClientConfig.report_interval",
                             "must be longer than HostConfig.report_interval, or the server ignores reports");
    return {};
}

}  // namespace instep::net
