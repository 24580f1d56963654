// SPDX-License-Identifier: MIT
// Worlds, levels and states as JSON, for a page that is written for no particular world: the levels, their
// rules and ranges, the players, and every field of an entity.
#pragma once

#include <instep/browser/local_stage.h>
#include <instep/state/json.h>

namespace instep::browser {

// [{"name", "summary", "levels": [..]}, ..]
state::Json describe_worlds();

// {"world", "level", "fingerprint", "tick_rate", "snapshot_every", "most_players", "y_up",
//  "view": [low x, low y, high x, high y], "controls": [{"name", "control"}],
//  "events": [{"kind", "text", "mood"}], "rules": [{"path", "value", "low", "high", "unit", "note", ..}]}
state::Json describe_setup(const match::Setup& setup);

// The bodies that can be dropped into a match of this level: bots, bodies that the level lists (the world's
// `with_body` adds one), then pools whose elements can only be copied:
// [{"name", "method": "bot" | "level" | "copy", "pool"}, ..]
state::Json describe_drops(const match::SharedSetup& setup, const state::Json& level);

// Where the page finds what a state, an event and an input are made of, in the module's memory:
// {"headers", "teleport_distance", "head", "event", "input", "pools": [{"name", "index", "elements",
// "struct",
//  "position", "owner", "follows_events"}], "structs": [{"name", "size", "members": [{"name", "offset",
//  "stride", "kind" | "struct", "count", "labels"}]}]}
// Offsets and sizes are in bytes, a struct is its index in "structs", and a kind is the number of its
// FieldKind.
state::Json describe_layout(const match::Setup& setup);

}  // namespace instep::browser
