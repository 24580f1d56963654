// SPDX-License-Identifier: MIT
// A room, its clients and a bad network in one process, tens of times faster than real time. All random
// choices come from one seed, so a failure can be reproduced. Players are the world's bots, each deciding on
// its own client's prediction; a client processes its messages once a frame, as a page does.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <instep/net/client.h>
#include <instep/net/host.h>
#include <instep/net/picture_check.h>
#include <instep/net/simulated_link.h>

namespace instep::net {

// One player's link and machine.
struct PlayerConditions {
    LinkConditions up;
    LinkConditions down;
    double frame_rate = 60;   // of the player's screen, frames a second
    double drift = 0;         // of the player's clock: 1e-4 gains a second in 10,000
    double pause_every = 0;   // s between two pauses of the player's machine, on average; 0: it never pauses
    double pause_length = 0;  // s
    double reconnect_every = 0;  // s between two reconnects, on average; 0: it never reconnects
};

struct SimulationPlan {
    std::uint64_t seed = 1;
    std::uint32_t players = 16;
    std::uint32_t bots = 0;  // the server's own, without links: they fill a room at little cost
    double seconds = 60;
    ReplicationMode replication = ReplicationMode::snapshots;
    LinkKind link = LinkKind::ordered;
    PlayerConditions conditions;
    bool varied = false;  // draw each player's conditions: 0 to 300 ms, 0 to 20 % loss; ignores `conditions`
    double storm_at = 0;  // s: from here on all links lose 60 % of packets ...
    double storm_seconds = 0;             // ... for so long
    std::optional<std::uint32_t> budget;  // bytes of a world delta; empty: the default
    double host_lateness = 0;             // s: each tick of the server is late by up to this
    double host_pause_at = 0;             // s: from here on the server stands still ...
    double host_pause_seconds = 0;        // ... for so long
    bool aims_at_screen = false;          // bots decide on what they see, which is compared with the server
};

struct SimulationReport {
    double seconds = 0;
    std::uint32_t players = 0;
    double down = 0;         // kB/s a player, payload
    double down_steady = 0;  // the same without the first five seconds, in which players join
    double up = 0;
    double snapshot_p99 = 0;  // bytes of a message
    double join_size = 0;     // bytes of the largest first message
    std::uint64_t frames = 0;
    std::uint64_t corrections = 0;       // frames in which the own player was moved by more than 0.05 units
    std::uint64_t free_frames = 0;       // frames without a contact with another player within a second
    std::uint64_t free_corrections = 0;  // corrections in these
    double largest_correction = 0;
    double mean_lead = 0;  // s by which clients ran ahead
    double starved = 0;    // part of players' ticks without an input in time
    double confirmed = 0;  // part of snapshots that confirmed the predicted own player to the bit
    std::uint32_t deepest_rollback = 0;
    std::uint32_t desyncs = 0;
    std::uint64_t skipped_ticks = 0;
    double slowest_recovery =
        0;  // s after a pause of the server until inputs were accepted, beyond the round trip
    std::uint64_t events_shown = 0;      // received or confirmed
    std::uint64_t events_confirmed = 0;  // of these, the ones that were predicted
    std::uint64_t events_cancelled = 0;
    std::uint64_t max_in_flight = 0;  // bytes on one link
    std::uint64_t keyframes = 0;
    double deltas_over_budget = 0;    // part of deltas in which corrections had to wait
    std::uint32_t longest_wait = 0;   // snapshots that a correction waited
    PictureStats pictures;            // if bots aim at their screens
    std::uint64_t hash = 0;           // of the server's last state: the same for the same seed
    std::vector<std::string> faults;  // broken guarantees
};

// Advances in steps of a quarter of a tick.
class Simulation {
public:
    Simulation(match::SharedSetup setup, const SimulationPlan& plan);
    ~Simulation();

    bool advance();  // false: it is over
    double time() const { return time_; }
    SimulationReport report() const;

    Host& host() { return host_; }
    Client& client(std::size_t player);
    double local_time(std::size_t player) const;  // by the player's clock

private:
    struct Player;

    double room_time() const { return time_ - host_offset_; }
    bool host_is_paused() const;
    void resume_host();
    void serve();
    void deliver(Player& player, codec::ByteView message, double arrival);
    void send_snapshots();
    void check_recovery(Player& player);
    void play(Player& player);
    void take_events(Player& player);
    bool is_contact(const Player& player, const present::EventNotice& notice) const;
    void note_frame(Player& player);
    void change_links();
    void check(Player& player);
    void fault(std::string text);

    match::SharedSetup setup_;
    SimulationPlan plan_;
    math::Random random_;
    Host host_;
    std::vector<std::unique_ptr<Player>> players_;
    double time_ = 0;
    double step_ = 0;
    double next_tick_at_ = 0;  // room time
    double host_offset_ = 0;   // s by which room time was set back
    struct Resumed {
        double at = 0;
        std::uint32_t snapshot = 0;  // the first after the pause
    };
    std::optional<Resumed> resumed_;  // since the server's pause
    bool is_paused_ = false;
    double slowest_recovery_ = 0;
    double join_bytes_ = 0;  // down in the first seconds
    bool in_storm_ = false;
    std::uint64_t messages_malformed_ = 0;  // that the host received
    std::vector<std::uint32_t> sizes_;      // of snapshots
    double lead_sum_ = 0;
    std::uint64_t lead_count_ = 0;
    double join_size_ = 0;
    std::uint64_t max_in_flight_ = 0;
    std::uint64_t events_shown_ = 0;
    std::uint64_t events_confirmed_ = 0;
    std::uint64_t events_cancelled_ = 0;
    std::vector<std::string> faults_;
};

// Runs a simulation to its end.
SimulationReport simulate(const match::SharedSetup& setup, const SimulationPlan& plan);

}  // namespace instep::net
