// SPDX-License-Identifier: MIT
// When a hash differs, the client sends the field hashes of all the told states that it remembers, or, if it
// was the hash of its own player, of the one that it is in; the server finds the first snapshot and field in
// which the two differ, and tells. Both then name the same, and both keep what it takes to play it again: the
// last state that was equal, what entered the ticks since then, and the first state that was not. (What leads
// to an exact own player was never told: only a recording plays that again.)
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <instep/net/messages.h>
#include <instep/net/snapshot_history.h>

namespace instep::net {

// A told state with one client's own player in it to the bit, as one side has it.
struct ExactState {
    std::uint32_t number = 0;  // of the snapshot
    codec::Bytes image;        // empty: there is none
};

Report make_report(const match::Setup& setup, const SnapshotHistory& chain, const ExactState& exact = {});

// `found` is false if the two agree in everything that both remember.
Verdict judge(const match::Setup& setup, const SnapshotHistory& chain, const Report& report,
              const ExactState& exact = {});

struct Desync {
    std::uint64_t tick = 0;  // 0: no difference was found in what both sides still remembered
    std::string field;       // "players.ship.position.x"
    bool is_own = false;     // it was told alike, and is another in the exact own player
    codec::Bytes before;     // image of the last told state that was equal, if it is still there
    std::vector<codec::TickRecord> ticks;  // that lead from it to the first that was not
    codec::Bytes after;                    // image of that, as this side has it
    std::string text() const;
};
Desync describe(const match::Setup& setup, const SnapshotHistory& chain, const codec::TickLog& log,
                const Verdict& verdict, const ExactState& exact = {});

}  // namespace instep::net
