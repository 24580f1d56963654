// SPDX-License-Identifier: MIT
// The client's end of a snapshot stream: reads deltas and keyframes (docs/wire-format.md).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <instep/net/snapshot_history.h>

namespace instep::net {

enum class DecodeResult : std::uint8_t {
    applied,      // there is a new replicated state
    stale,        // a copy, or older than the newest snapshot
    no_baseline,  // coded against a baseline that is not remembered: ask for a keyframe
    malformed,    // the server cannot have written it for this level
    desync,       // decoded, but the hash differs from the server's
};

class SnapshotDecoder : public SnapshotHistory {
public:
    SnapshotDecoder(const match::Setup& setup, ReplicationMode mode)
        : SnapshotHistory(setup, mode),
          decoded_(setup.layout),
          ticks_(setup, (snapshots_kept + 1) * setup.facts.snapshot_every) {}
    // Takes any bytes. Unless they are applied, the replicated state stays. After a desync, and on an ordered
    // link after a malformed delta, only a keyframe is applied: deltas after a gap cannot be decoded.
    DecodeResult decode(codec::ByteView message);
    // The newest snapshot can be a baseline.
    bool is_usable() const { return has_snapshot_ && oldest_usable_.has_value(); }
    // Nothing more comes that was coded against what is remembered: only a keyframe is applied, of any age.
    void expect_keyframe() { oldest_usable_.reset(); }
    ReplicationMode mode() const { return mode_; }
    // Of the ticks after the last message's baseline (in relay mode: after the snapshot before it); of a
    // keyframe, of the ticks since the snapshot before it.
    std::span<const codec::TickEvents> events() const { return events_; }
    // The inputs of the ticks up to the remembered snapshots.
    const codec::TickLog& ticks() const { return ticks_; }

private:
    DecodeResult decode_delta(codec::Reader& reader, const DeltaHeader& header);
    bool predict(codec::Reader& reader, std::uint32_t baseline, std::uint32_t number);
    bool read_keyframe_events(codec::Reader& reader, std::uint32_t number);
    bool decode_state(codec::Reader& reader, bool keyframe);

    state::Block decoded_;
    std::vector<codec::TickEvents> events_;
    codec::TickLog ticks_;
    std::optional<std::uint32_t> oldest_usable_ =
        0;  // the first snapshot that may be a baseline; empty: none may
};

}  // namespace instep::net
