// SPDX-License-Identifier: MIT
// The server's end of a snapshot stream: writes deltas and keyframes (docs/wire-format.md). Both ends step
// the world from the baseline with the inputs since then, so a delta holds those inputs and the corrections
// to the predicted state.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <instep/net/correction_budget.h>
#include <instep/net/snapshot_history.h>

namespace instep::net {

// A snapshot of the match.
struct Snapshot {
    std::uint32_t number = 0;
    const std::byte* state = nullptr;  // after tick number · snapshot_every
    const codec::TickLog& log;         // has every tick since any baseline in use
};

struct EncodeOptions {
    std::optional<std::uint32_t> baseline;  // datagram links: a snapshot that the client has
    std::optional<math::Vec2> focus;        // corrections near it come first
    bool with_hash = false;                 // of the replicated state, so that the client can find a desync
    bool fresh_model = false;  // ordered links: some client decoded a keyframe since the last delta
};

class SnapshotEncoder : public SnapshotHistory {
public:
    // `budget`: bytes of a delta beyond which corrections wait for the next ones.
    SnapshotEncoder(const match::Setup& setup, ReplicationMode mode, LinkKind link,
                    std::uint32_t budget = UINT32_MAX);

    enum class Encoded : std::uint8_t { delta, keyframe };
    // Appends the snapshot: as a delta, or where no baseline is remembered as a keyframe. On ordered links
    // the baseline is the snapshot encoded before.
    Encoded encode(const Snapshot& snapshot, const EncodeOptions& options, codec::Bytes& out);
    // Appends the snapshot that was encoded last as a keyframe. False before the first snapshot.
    bool encode_keyframe(const codec::TickLog& log, codec::Bytes& out) const;

    const CorrectionBudget& budget() const { return budget_; }

private:
    bool predict(std::uint32_t baseline, const Snapshot& snapshot);
    void correct(const std::byte* actual, std::optional<math::Vec2> focus);
    void write_delta(std::uint32_t baseline, const Snapshot& snapshot, const EncodeOptions& options,
                     codec::Bytes& out);
    void write_keyframe_events(const codec::TickLog& log, codec::Writer& writer) const;

    LinkKind link_;
    CorrectionBudget budget_;
    codec::TickRecord held_;                           // the inputs that players hold at the baseline
    std::vector<codec::TickEvents> predicted_events_;  // of each tick since the baseline; the rest is spare
    std::size_t predicted_ticks_ = 0;
    codec::Bytes event_rows_;
    bool fresh_model_next_ = true;  // ordered links: the last snapshot was a keyframe
};

}  // namespace instep::net
