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

// By score: [{"slot", "name", "score", "x", "y"}, ..]; a player without a body has no x and y.
state::Json describe_players(const match::Setup& setup, const std::byte* block);

// The events since the last call: [{"status", "number", "tick", "event": {..}}, ..]
state::Json take_events(Stage& stage);

// The entity nearest to a point, if it is within `reach`.
std::optional<EntityRef> find_nearest(const match::Setup& setup, const std::byte* block, math::Vec2 point,
                                      double reach);
// {"pool", "number", "id", "generation", "fields": {..}}; null if the entity no longer exists.
state::Json describe_entity(const match::Setup& setup, const std::byte* block, const EntityRef& entity);

}  // namespace instep::browser
