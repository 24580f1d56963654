// SPDX-License-Identifier: MIT
#include <instep/net/clock.h>

#include <algorithm>
#include <cmath>

namespace instep::net {
namespace {

// For any bounds and values; NaN becomes `low`.
double clamped(double value, double low, double high) { return std::min(std::max(value, low), high); }

}  // namespace

bool Clock::add_probe(double sent, double room_time, double arrival) {
    const double trip = arrival - sent;
    if (!(trip >= 0) || !std::isfinite(room_time)) return false;
    const Probe probe{sent, trip, room_time + trip / 2 - arrival, arrival};
    if (contradicts(probe)) {
        if (sent < probes_.back().sent)
            return false;  // an answer from before the step, overtaken by a later one
        offset_ = restart(probe);
        return true;
    }
    probes_.push_back(probe);
    if (probes_.size() > config_.kept_probes) probes_.pop_front();
    if (!trip_) {
        trip_ = {trip, trip / 8};
    } else {  // smoothed as in TCP (RFC 6298)
        trip_->jitter += (std::abs(trip - trip_->mean) - trip_->jitter) / 4;
        trip_->mean += (trip - trip_->mean) / 8;
    }
    offset_ = best_offset(arrival);
    return false;
}

bool Clock::contradicts(const Probe& probe) const {
    return std::ranges::any_of(probes_, [&](const Probe& other) {
        const double bound = (probe.round_trip + other.round_trip) / 2 +
                             std::abs(probe.at - other.at) * config_.assumed_drift + config_.step_tolerance;
        return std::abs(probe.offset - other.offset) > bound;
    });
}

double Clock::best_offset(double now) const {
    const auto doubt = [&](const Probe& probe) {
        return probe.round_trip / 2 + (now - probe.at) * config_.assumed_drift;
    };
    return std::ranges::min_element(probes_, {}, doubt)->offset;
}

// The first probe after a pause waited for the server on its way up, so half its round trip overestimates the
// way down: the shortest round trip before the step is a better measure.
double Clock::restart(const Probe& probe) {
    double shortest = probe.round_trip;
    for (const Probe& other : probes_) shortest = std::min(shortest, other.round_trip);
    probes_ = {probe};
    if (running_) running_->must_jump = true;
    return probe.offset - (probe.round_trip - shortest) / 2;
}

void Clock::add_input_margin(double lead_when_made, double margin, double arrival) {
    const double delay = lead_when_made - margin;
    if (!std::isfinite(delay)) return;
    if (!delay_) delay_ = {arrival, delay, delay};
    const double passed = std::abs(arrival - delay_->since);
    if (passed > config_.delay_span)
        delay_ = {arrival, delay, passed < 2 * config_.delay_span ? delay_->worst : delay};
    delay_->worst = std::max(delay_->worst, delay);
}

double Clock::wanted_lead() const {
    const double delay = delay_ ? std::max(delay_->worst, delay_->worst_before)
                                : round_trip() / 2 + config_.initial_jitters * jitter();
    return clamped(delay + tick_seconds_, 0, config_.max_lead);
}

void Clock::advance(double now) {
    if (!known()) return;
    const double goal = room_time(now) + wanted_lead();
    if (!running_) {
        running_ = {goal, now, false};
        return;
    }
    const double passed = now - running_->at;
    const double behind = goal - (running_->time + passed);
    // A shrinking lead never makes time jump back: the server has the inputs of those ticks.
    if (running_->must_jump || behind > config_.jump_threshold ||
        behind < -config_.jump_threshold - config_.max_lead) {
        ++jumps_;
        running_->time = goal;
        running_->must_jump = false;
    } else {
        // After a long frame the difference is made up at once, and not overshot.
        const double rate_change = clamped(behind / std::max(config_.settling_time, passed),
                                           -config_.max_rate_change, config_.max_rate_change);
        running_->time += passed * (1 + rate_change);
    }
    running_->at = now;
}

}  // namespace instep::net
