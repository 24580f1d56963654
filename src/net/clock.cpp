// SPDX-License-Identifier: MIT
#include <instep/net/clock.h>

#include <algorithm>
#include <cmath>

namespace instep::net {
namespace {

// For any bounds and values; NaN becomes `low`.
double clamped(double value, double low, double high) { return std::min(std::max(value, low), high); }

}  // namespace

void Clock::add_probe(double sent, double room_time, double arrival) {
    const double trip = arrival - sent;
    if (!(trip >= 0) || !std::isfinite(room_time)) return;
    ring_[probes_ % ring_.size()] = {trip, room_time + trip / 2 - arrival, arrival};
    if (probes_ == 0) {
        round_trip_ = trip;
        jitter_ = trip / 8;
    } else {  // smoothed as in TCP (RFC 6298)
        jitter_ += (std::abs(trip - round_trip_) - jitter_) / 4;
        round_trip_ += (trip - round_trip_) / 8;
    }
    ++probes_;
    const Probe* best = nullptr;
    double best_doubt = 0;
    for (std::size_t i = 0; i < std::min<std::size_t>(probes_, ring_.size()); ++i) {
        const double doubt = ring_[i].round_trip / 2 + (arrival - ring_[i].at) * config_.assumed_drift;
        if (best && doubt >= best_doubt) continue;
        best = &ring_[i];
        best_doubt = doubt;
    }
    offset_ = best->offset;
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
                                : round_trip_ / 2 + config_.initial_jitters * jitter_;
    return clamped(delay + tick_seconds_, 0, config_.max_lead);
}

void Clock::advance(double now) {
    if (!known()) return;
    const double goal = room_time(now) + wanted_lead();
    if (!running_) {
        running_ = {goal, now};
        return;
    }
    const double passed = now - running_->at;
    const double behind = goal - (running_->time + passed);
    // A shrinking lead never makes time jump back: the server has the inputs of those ticks.
    if (behind > config_.jump_threshold || behind < -config_.jump_threshold - config_.max_lead) {
        ++jumps_;
        running_->time = goal;
    } else {
        const double rate_change =
            clamped(behind / config_.settling_time, -config_.max_rate_change, config_.max_rate_change);
        running_->time += passed * (1 + rate_change);
    }
    running_->at = now;
}

}  // namespace instep::net
