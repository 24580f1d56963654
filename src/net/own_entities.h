// SPDX-License-Identifier: MIT
// The entities that belong to one player, which that player must know to the bit although the room is told
// rounded values. Kinds that are replicated as events are left out: they live too short a time to correct,
// and are only drawn.
//
// With its inputs a client sends a hash of what it predicts its own entities to be. If the server comes to
// the same, that is all; if not, it sends what the rounding took away (docs/decisions/own-player.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <instep/contract/facts.h>
#include <instep/math/vec2.h>
#include <instep/net/range_coder.h>
#include <instep/state/layout.h>

namespace instep::net {

// The field that says whose an element is; null for what is nobody's.
const state::Field* owner_of(const state::PoolLayout& pool);

std::uint32_t hash_own(const state::Layout& layout, const std::byte* block, contract::Slot slot);

// Makes the own entities of `to` those of `from`. False, and nothing is changed, if they are not as many.
bool copy_own(const state::Layout& layout, const std::byte* from, std::byte* to, contract::Slot slot);

// Appends them as they are, and makes those of `block` what was appended. False, and nothing is changed, if
// they are not as many bytes.
void save_own(const state::Layout& layout, const std::byte* block, contract::Slot slot,
              std::vector<std::byte>& out);
bool restore_own(const state::Layout& layout, std::span<const std::byte> saved, std::byte* block,
                 contract::Slot slot);

// For drawing: makes all that belongs to the player in `shown` what it is in `now`, however many they are,
// and shots and other kinds that are replicated as events with it. They come after everybody else's.
void show_own(const state::Layout& layout, const std::byte* now, contract::Slot slot, std::byte* shown);

// What is between `told` and `actual`, of which `told` is the rounded form.
void encode_own(Writer& writer, const state::Layout& layout, const std::byte* told, const std::byte* actual,
                contract::Slot slot);
// `block` is the told state, and its own entities become the actual ones. Takes any bytes; the reader knows
// whether they were enough.
void decode_own(Reader& reader, const state::Layout& layout, std::byte* block, contract::Slot slot);

// Where the player is: the position of the first own entity that has one.
std::optional<math::Vec2> own_position(const state::Layout& layout, const std::byte* block,
                                       contract::Slot slot);

// Every blended field of the own entities, one after the other, and adding to them: what smoothing works on.
std::vector<double> own_blended(const state::Layout& layout, const std::byte* block, contract::Slot slot);
// For each: from `after` to `before`. Empty if the two are not of the same entities.
std::vector<double> own_error(const state::Layout& layout, const std::byte* block, contract::Slot slot,
                              const std::vector<double>& before);
void add_to_own(const state::Layout& layout, std::byte* block, contract::Slot slot,
                const std::vector<double>& error);

}  // namespace instep::net
