// SPDX-License-Identifier: MIT
#include <bounce/setup.h>

#include <instep/contract/level.h>

namespace instep::worlds::bounce {

state::Result<Setup> load(state::Type<Setup>, const state::Json& level, const std::string& where) {
    static constexpr std::string_view known[] = {"world", "name", "rules", "box"};
    if (auto checked = contract::refuse_unknown_keys(level, where, known); !checked)
        return std::unexpected(checked.error());
    static constexpr contract::RuleSet<Rules> sets[] = {{"faithful", faithful}, {"game", game}};
    const auto rules = contract::read_rules(level, where, sets);
    if (!rules) return std::unexpected(rules.error());

    Setup setup{*rules, {}};
    if (const state::Json* box = level.find("box"))
        if (auto read = state::read_struct(*box, setup.box, where + ": box"); !read)
            return std::unexpected(read.error());
    const double diameter = 2 * setup.rules.radius;
    if (setup.box.width < diameter || setup.box.height < diameter)
        return state::refuse(where + ": box",
                             "is smaller than one ball: expected a width and a height of at least twice "
                             "rules.radius");
    return setup;
}

std::vector<std::string> bodies(state::Type<Setup>, const state::Json&) { return {"loose ball"}; }

// A level says only how many there are; where they begin is chance.
state::Result<state::Json> with_body(state::Type<Setup>, const state::Json& level, std::string_view body,
                                     math::Vec2) {
    if (body != "loose ball") return state::refuse(std::string(body), "expected \"loose ball\"");
    const auto setup = load({}, level, "level");
    if (!setup) return std::unexpected(setup.error());
    return contract::with_number(level, "box", "loose_balls", setup->box.loose_balls + 1);
}

}  // namespace instep::worlds::bounce
