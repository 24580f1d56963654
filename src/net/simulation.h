// SPDX-License-Identifier: MIT
// A room, its players and a bad network in one process, tens of times faster than it is played. Everything is
// drawn from one seed, so whatever fails, fails again. Players are the world's bots, each playing on what its
// own client predicts, and each client looks at its line when its screen wants a frame, as a page does.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <instep/net/client.h>
#include <instep/net/host.h>
#include <instep/net/simulated_link.h>

namespace instep::net {

// What one player's line and machine are like.
struct PlayerConditions {
    LinkConditions up;
    LinkConditions down;
    double frame_rate = 60;      // of the player's screen, frames a second
    double drift = 0;            // of the player's clock: 1e-4 gains a second in 10,000
    double pause_every = 0;      // s between two pauses of the player's machine, on average; 0: none
    double pause_length = 0;     // s
    double reconnect_every = 0;  // s between two lines that break and are made anew
};

struct SimulationPlan {
    std::uint64_t seed = 1;
    std::uint32_t players = 16;
    std::uint32_t bots = 0;  // beside them, without lines: they make a room full at little cost
    double seconds = 60;
    ReplicationMode room = ReplicationMode::snapshots;
    LinkKind link = LinkKind::ordered;
    PlayerConditions conditions;
    bool varied = false;  // each player's own, from 0 to 300 ms and 0 to 20 % loss; `conditions` is ignored
    double storm_at = 0;  // s: from here on everybody loses 60 % of packets ...
    double storm_seconds = 0;             // ... for so long
    std::optional<std::uint32_t> budget;  // bytes of a world delta; empty: the default
    double host_lateness = 0;             // s: each tick of the server is late by up to this
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
    std::uint64_t free_frames = 0;       // those in which no event with another player was within a second
    std::uint64_t free_corrections = 0;  // of these
    double largest_correction = 0;
    double mean_lead = 0;  // s by which clients ran ahead
    double starved = 0;    // part of players' ticks for which no input had come
    double confirmed = 0;  // part of own parts where the client's prediction was right to the bit
    std::uint32_t deepest_rollback = 0;
    std::uint32_t desyncs = 0;
    std::uint64_t skipped_ticks = 0;
    std::uint64_t events_shown = 0;      // that players were told of, foreseen or not
    std::uint64_t events_confirmed = 0;  // those that were foreseen
    std::uint64_t events_cancelled = 0;
    std::uint64_t max_in_flight = 0;  // bytes that ever waited on one line
    std::uint64_t keyframes = 0;
    double deltas_over_budget = 0;    // part of room parts in which corrections had to wait
    std::uint32_t longest_wait = 0;   // snapshots that one waited
    std::uint64_t hash = 0;           // of the server's last state: the same seed gives the same
    std::vector<std::string> faults;  // what must not happen, and did
};

// Advances in steps of a quarter of a tick.
class Simulation {
public:
    Simulation(match::SharedSetup setup, const SimulationPlan& plan);
    ~Simulation();

    bool advance();  // false when it is over
    double time() const { return time_; }
    SimulationReport report() const;

    Host& host() { return host_; }
    Client& client(std::size_t player);

private:
    struct Player;

    void serve();
    void play(Player& player);
    void take_events(Player& player);
    bool is_contact(const Player& player, const present::EventNotice& notice) const;
    void note_frame(Player& player);
    void change_lines();
    void check(Player& player);
    void fault(std::string text);

    match::SharedSetup setup_;
    SimulationPlan plan_;
    math::Random random_;
    Host host_;
    std::vector<std::unique_ptr<Player>> players_;
    double time_ = 0;
    double step_ = 0;
    double next_tick_at_ = 0;
    double joined_bytes_ = 0;  // down in the first seconds
    bool in_storm_ = false;
    std::uint64_t messages_broken_ = 0;  // that the host got
    std::vector<std::uint32_t> sizes_;
    double lead_sum_ = 0;
    std::uint64_t lead_count_ = 0;
    double join_size_ = 0;
    std::uint64_t most_under_way_ = 0;
    std::uint64_t events_shown_ = 0;
    std::uint64_t events_confirmed_ = 0;
    std::uint64_t events_taken_back_ = 0;
    std::vector<std::string> faults_;
};

// Runs one to its end.
SimulationReport simulate(const match::SharedSetup& setup, const SimulationPlan& plan);

}  // namespace instep::net
