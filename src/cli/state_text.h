// SPDX-License-Identifier: MIT
// States of any world as text: JSON lines, CSV, and single fields.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <instep/match/score_board.h>

namespace instep::cli {

using match::Score;
using match::score_board;

// A field's value; an enum by its label.
std::string field_text(const state::Field& field, const std::byte* bytes);

// {"tick": .., "hash": "..", "head": {..}, "POOL": [{"id": .., ..}, ..], ..} and a newline.
std::string json_line(const match::Match& match, bool with_events);

// "Ada 7, Bix 3", by score; empty without players.
std::string score_line(const match::Match& match);

// The pool of that name; for an empty name the first with a position, or the first of all.
std::optional<std::size_t> find_pool(const state::Layout& layout, std::string_view name);
std::string csv_header(const state::PoolLayout& pool);
std::string csv_rows(const match::Match& match, std::size_t pool);

}  // namespace instep::cli
