// SPDX-License-Identifier: MIT
// Looking into a running match of any world, through its tables: the score board,
// events in words, and states as JSON lines and CSV.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <instep/match/score_board.h>

namespace instep::cli {

using match::Score;
using match::score_board;

// A leaf's value as text, an enum's by its label.
std::string leaf_text(const state::Field& field, const std::byte* bytes);

// {"tick": .., "hash": "..", "head": {..}, "POOL": [{"id": .., ..}, ..], ..} and a newline.
std::string json_line(const match::Match& match, bool with_events);

// The pool of that name; for an empty name the first whose elements have a position, or the first of all.
std::optional<std::size_t> find_pool(const state::Layout& layout, std::string_view name);
std::string csv_header(const state::PoolLayout& pool);
std::string csv_rows(const match::Match& match, std::size_t pool);

}  // namespace instep::cli
