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

std::uint32_t hash_own(const state::Layout& layout, const std::byte* block, contract::Slot slot);

// Makes the own entities of `to` those of `from`. False, and nothing is changed, if they are not as many.
bool copy_own(const state::Layout& layout, const std::byte* from, std::byte* to, contract::Slot slot);

// Appends them as they are, and makes those of `block` what was appended. False, and nothing is changed, if
// they are not as many bytes.
void save_own(const state::Layout& layout, const std::byte* block, contract::Slot slot, codec::Bytes& out);
bool restore_own(const state::Layout& layout, std::span<const std::byte> saved, std::byte* block,
                 contract::Slot slot);

// What is between `told` and `actual`, of which `told` is the rounded form.
void encode_own(codec::Writer& writer, const state::Layout& layout, const std::byte* told,
                const std::byte* actual, contract::Slot slot);
// `block` is the told state, and its own entities become the actual ones. Takes any bytes; the reader knows
// whether they were enough.
void decode_own(codec::Reader& reader, const state::Layout& layout, std::byte* block, contract::Slot slot);

}  // namespace instep::net
