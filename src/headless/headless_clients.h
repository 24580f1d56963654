// SPDX-License-Identifier: MIT
// Players without a screen, for demos, tests and load. Each has its own connection to a real server, and
// plays the world's bot on the state that its net::Client predicts. A thin one uses the same protocol without
// predicting, and sends random inputs, so that one process can run many.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <instep/headless/connect.h>
#include <instep/match/match.h>

namespace instep::headless {

struct HeadlessPlan {
    Url url;  // its target is replaced
    // Other servers of its cluster: asked in turn when one fails, or says nothing for `silence` seconds.
    std::vector<Url> others;
    double silence = 1;
    bool trace = false;  // every snapshot that a client applies is remembered
    match::SharedSetup setup;
    std::string room;   // empty: quick match
    std::string party;  // all clients are of this party; empty: each comes alone
    std::uint32_t party_size = 0;
    std::uint32_t count = 1;
    bool thin = false;
    bool watch = false;  // instead of playing
    bool resume = true;  // with a key and its ticket, so that a client that reconnects gets its player back
    // For a server that requires tokens, on any thread: makes one for the player with this key. Empty: none
    // is sent.
    std::function<std::string(const std::string& player)> token;
    double stay = 0;  // s on average until a client leaves and joins again; 0: all stay
    std::uint32_t connects_per_second = 200;
    std::uint64_t seed = 1;
};

// Sums over all clients.
struct HeadlessStats {
    std::uint32_t connected = 0;  // now
    std::uint32_t playing = 0;    // now: have joined
    std::uint32_t waiting = 0;    // now: their server said why their room stands still
    std::uint64_t connects = 0;
    std::uint64_t disconnects = 0;  // that the client did not ask for
    std::uint64_t moves = 0;        // to a server where its room goes on
    std::uint64_t snapshots = 0;
    std::uint64_t bytes_down = 0;
    std::uint64_t bytes_up = 0;
    std::uint64_t ticks = 0;
    std::uint64_t corrections = 0;
    double largest_correction = 0;
    // Of one client, in the seconds after a move.
    std::uint64_t most_corrections_after_move = 0;
    std::uint64_t malformed = 0;  // messages
    std::uint64_t desyncs = 0;
    std::vector<std::string> disconnect_reasons;  // the first few
};

// A snapshot that a client applied.
struct AppliedSnapshot {
    std::uint32_t client = 0;
    contract::Slot slot = 0;
    double time = 0;  // s
    std::uint64_t tick = 0;
    std::uint64_t hash = 0;  // of the whole state; in relay mode, the server's
};

class HeadlessClients {
public:
    HeadlessClients(server::Loop& loop, const HeadlessPlan& plan);  // connects at once
    ~HeadlessClients();                                             // all leave
    // All leave; waits until their connections are closed, for at most two seconds.
    void leave();
    HeadlessStats stats() const;
    std::vector<AppliedSnapshot> applied() const;  // if the plan traces
    // Of thin clients, sorted: s from sending an input to the snapshot that acknowledges it.
    std::vector<float> input_delays() const;
    // Cuts every connection without a close frame, as a bad network does; the clients reconnect.
    void cut_connections();

private:
    struct Parts;
    std::shared_ptr<Parts> parts_;
};

}  // namespace instep::headless
