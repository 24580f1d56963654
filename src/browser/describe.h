// SPDX-License-Identifier: MIT
// Worlds, levels and states in JSON, for a page that knows none of them: what there is to play, what its
// rules are and what may be set, who plays, and every field of whatever is pointed at.
#pragma once

#include <instep/browser/local_stage.h>
#include <instep/state/json.h>

namespace instep::browser {

// [{"name", "summary", "levels": [..]}, ..]
state::Json describe_worlds();

// {"world", "level", "fingerprint", "tick_rate", "snapshot_every", "most_players", "y_up", "view": [x, y, x,
// y],
//  "controls": [{"name", "control"}], "events": [{"kind", "words", "mood"}],
//  "rules": [{"path", "value", "low", "high", "unit", "note", ..}]}
state::Json describe_setup(const match::Setup& setup);

// What a hand can drop into a match of this level, in order: bots, what the level lists (a level with one
// more is `with_body`), and what can only be copied: [{"name", "way": "bot" | "level" | "copy", "pool"}, ..]
state::Json describe_drops(const match::SharedSetup& setup, const state::Json& level);

// The best first: [{"slot", "name", "score", "x", "y"}, ..]; no x and y for one who is nowhere.
state::Json describe_players(const match::Setup& setup, const std::byte* block);

// All that the stage has to tell: [{"news", "number", "tick", "event": {..}}, ..]
state::Json take_events(Stage& stage);

// The entity whose position is nearest, if it is within reach.
std::optional<EntityName> find_nearest(const match::Setup& setup, const std::byte* block, math::Vec2 place,
                                       double reach);
// {"pool", "number", "id", "generation", "fields": {..}}; null for one that is gone.
state::Json describe_entity(const match::Setup& setup, const std::byte* block, const EntityName& entity);

}  // namespace instep::browser
