// SPDX-License-Identifier: MIT
// When a hash of the told state differs, the client sends the field hashes of all it remembers; the server
// finds the first snapshot and field in which the two differ, and tells. Both then name the same, and both
// keep what it takes to play it again: the last state that was equal, what entered the ticks since then, and
// the first state that was not.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <instep/net/messages.h>
#include <instep/net/told_chain.h>

namespace instep::net {

Report make_report(const match::Setup& setup, const ToldChain& chain);

// `found` is false if the two agree in everything that both remember.
Verdict judge(const match::Setup& setup, const ToldChain& chain, const Report& report);

struct Desync {
    std::uint64_t tick = 0;         // 0: no difference was found in what both sides still remembered
    std::string field;              // "players.ship.position.x"
    Bytes before;                   // image of the last told state that was equal, if it is still there
    std::vector<TickRecord> ticks;  // that lead from it to the first that was not
    Bytes after;                    // image of that, as this side has it
    std::string text() const;
};
Desync describe(const match::Setup& setup, const ToldChain& chain, const TickLog& log,
                const Verdict& verdict);

}  // namespace instep::net
