// SPDX-License-Identifier: MIT
// What a world that says nothing else gets: these functions know its fields from their lists and nothing
// more. A function of the same purpose in the world's namespace takes the place of a default.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <instep/contract/draw_list.h>
#include <instep/contract/facts.h>
#include <instep/contract/level.h>
#include <instep/motion/box.h>
#include <instep/state/layout.h>

namespace instep::contract {

// --- load --------------------------------------------------------------------------------------------------

namespace detail {
// The level without what all levels share: `world`, `name` and `rules`.
state::Json geometry_of(const state::Json& level);
// A level may leave its rules out, or override some without naming a "base": they start from the first set.
state::Json with_base(const state::Json& level, std::string_view first_set);
}  // namespace detail

// Reads `rules` (from the world's `rule_sets(Type<Rules>)`, or "game": the values that Rules starts with)
// and, if the Setup is described, its other members by their names.
template <class Setup>
state::Result<Setup> default_load(const state::Json& level, const std::string& where) {
    using Rules = decltype(Setup::rules);
    if (!level.object())
        return state::refuse(where, "expected an object, got " + std::string(level.kind_name()));
    Setup setup{};
    const auto read = [&](const auto& sets) -> state::Result<void> {
        const auto rules = read_rules(detail::with_base(level, sets[0].name), where, sets);
        if (!rules) return std::unexpected(rules.error());
        setup.rules = *rules;
        return {};
    };
    state::Result<void> done;
    if constexpr (requires { rule_sets(state::Type<Rules>{}); }) {
        static constexpr auto sets = rule_sets(state::Type<Rules>{});
        done = read(sets.sets);
    } else {
        static constexpr RuleSet<Rules> sets[] = {{"game", Rules{}}};
        done = read(sets);
    }
    if (!done) return std::unexpected(done.error());
    if constexpr (state::Described<Setup>) {
        if (auto other = state::read_struct(detail::geometry_of(level), setup, where); !other)
            return std::unexpected(other.error());
    } else {
        static_assert(sizeof(Setup) == sizeof(Rules),
                      "a Setup that holds more than `rules` has fields_of(Type<Setup>), so that a level can "
                      "be read into it, or a `load` of its own");
        static constexpr std::string_view known[] = {"world", "name", "rules"};
        if (auto checked = refuse_unknown_keys(level, where, known); !checked)
            return std::unexpected(checked.error());
    }
    return setup;
}

// What rule_sets(Type<Rules>) returns: named sets of rules, the usual one first.
template <class Rules, std::size_t N>
struct RuleSets {
    RuleSet<Rules> sets[N];
};
template <class Rules, class... More>
RuleSets(RuleSet<Rules>, More...) -> RuleSets<Rules, 1 + sizeof...(More)>;

// --- the other functions -----------------------------------------------------------------------------------

// The tick rate is that of the rules, if they have one; players as many as their pool holds; and what is
// worth looking at is the world's bounds, or without them (null) the range of the first position.
Facts default_facts(const state::Layout& layout, const state::StructInfo& rules, const std::byte* rule_bytes,
                    const motion::Box* bounds);

// Numbers are brought into their range and sticks to a length of at most 1. False: a number is not finite.
bool default_sanitize(const state::StructInfo& input, std::byte* bytes);

// Numbers are finite, an owner is a player or no_player, and a handle that names its pool refers to an
// element there or to nothing. `live` are the slots of the players.
state::Result<void> default_validate(const state::Layout& layout, const std::byte* block, SlotSet live);

// A disc for every element that has a position, in its owner's colour and with its owner's name. The radius
// is the element's field `radius`, or that of the rules.
void default_view(const state::Layout& layout, const std::byte* block, const Facts& facts,
                  const state::StructInfo& rules, const std::byte* rule_bytes, DrawList& list);

// --- bodies that a sandbox can add ------------------------------------------------------------------------

// The names of the bodies that numbers of a setup count: those with `.body` in their rules.
std::vector<std::string> default_bodies(const state::StructInfo& setup);

// The level with one more of a body. `setup` has what the level says now; its fields lie in the level under
// `prefix`.
state::Result<state::Json> default_with_body(const state::Json& level, std::string_view body,
                                             const state::StructInfo& setup, const std::byte* bytes,
                                             std::string_view prefix);

}  // namespace instep::contract
