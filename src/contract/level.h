// SPDX-License-Identifier: MIT
// What all levels have in common. A level is a JSON object: `world`, `name`, geometry that only its world
// understands, and `rules`: the name of a rule set ("faithful": as the document has it; "game": as players
// want it) or an object that overrides some of one: {"base": "game", "drag": 0.2}.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <instep/math/vec2.h>
#include <instep/state/json.h>
#include <instep/state/result.h>

namespace instep::contract {

template <class Rules>
struct RuleSet {
    std::string_view name;
    Rules rules;
};

namespace detail {
// Finds the rule set that a level starts from, and its overrides (null without overrides).
state::Result<std::size_t> find_rule_set(const state::Json& level, const std::string& where,
                                         std::span<const std::string_view> names,
                                         const state::Json** overrides);
// Everything in `overrides` but "base", as an object of its own.
state::Json without_base(const state::Json& overrides);
}  // namespace detail

template <class Rules, std::size_t N>
state::Result<Rules> read_rules(const state::Json& level, const std::string& where,
                                const RuleSet<Rules> (&sets)[N]) {
    std::string_view names[N];
    for (std::size_t i = 0; i < N; ++i) names[i] = sets[i].name;
    const state::Json* overrides = nullptr;
    const auto chosen = detail::find_rule_set(level, where, names, &overrides);
    if (!chosen) return std::unexpected(chosen.error());
    Rules rules = sets[*chosen].rules;
    if (overrides) {
        const auto read = state::read_struct(detail::without_base(*overrides), rules, where + ": rules");
        if (!read) return std::unexpected(read.error());
    }
    return rules;
}

// The level with one more entry at the end of the list of that name, which may not be there yet.
state::Json with_entry(const state::Json& level, std::string_view list, state::Json entry);
// The level with another number in one of its objects: with_number(level, "box.loose_balls", 13).
state::Json with_number(const state::Json& level, std::string_view path, std::uint32_t value);
// [x, y]
state::Json position_to_json(math::Vec2 position);
// The names of a list's entries: of mob_kinds, of plans.
std::vector<std::string> names_in(const state::Json& level, std::string_view list);

// Refuses a level with a key that its world does not know: a typo must not become a default.
state::Result<void> refuse_unknown_keys(const state::Json& level, const std::string& where,
                                        std::span<const std::string_view> known);

}  // namespace instep::contract
