// SPDX-License-Identifier: MIT
// The client's idea of the room's time, and how far ahead of it to run. Room time is in seconds; tick t is
// due at t / tick_rate, whether or not the server is late with it, so its lateness never gets in here.
//
// Offset: from the probe of the last 16 with the shortest way; older ones count for less, as clocks drift.
//
// Lead: as long as inputs take to the server plus one tick. The server says how early each came; the worst
// way of the last five to ten seconds counts, so jitter widens the lead at once and calm narrows it. A lost
// packet holds an ordered link up for longer than a round trip, and the next one must not find the lead too
// short again.
//
// The client's own time moves towards its goal by running at most 5 % faster or slower. Where that would take
// too long (a tab that slept), it jumps.
#pragma once

#include <array>
#include <cstdint>

namespace instep::net {

class Clock {
public:
    static constexpr double most_rate_change = 0.05;
    static constexpr double jump_beyond = 0.5;  // s between time and goal; back, only beyond any lead
    static constexpr double most_lead = 0.6;    // s; whoever is farther away than this plays with a delay

    explicit Clock(double tick_seconds) : tick_seconds_(tick_seconds) {}

    // A probe sent at `sent` was answered with the room's time and is back.
    void add_probe(double sent, double room_time, double now);
    // An input that was sent with this lead was `margin` seconds early.
    void add_input_margin(double lead_when_sent, double margin, double now);

    bool known() const { return probes_ > 0; }
    double room_time(double now) const { return now + offset_; }
    double round_trip() const { return round_trip_; }
    double jitter() const { return jitter_; }
    double wanted_lead() const;

    // Moves the client's own time on.
    void advance(double now);
    double time() const { return time_; }
    double lead(double now) const { return time_ - room_time(now); }
    std::uint32_t jumps() const { return jumps_; }

private:
    struct Probe {
        double round_trip = 0;
        double offset = 0;
        double at = 0;
    };

    double tick_seconds_;
    std::array<Probe, 16> ring_{};
    std::uint32_t probes_ = 0;
    double offset_ = 0;  // room time - local time
    double round_trip_ = 0;
    double jitter_ = 0;
    double way_ = 0;  // worst time of this span from sending an input to its arrival, as seen from here
    double way_before_ = 0;  // of the one before it
    double span_began_ = 0;
    bool way_known_ = false;
    double time_ = 0;
    double last_ = 0;
    bool running_ = false;
    std::uint32_t jumps_ = 0;
};

}  // namespace instep::net
