// SPDX-License-Identifier: MIT
// Levels, states and decoded messages as JSON, for the reader in tests/wire that follows docs/wire-format.md.
#pragma once

#include <string>

#include <instep/codec/tick_log.h>
#include <instep/net/messages.h>
#include <instep/state/json.h>

namespace instep::wire {

std::string hex(codec::ByteView bytes);
// The image of a state, in hex.
std::string image_of(const state::Layout& layout, const std::byte* block);

// All that a reader must know of a level beforehand.
state::Json level_of(const match::Setup& setup, net::ReplicationMode mode);
// A state field by field.
state::Json state_of(const state::Layout& layout, const std::byte* block);

// Null if the message is malformed.
state::Json inputs_of(const match::Setup& setup, codec::ByteView message);
state::Json own_player_part_of(const net::OwnPlayerPart& part);
state::Json tick_of(const match::Setup& setup, const codec::TickRecord& record);
state::Json report_of(const net::Report& report);
state::Json verdict_of(const net::Verdict& verdict);

}  // namespace instep::wire
