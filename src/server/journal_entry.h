// SPDX-License-Identifier: MIT
// An entry of a room's journal: the ticks of one snapshot with the hash after them, and who sits where if
// that has changed. A checkpoint and the entries after it are the room.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include <instep/codec/tick_log.h>
#include <instep/server/room_image.h>

namespace instep::server {

struct JournalEntry {
    static constexpr std::uint64_t most_ticks = 1024;

    std::uint64_t first = 0;
    std::uint64_t last = 0;
    contract::SlotSet live_before = 0;
    std::uint64_t hash = 0;    // of the state after the last tick
    std::uint64_t joined = 0;  // HostImage::joined
    std::optional<RoomRoster> roster;
};

// The log must hold the ticks.
void write(const JournalEntry& entry, const match::Setup& setup, const codec::TickLog& ticks,
           codec::Bytes& out);

// Ticks, hash and who sits where, without the inputs. Takes any bytes.
state::Result<JournalEntry> read_head(codec::ByteView bytes);

// The room of a checkpoint after the entries. Takes any bytes; refuses entries that do not follow each other,
// or whose ticks do not lead to their hash.
state::Result<RoomImage> replay(RoomImage checkpoint, const match::SharedSetup& setup,
                                std::span<const codec::Bytes> entries);

}  // namespace instep::server
