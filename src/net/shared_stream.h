// SPDX-License-Identifier: MIT
// One encoder for all clients with ordered links, since they all have the same baseline: a delta is encoded
// once and sent to each. A room that exceeds its byte budget is split into interest cells of the plane, each
// with a stream of its own whose corrections start near the cell's centre.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <instep/net/config.h>
#include <instep/net/snapshot_encoder.h>

namespace instep::net {

class SharedStream {
public:
    SharedStream(const match::Setup& setup, ReplicationMode mode, std::uint32_t budget)
        : encoder_(setup, mode, LinkKind::ordered, budget) {}

    const SnapshotEncoder& encoder() const { return encoder_; }
    // The newest snapshot, for clients that have the one before it.
    codec::ByteView delta() const { return delta_; }

    void encode(const Snapshot& snapshot, std::optional<math::Vec2> focus, bool with_hash);
    // Appends the newest snapshot as a keyframe, which is encoded once however many clients need it. The next
    // delta then has fresh models, for every client.
    bool encode_keyframe(const codec::TickLog& log, codec::Bytes& out);
    // Fresh models cost every client bytes, so clients that need a keyframe get theirs together.
    bool may_restart(std::uint32_t number, std::uint32_t interval) const {
        return !restarted_at_ || number == *restarted_at_ || number - *restarted_at_ >= interval;
    }

private:
    SnapshotEncoder encoder_;
    codec::Bytes delta_;
    codec::Bytes keyframe_;                      // of the snapshot restarted_at_
    std::optional<std::uint32_t> restarted_at_;  // the last snapshot that was sent as a keyframe
    bool has_new_client_ = false;                // since the last delta
};

using Cell = std::uint32_t;

class InterestCells {
public:
    // The stream of a room that is not split, and of players without a position.
    static constexpr Cell whole_room = 0;

    InterestCells(const match::Setup& setup, ReplicationMode mode, const HostConfig& config,
                  std::uint32_t budget);

    bool is_split() const { return streams_.size() > 1; }
    Cell cell_at(math::Vec2 position) const;
    // Made when a client needs it.
    SharedStream& stream(Cell cell);
    const SharedStream& stream(Cell cell) const { return *streams_[cell]; }

    // Encodes the streams of the cells in `used` (by cell, sized for all); the others are dropped.
    template <class Count>
    void encode(const Snapshot& snapshot, const std::vector<bool>& used, bool with_hash, Count count) {
        for (Cell cell = 0; cell < streams_.size(); ++cell) {
            if (!used[cell]) {
                if (cell != whole_room) streams_[cell].reset();
                continue;
            }
            const auto focus = cell == whole_room ? std::nullopt : std::optional(centre_of(cell));
            streams_[cell]->encode(snapshot, focus, with_hash);
            count(streams_[cell]->encoder().budget());
        }
    }
    // Splits the room once it has been over its budget for long; it stays split, since it would soon be over
    // it again.
    void split_if_over_budget();
    std::size_t size() const { return streams_.size(); }
    std::uint64_t states_hashed() const {
        std::uint64_t sum = 0;
        for (const auto& stream : streams_) sum += stream ? stream->encoder().states_hashed() : 0;
        return sum;
    }

private:
    math::Vec2 centre_of(Cell cell) const;

    const match::Setup& setup_;
    ReplicationMode mode_;
    const HostConfig& config_;
    std::uint32_t budget_;
    std::vector<std::unique_ptr<SharedStream>> streams_;  // by cell; null where no client is
    std::uint32_t over_budget_ = 0;                       // snapshots in a row
};

}  // namespace instep::net
