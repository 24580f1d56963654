// SPDX-License-Identifier: MIT
// The server's answers to the desync reports of one client. To judge a report is slow, so at most one in an
// interval is judged; a copy of a judged report gets the same verdict again, since the first answer may have
// been lost.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include <instep/net/desync.h>

namespace instep::net {

class DesyncJudge {
public:
    explicit DesyncJudge(std::uint64_t interval) : interval_(interval) {}

    enum class Admission : std::uint8_t { judge, answered, ignored };
    Admission admit(std::uint8_t serial, std::uint64_t tick);

    // Judges the snapshots from `first` on, and only those after the last difference that a verdict named.
    const Verdict& judge(const match::Setup& setup, const SnapshotHistory& history, Report report,
                         std::uint32_t first, const ExactState& exact);
    // The verdict to send, once.
    std::optional<Verdict> take_answer() { return std::exchange(answer_, {}); }

    // Keeps the own player from which a hash is computed that the client gets.
    void remember_own(const match::Setup& setup, std::uint32_t number, const std::byte* block,
                      contract::Slot slot);
    // The replicated state of that snapshot with the kept own player in it; empty if one of them is
    // forgotten.
    ExactState exact_state(const match::Setup& setup, const SnapshotHistory& history,
                           contract::Slot slot) const;

private:
    std::uint64_t interval_;                      // ticks
    std::optional<std::uint64_t> last_judged_;    // the tick
    std::optional<Verdict> judged_;               // the last verdict
    std::optional<Verdict> answer_;               // to be sent
    std::optional<std::uint32_t> named_through_;  // the newest snapshot of the last report with a difference
    std::optional<std::uint32_t> own_number_;     // of the snapshot that own_ belongs to
    codec::Bytes own_;
};

}  // namespace instep::net
