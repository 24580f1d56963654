// SPDX-License-Identifier: MIT
// A room's server side as a value: the match, and all that its future follows from besides what clients will
// send. Streams of snapshots are not in it: each client gets a keyframe.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <instep/contract/tick.h>
#include <instep/net/input_queue.h>
#include <instep/net/link_kind.h>
#include <instep/record/match_image.h>

namespace instep::net {

struct PlayerImage {
    contract::Slot slot = 0;
    bool is_bot = false;
    bool is_leaving = false;                  // with the next tick
    std::optional<std::uint64_t> last_input;  // the tick in which an input came last
    std::optional<std::uint64_t> last_played;
    std::uint32_t inputs_since = 0;
    InputQueueImage inputs;

    friend bool operator==(const PlayerImage&, const PlayerImage&) = default;
};

struct HostImage {
    record::MatchImage match;
    ReplicationMode mode = ReplicationMode::snapshots;
    std::uint64_t joined = 0;           // players that ever joined: seeds of joins follow from it
    std::vector<contract::Join> joins;  // with the next tick
    std::vector<PlayerImage> players;   // by slot
};

// For `codec::Writer` and `codec::Reader`. The reader takes any bytes.
template <class Stream>
void code(Stream& stream, HostImage& image);

void write(const HostImage& image, codec::Bytes& out);
state::Result<HostImage> read_host_image(codec::ByteView bytes);

}  // namespace instep::net
