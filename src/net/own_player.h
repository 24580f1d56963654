// SPDX-License-Identifier: MIT
// The entities that belong to one player, exactly. The room is replicated in rounded values, but a client
// must know its own player to the bit to predict it.
//
// With its inputs a client sends a hash of what it predicts its own entities to be. If the server comes to
// the same hash, it confirms the prediction; otherwise it sends what the rounding took away
// (docs/decisions/own-player.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <instep/codec/bytes.h>
#include <instep/codec/range_coder.h>
#include <instep/contract/facts.h>
#include <instep/state/layout.h>

namespace instep::net {

// The hash of the own player as a client predicts it for a snapshot.
struct PredictedHash {
    std::uint32_t snapshot = 0;
    std::uint32_t hash = 0;
};

std::uint32_t hash_own(const state::Layout& layout, const std::byte* block, contract::Slot slot);

// Copies the own entities of `from` over those of `to`. False, and no change, if their number differs.
bool copy_own(const state::Layout& layout, const std::byte* from, std::byte* to, contract::Slot slot);

// The bytes of the own entities, appended to `out`; and back into `block`. False, and no change, if their
// size differs.
void save_own(const state::Layout& layout, const std::byte* block, contract::Slot slot, codec::Bytes& out);
bool restore_own(const state::Layout& layout, std::span<const std::byte> saved, std::byte* block,
                 contract::Slot slot);

// The difference from the replicated own entities to the actual ones.
void encode_own(codec::Writer& writer, const state::Layout& layout, const std::byte* replicated,
                const std::byte* actual, contract::Slot slot);
// Turns the own entities of `block`, a replicated state, into the actual ones. Takes any bytes; check
// reader.ok().
void decode_own(codec::Reader& reader, const state::Layout& layout, std::byte* block, contract::Slot slot);

}  // namespace instep::net
