// SPDX-License-Identifier: MIT
// Headless players for demos, tests and load: each has a connection of its own to a real server and plays the
// world's bot on what its own net::Client predicts. A thin one speaks the same wire without predicting, and
// asks for things at random: many fit into one process.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <instep/headless/connect.h>
#include <instep/match/match.h>

namespace instep::headless {

struct HeadlessPlan {
    Url url;  // the target is made here
    match::SharedSetup setup;
    std::string room;  // empty: a quick match
    std::uint32_t count = 1;
    bool thin = false;
    bool watch = false;  // without playing
    bool resume = true;  // with a key each, so that a lost line is taken up again
    double stay = 0;     // s on average until one leaves and comes in again; 0: all stay
    std::uint32_t connects_per_second = 200;
    std::uint64_t seed = 1;
};

// Of all of them so far.
struct HeadlessStats {
    std::uint32_t connected = 0;  // now
    std::uint32_t playing = 0;    // now: have been told where they are
    std::uint64_t connects = 0;
    std::uint64_t lost = 0;  // lines that ended without being asked to
    std::uint64_t snapshots = 0;
    std::uint64_t bytes_down = 0;
    std::uint64_t bytes_up = 0;
    std::uint64_t ticks = 0;
    std::uint64_t corrections = 0;
    double largest_correction = 0;
    std::uint64_t broken = 0;  // messages
    std::uint64_t desyncs = 0;
    std::vector<std::string> troubles;  // the first few reasons why lines ended
};

class HeadlessClients {
public:
    HeadlessClients(server::Loop& loop, const HeadlessPlan& plan);  // begins at once
    ~HeadlessClients();                                             // all leave
    // All leave, and have said goodbye when this returns, unless the other end is slow to hear it.
    void leave();
    HeadlessStats figures() const;
    // Cuts every line, without a goodbye, as a bad network does; they come back at once.
    void cut_lines();

private:
    struct Parts;
    std::shared_ptr<Parts> parts_;
};

}  // namespace instep::headless
