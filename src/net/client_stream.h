// SPDX-License-Identifier: MIT
// The stream of snapshots to one client: which snapshots it has, whether the next one is a delta, a keyframe
// or left out, and against which baseline. Events go into a StreamMachine; the state says what the next
// snapshot is:
//
//     awaiting_keyframe        a keyframe; on an ordered link, when the shared stream may restart
//     streaming                a delta against the last snapshot sent; on an ordered link, the shared one
//     delta_from_acknowledged  a delta against the newest snapshot that the client has for certain
//     link_full                no snapshot
//     leaving                  no snapshot
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>

#include <instep/net/shared_stream.h>
#include <instep/net/stream_machine.h>

namespace instep::net {

class ClientStream {
public:
    // `budget`: bytes of a delta on a datagram link, where the client has an encoder of its own.
    ClientStream(const match::Setup& setup, const HostConfig& config, ReplicationMode mode, LinkKind link,
                 std::uint32_t budget);

    LinkKind link() const { return machine_.link(); }
    StreamState state() const { return machine_.state(); }
    // Until then its messages carry a welcome: on an ordered link the first, on a datagram link all until it
    // acknowledges one.
    bool is_welcomed() const { return is_welcomed_; }

    // The client's messages. `newest` is the match's newest snapshot.
    void acknowledge(std::uint32_t number, std::uint32_t newest);
    void report_loss(std::optional<std::uint32_t> acknowledged, std::uint32_t newest);
    // The client holds a state that differs from the server's.
    void request_keyframe(std::uint32_t newest);
    void leave() { machine_.apply(StreamEvent::left); }

    // The interest cell whose stream the client gets; ordered links only.
    Cell cell() const { return cell_; }
    // The snapshot from which on it gets that stream.
    std::uint32_t in_cell_since() const { return in_cell_since_.value_or(0); }
    bool may_change_cell(std::uint32_t number) const;
    void change_cell(Cell cell, std::uint32_t number);

    enum class Sent : std::uint8_t { nothing, delta, keyframe };
    // Chooses what the client gets of a snapshot, once for each. A shared delta is sent as it is; anything
    // else is appended to `own`.
    Sent choose(const Snapshot& snapshot, SharedStream& shared, bool link_is_free,
                const EncodeOptions& options, codec::Bytes& own);
    // The message with the last keyframe had this many bytes.
    void note_keyframe_size(std::size_t bytes) { keyframe_->bytes = bytes; }
    void note_sent() { is_welcomed_ |= link() == LinkKind::ordered; }
    // Bytes in flight at which the link is full. A keyframe on its way may be larger than all that should
    // wait: it must not fill its own link and be sent again and again.
    std::size_t link_capacity() const;

    // What the client decodes against: its own encoder's snapshots, or the shared stream's.
    const SnapshotEncoder* own_encoder() const { return encoder_.get(); }

private:
    struct Keyframe {
        std::uint32_t number = 0;
        std::size_t bytes = 0;
    };

    bool is_within_loss_memory(std::uint32_t newest) const { return lossy_until_ && newest < *lossy_until_; }
    std::optional<std::uint32_t> baseline() const;
    Sent encode_unshared(const Snapshot& snapshot, EncodeOptions options, codec::Bytes& own);

    const match::Setup& setup_;
    const HostConfig& config_;
    StreamMachine machine_;
    std::unique_ptr<SnapshotEncoder> encoder_;   // datagram links
    std::optional<std::uint32_t> acknowledged_;  // the newest
    std::optional<std::uint32_t> sent_;          // the newest, on a datagram link
    std::optional<std::uint32_t> considered_;    // the last snapshot that was sent or left out
    std::optional<std::uint32_t>
        lossy_until_;                   // the snapshot until which only acknowledged ones are baselines
    std::optional<Keyframe> keyframe_;  // the last
    bool is_welcomed_ = false;
    Cell cell_ = InterestCells::whole_room;
    std::optional<std::uint32_t> in_cell_since_;
};

}  // namespace instep::net
