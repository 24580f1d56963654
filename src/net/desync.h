// SPDX-License-Identifier: MIT
// When a hash differs, the client reports the field hashes of every replicated state that it remembers, and
// of the own player's exact state if its hash differed. The server finds the first snapshot and field that
// differ and answers with a verdict. Both sides keep what is needed to reproduce it: the last equal state,
// the inputs since then, and the first state that differs. (An exact own player cannot be reproduced from
// that: its history is only in a recording.)
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <instep/net/messages.h>
#include <instep/net/snapshot_history.h>

namespace instep::net {

// A replicated state with one client's own player in it to the bit, as one side has it.
struct ExactState {
    std::uint32_t number = 0;  // of the snapshot
    codec::Bytes image;        // empty: no such state
};

Report make_report(const match::Setup& setup, const SnapshotHistory& history, const ExactState& exact = {});

// `found` is false if the two agree on everything that both remember.
Verdict judge(const match::Setup& setup, const SnapshotHistory& history, const Report& report,
              const ExactState& exact = {});

struct Desync {
    std::optional<std::uint64_t> tick;     // empty: both sides agree on everything that they still remember
    std::string field;                     // "players.ship.position.x"
    bool is_own = false;                   // the replicated states agree, the exact own players do not
    codec::Bytes before;                   // image of the last equal state, if it is still remembered
    std::vector<codec::TickRecord> ticks;  // from it to the first state that differs
    codec::Bytes after;                    // image of that state, as this side has it
    std::string text() const;
};
Desync describe(const match::Setup& setup, const SnapshotHistory& history, const codec::TickLog& log,
                const Verdict& verdict, const ExactState& exact = {});

}  // namespace instep::net
