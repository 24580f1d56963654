// SPDX-License-Identifier: MIT
// The client's estimate of room time, and how far ahead of it to run. Room time is in seconds; tick t is due
// at t / tick_rate, even if the server steps it late.
//
// Offset: from the probe of the last 16 with the shortest round trip. Older probes count for less, as clocks
// drift. The true offset is at most half a round trip from a probe's. Two probes that contradict each other
// by that bound mean that room time stepped: a server that was paused gives up the ticks that it missed. The
// older probes are dropped then.
//
// Lead: the longest time an input took to reach the server in the last five to ten seconds, plus one tick.
// The server reports how early inputs arrive, so jitter widens the lead at once and a calm link narrows it
// slowly: a lost packet delays an ordered link by more than a round trip, and the next loss must not find the
// lead too short.
//
// The client's time approaches its goal by running at most 5 % faster or slower. Where that would take too
// long (a tab that slept), it jumps.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include <instep/net/config.h>

namespace instep::net {

class Clock {
public:
    explicit Clock(double tick_seconds, const ClockConfig& config = {})
        : config_(config), tick_seconds_(tick_seconds) {}

    // A probe was sent at `sent`, answered with the room's time, and its answer arrived at `arrival`. True if
    // room time stepped since the last probe; the client's time then jumps with the next advance().
    bool add_probe(double sent, double room_time, double arrival);
    // An input that was made with this lead was `margin` seconds early.
    void add_input_margin(double lead_when_made, double margin, double arrival);

    bool known() const { return !probes_.empty(); }
    double room_time(double now) const { return now + offset_; }
    double round_trip() const { return trip_ ? trip_->mean : 0; }
    double jitter() const { return trip_ ? trip_->jitter : 0; }
    double wanted_lead() const;

    // Moves the client's time on.
    void advance(double now);
    double time() const { return running_ ? running_->time : 0; }
    double lead(double now) const { return time() - room_time(now); }
    std::uint32_t jumps() const { return jumps_; }

private:
    struct Probe {
        double sent = 0;
        double round_trip = 0;
        double offset = 0;
        double at = 0;  // when its answer arrived
    };
    struct RoundTrip {
        double mean = 0;
        double jitter = 0;
    };
    struct InputDelay {
        double since = 0;         // when this span began
        double worst = 0;         // of this span, from making an input to its arrival
        double worst_before = 0;  // of the span before it
    };
    struct Running {
        double time = 0;
        double at = 0;  // the local time to which it was advanced
        bool must_jump = false;
    };

    bool contradicts(const Probe& probe) const;
    double best_offset(double now) const;
    double restart(const Probe& probe);

    ClockConfig config_;
    double tick_seconds_;
    std::deque<Probe> probes_;  // since room time last stepped
    double offset_ = 0;         // room time - local time
    std::optional<RoundTrip> trip_;
    std::optional<InputDelay> delay_;
    std::optional<Running> running_;
    std::uint32_t jumps_ = 0;
};

}  // namespace instep::net
