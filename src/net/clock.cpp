// SPDX-License-Identifier: MIT
#include <instep/net/clock.h>

#include <algorithm>
#include <cmath>

namespace instep::net {
namespace {

constexpr double assumed_drift = 5e-4;   // by which an old probe may be wrong: s a second
constexpr double way_span = 5;           // s: the worst way of this span and of the one before it counts
constexpr double settling_time = 0.5;    // s in which a small difference would be made up
constexpr double least_jitter_room = 2;  // before the server has spoken: this many jitters

double clamped(double value, double low, double high) { return std::min(std::max(value, low), high); }

}  // namespace

void Clock::add_probe(double sent, double room_time, double now) {
    const double trip = now - sent;
    if (!(trip >= 0) || !std::isfinite(room_time)) return;
    ring_[probes_ % ring_.size()] = {trip, room_time + trip / 2 - now, now};
    if (probes_ == 0) {
        round_trip_ = trip;
        jitter_ = trip / 8;
    } else {  // smoothed as TCP does it
        jitter_ += (std::abs(trip - round_trip_) - jitter_) / 4;
        round_trip_ += (trip - round_trip_) / 8;
    }
    ++probes_;
    const Probe* best = nullptr;
    double best_doubt = 0;
    for (std::size_t i = 0; i < std::min<std::size_t>(probes_, ring_.size()); ++i) {
        const double doubt = ring_[i].round_trip / 2 + (now - ring_[i].at) * assumed_drift;
        if (best && doubt >= best_doubt) continue;
        best = &ring_[i];
        best_doubt = doubt;
    }
    offset_ = best->offset;
}

void Clock::add_input_margin(double lead_when_sent, double margin, double now) {
    const double way = lead_when_sent - margin;
    if (!std::isfinite(way)) return;
    const double passed = std::abs(now - span_began_);
    if (!way_known_ || passed > way_span) {
        way_before_ = way_known_ && passed < 2 * way_span ? way_ : way;
        way_ = way;
        span_began_ = now;
    }
    way_ = std::max(way_, way);
    way_known_ = true;
}

double Clock::wanted_lead() const {
    const double way =
        way_known_ ? std::max(way_, way_before_) : round_trip_ / 2 + least_jitter_room * jitter_;
    return clamped(way + tick_seconds_, 0, most_lead);
}

void Clock::advance(double now) {
    if (!known()) return;
    const double goal = room_time(now) + wanted_lead();
    const double behind = goal - (time_ + (now - last_));
    // Never back for a lead that shrinks: the server has the inputs of those ticks.
    if (!running_ || behind > jump_beyond || behind < -jump_beyond - most_lead) {
        if (running_) ++jumps_;
        running_ = true;
        time_ = goal;
    } else {
        time_ += (now - last_) * (1 + clamped(behind / settling_time, -most_rate_change, most_rate_change));
    }
    last_ = now;
}

}  // namespace instep::net
