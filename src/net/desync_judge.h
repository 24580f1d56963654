// SPDX-License-Identifier: MIT
// The server's answers to the desync reports of one client. A copy of a judged report gets the same verdict
// again, since the first answer may have been lost. How often a player's reports are judged: report_limit.h.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include <instep/net/desync.h>

namespace instep::net {

class DesyncJudge {
public:
    enum class ReportAge : std::uint8_t { next, last, outdated };  // compared with the last one judged
    ReportAge age_of(std::uint8_t serial) const;
    // Sends the last verdict once more.
    void answer_again() { answer_ = judged_; }

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
    std::optional<Verdict> judged_;               // the last verdict
    std::optional<Verdict> answer_;               // to be sent
    std::optional<std::uint32_t> named_through_;  // the newest snapshot of the last report with a difference
    std::optional<std::uint32_t> own_number_;     // of the snapshot that own_ belongs to
    codec::Bytes own_;
};

}  // namespace instep::net
