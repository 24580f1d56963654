// SPDX-License-Identifier: MIT
// The tunable numbers of the netcode, with their units and reasons. Three kinds of numbers are elsewhere:
// what both ends must share is part of the protocol (messages.h, snapshot_history.h, input_queue.h), what
// describes a simulated network stands with it (simulated_link.cpp, simulation.cpp), and what only a server
// with sockets has is in its settings.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>

#include <instep/contract/facts.h>
#include <instep/state/result.h>

namespace instep::net {

// The server's side of a room.
struct HostConfig {
    // Time
    double max_lateness = 0.25;  // s; a later server gives up the ticks it missed, and room time steps back

    // Inputs
    double input_hold = 0.5;    // s a silent player's last input is repeated; a dead link must not steer on
    double input_window = 1.0;  // s an input may be ahead of its tick; bounds the queue

    // Bandwidth
    std::optional<std::uint32_t> delta_budget;  // bytes of a world delta, in place of bytes_per_second
    double bytes_per_second = 9'000;            // of world deltas to one client
    double budget_patience = 1.0;               // s over budget until the room is split into interest cells
    double cell_rest = 5.0;                     // s a client stays in a cell: moving costs a keyframe
    std::uint32_t cells_per_side = 4;           // of the level's view rectangle
    std::uint32_t link_capacity = 8 * 1024;     // bytes in flight that fill a link; keyframes do not count

    // Recovery
    std::uint32_t restart_interval =
        8;  // snapshots between two keyframes of a shared stream: each resets its models
    double keyframe_patience = 2.0;  // s until an ordered client gets another: the first may be on its way
    double datagram_keyframe_patience =
        0.25;                    // s; a datagram client has a stream of its own, so a keyframe costs only it
    double loss_memory = 10.0;   // s after a loss in which deltas use acknowledged baselines only
    double exact_silence = 1.0;  // s without inputs after which the own player is no longer sent exactly

    // Reports
    std::uint32_t margin_interval =
        4;  // snapshots between two reports of the input margin, unless it is negative
    std::uint32_t hashes_per_second = 1;  // hashes of the replicated state, to find desyncs
    double report_interval =
        1.0;  // s between two desync reports of a player that are judged: judging is slow
    std::uint32_t reports_per_second = 8;  // of all players of a room that are judged
    std::uint32_t max_desyncs = 8;         // that are kept
};

// The player's side.
struct ClientConfig {
    // Prediction
    double max_rollback = 1.0;         // s predicted ahead or replayed at most; bounds the work of a frame
    double max_catch_up = 0.25;        // s of ticks played at once; a longer pause is skipped
    double event_tolerance = 0.1;      // s between a predicted event and the server's that count as the same
    double smoothing = 0.1;            // s in which about 60 % of a correction fades from the drawn state
    double counted_correction = 0.05;  // world units: smaller corrections are invisible

    // Sending
    std::uint32_t fast_probes = 8;          // the first ones, to know the clock soon
    double fast_probe_interval = 0.1;       // s
    double probe_interval = 0.5;            // s
    double keep_alive_interval = 0.1;       // s between messages while there are no inputs
    std::uint32_t max_unacknowledged = 64;  // inputs that are kept to be repeated

    // Desync reports
    double report_interval = 1.1;  // s between two reports; more than HostConfig's, or they are ignored
    std::uint32_t datagram_report_copies = 4;
    double datagram_report_interval =
        0.3;  // s between copies: the server soon forgets the snapshots they are about
    std::uint32_t ordered_report_copies = 2;  // a second one, in case the first came too early to be judged
};

// The client's clock.
struct ClockConfig {
    double max_rate_change = 0.05;   // the client's time runs at most this much faster or slower: invisible
    double jump_threshold = 0.5;     // s from the goal beyond which time jumps instead
    double max_lead = 0.6;           // s; a client farther away than this plays with a delay
    std::uint32_t kept_probes = 16;  // of which the one with the shortest round trip counts: 8 s of them
    double assumed_drift = 5e-4;     // s a second by which an old probe may be wrong
    double step_tolerance = 0.01;    // s by which stamps may be inexact before probes count as contradicting
    double delay_span = 5.0;         // s: the worst delay of this span and of the one before it counts
    double settling_time = 0.5;      // s in which a small difference is made up
    double initial_jitters =
        2.0;  // before the server reported a margin, the lead allows for this many jitters
};

struct Config {
    HostConfig host;
    ClientConfig client;
    ClockConfig clock;
};

// Refuses values that cannot be used (an interval of 0, NaN) with a sentence that names the first.
state::Result<void> check(const HostConfig& config);
state::Result<void> check(const ClientConfig& config);
state::Result<void> check(const ClockConfig& config);
// Also refuses a host and clients that do not fit together.
state::Result<void> check(const Config& config);

// A duration of a config in a level's ticks, rounded up.
inline std::uint32_t ticks_in(double seconds, const contract::Facts& facts) {
    return static_cast<std::uint32_t>(std::ceil(seconds * facts.tick_rate));
}
// In whole intervals between snapshots.
inline std::uint32_t snapshots_in(double seconds, const contract::Facts& facts) {
    return ticks_in(seconds, facts) / facts.snapshot_every;
}

}  // namespace instep::net
