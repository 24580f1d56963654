// SPDX-License-Identifier: MIT
// Looking into a running match of any world, through its tables: its entities with place and owner, the score
// board, events in words, and states as JSON lines and CSV.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <instep/match/match.h>

namespace instep::cli {

// The elements of a pool, one after the other.
struct PoolView {
    const state::PoolLayout& layout;
    const std::byte* block;
    std::uint32_t count;

    PoolView(const match::Match& match, std::size_t pool);
    const std::byte* element(std::uint32_t place) const;
    state::Handle handle(std::uint32_t place) const;
};

struct Score {
    contract::Slot slot = 0;
    std::string name;
    std::int64_t score = 0;
};
// The best first; equal scores in slot order.
std::vector<Score> score_board(const match::Match& match);

// A leaf's value as text, an enum's by its label.
std::string leaf_text(const state::Field& field, const std::byte* bytes);

// {"tick": .., "hash": "..", "head": {..}, "POOL": [{"id": .., ..}, ..], ..} and a newline.
std::string json_line(const match::Match& match, bool with_events);

// The pool of that name; for an empty name the first whose elements have a position, or the first of all.
std::optional<std::size_t> find_pool(const state::Layout& layout, std::string_view name);
std::string csv_header(const state::PoolLayout& pool);
std::string csv_rows(const match::Match& match, std::size_t pool);

}  // namespace instep::cli
