// SPDX-License-Identifier: MIT
// The replicated states that both ends of a snapshot stream remember, and the coder's models that belong to
// them.
//
// Snapshots are numbered: number n is the state after tick n · snapshot_every, and they count from 1. A delta
// holds the inputs since its baseline and the corrections to the state that both ends predict from it. The
// baseline is
//
//     ordered link:   the snapshot before it
//     datagram link:  one that the client acknowledged, or is assumed to have received
//     keyframe:       the level's initial state, which both ends know: for late joins, reconnects and gaps
//
// The models that the coder adapts belong to the snapshot after which they were stored: a delta continues
// with the models of its baseline (docs/decisions/replicated-state.md).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <instep/codec/event_codec.h>
#include <instep/codec/state_codec.h>
#include <instep/codec/tick_log.h>
#include <instep/net/link_kind.h>
#include <instep/net/world_stepper.h>
#include <instep/state/snapshot_ring.h>

namespace instep::net {

inline constexpr std::uint32_t snapshots_kept = 32;  // that both ends remember

// Whether every field is legal and the world's own `validate` accepts the state.
bool is_legal(const match::Setup& setup, std::byte* block);

// What the coder adapts while it codes a stream.
struct StreamModel {
    codec::StateModel state;
    codec::TickModel ticks;
    codec::EventModel events;

    // In relay mode only ticks are coded, so the model of states stays empty.
    StreamModel(const match::Setup& setup, ReplicationMode mode)
        : state(mode == ReplicationMode::relay ? codec::StateModel() : codec::StateModel(setup.layout)),
          ticks(setup),
          events(*setup.world->event) {}
};

// Stands before a delta's or keyframe's content.
struct DeltaHeader {
    bool keyframe = false;     // the baseline is the level's initial state
    bool fresh_model = false;  // both ends reset their models first
    bool numbered = false;     // `number` and `back` name the baseline; otherwise it is the last snapshot
    bool has_hash = false;     // of the replicated state
    std::uint32_t number = 0;  // of a keyframe 32 bits; of a numbered delta the low 16
    std::uint32_t back = 1;    // snapshots from the baseline to this one
    std::uint32_t hash = 0;
};
template <class Stream>
void code_header(Stream& stream, DeltaHeader& header);

// The part of a state's hash that is sent.
std::uint32_t short_hash(const state::Layout& layout, const std::byte* block);
// Of each field of a state, in the order of state::hash_fields.
std::vector<std::uint16_t> short_field_hashes(const state::Layout& layout, codec::ByteView image);

class SnapshotHistory {
public:
    SnapshotHistory(const match::Setup& setup, ReplicationMode mode);

    bool has_snapshot() const { return has_snapshot_; }
    std::uint32_t number() const { return number_; }
    std::uint64_t tick() const { return tick_of(number_); }
    // The newest replicated state: on the fields' grids, the same bits on both ends.
    const std::byte* replicated() const { return replicated_.data(); }
    // The image of an earlier one; empty if it is not remembered.
    codec::ByteView find(std::uint32_t number) const { return ring_.find(number); }
    std::uint64_t tick_of(std::uint32_t number) const {
        return std::uint64_t{number} * setup_.facts.snapshot_every;
    }
    // The short hashes of an earlier state's fields; empty if it is not remembered. A state is hashed once,
    // however often a client reports it.
    const std::vector<std::uint16_t>& field_hashes(std::uint32_t number) const;
    std::uint64_t states_hashed() const { return states_hashed_; }

protected:
    // Loads a baseline into predicted_, and its players and held inputs into `record`. False if it is not
    // remembered.
    bool restore_baseline(std::uint32_t baseline, codec::TickRecord& record);
    void store(std::uint32_t number);
    // Datagram links: the models as they were after that snapshot was coded.
    void store_model(std::uint32_t number);
    bool restore_model(std::uint32_t number);

    const match::Setup& setup_;
    ReplicationMode mode_;
    WorldStepper stepper_;
    state::SnapshotRing ring_;
    state::Block initial_;
    state::Block predicted_;
    state::Block replicated_;
    StreamModel fresh_model_;
    StreamModel model_;
    struct StoredModel {
        std::optional<std::uint32_t> number;  // of the snapshot after which it was stored
        StreamModel model;
    };
    std::vector<StoredModel> models_;  // by number; empty until one is stored, since ordered links need none
    std::uint32_t number_ = 0;
    bool has_snapshot_ = false;

private:
    mutable std::vector<std::vector<std::uint16_t>> field_hashes_;  // by number; empty: not computed yet
    mutable std::uint64_t states_hashed_ = 0;
};

}  // namespace instep::net
