// SPDX-License-Identifier: MIT
#include <flail/setup.h>

#include <instep/contract/level.h>

namespace instep::worlds::flail {

state::Result<Setup> load(state::Type<Setup>, const state::Json& level, const std::string& where) {
    static constexpr std::string_view known[] = {"world", "name", "rules", "map"};
    if (auto checked = contract::refuse_unknown_keys(level, where, known); !checked)
        return std::unexpected(checked.error());
    static constexpr contract::RuleSet<Rules> sets[] = {{"faithful", faithful}, {"game", game}};
    const auto rules = contract::read_rules(level, where, sets);
    if (!rules) return std::unexpected(rules.error());

    Setup setup{.rules = *rules, .map = {}, .kept = 1 / rules->drag_divisor};
    if (const state::Json* map = level.find("map"))
        if (auto read = state::read_struct(*map, setup.map, where + ": map"); !read)
            return std::unexpected(read.error());
    if (setup.rules.spawn_spread > setup.map.size / 2)
        return state::refuse(where + ": rules.spawn_spread",
                             "reaches beyond the map: expected at most half of map.size");
    if (setup.rules.flail_size > setup.rules.most_flail_size)
        return state::refuse(where + ": rules.flail_size",
                             "is beyond rules.most_flail_size: a kill would shrink it");
    return setup;
}

}  // namespace instep::worlds::flail
