// SPDX-License-Identifier: MIT
// The server's end of a snapshot stream: writes deltas and keyframes (docs/wire-format.md).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <instep/net/correction_budget.h>
#include <instep/net/snapshot_history.h>

namespace instep::net {

class SnapshotEncoder : public SnapshotHistory {
public:
    // `budget`: bytes of a room part beyond which corrections wait (whole ones excepted). Who relays inputs
    // has nothing to correct.
    SnapshotEncoder(const match::Setup& setup, ReplicationMode mode, LinkKind link,
                    std::uint32_t budget = UINT32_MAX);

    // Settles what is told of `actual`, the state of snapshot `number`; `log` has every tick since the
    // baseline. The baseline is for datagram links: one that the other side has. Where there is none any
    // more, the snapshot is told whole.
    void tell(std::uint32_t number, const std::byte* actual, const codec::TickLog& log,
              std::optional<std::uint32_t> baseline = {});
    // The snapshot just told has no baseline: write() writes it whole.
    bool needs_keyframe() const { return !baseline_; }
    // Whom the next ones are for; without it nobody is nearer than anybody.
    void set_focus(std::optional<math::Vec2> focus) { budget_.set_focus(focus); }
    const CorrectionBudget& budget() const { return budget_; }
    // The snapshot just told, against its baseline. Once, for all who have the baseline. `checked` adds the
    // hash of the told state.
    void write(codec::Bytes& out, bool checked);
    // The same, instead, for somebody who has nothing; on an ordered link everyone's model then begins anew.
    void write_keyframe(codec::Bytes& out);

private:
    bool predict(std::uint32_t number, const codec::TickLog& log);
    void write_keyframe_events(codec::Writer& writer);

    LinkKind link_;
    CorrectionBudget budget_;
    codec::TickRecord held_;  // by players at the baseline
    std::vector<codec::TickEvents>
        predicted_events_;  // of each tick since the baseline; what is beyond is spare
    std::size_t predicted_ticks_ = 0;
    codec::Bytes event_rows_;
    std::optional<std::uint32_t> baseline_;
    const codec::TickLog* log_ = nullptr;
    bool restart_model_ = true;
};

}  // namespace instep::net
