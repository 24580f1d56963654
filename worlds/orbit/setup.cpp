// SPDX-License-Identifier: MIT
#include <orbit/setup.h>

#include <algorithm>

#include <instep/contract/level.h>
#include <instep/math/trig.h>
#include <instep/math/units.h>
#include <instep/motion/distance.h>

namespace instep::worlds::orbit {

using math::Vec2;
using state::Json;
using state::refuse;
using state::Result;

namespace {

// The elements of an array at `key`, each read into a described struct; empty if there is no such key.
template <class T>
Result<std::vector<T>> read_list(const Json& level, std::string_view key, const std::string& where) {
    std::vector<T> items;
    const Json* list = level.find(key);
    if (!list) return items;
    const std::string path = where + ": " + std::string(key);
    if (!list->array()) return refuse(path, "expected an array, got " + std::string(list->kind_name()));
    if (list->array()->size() > most_pallets)
        return refuse(path, "expected at most " + std::to_string(most_pallets) + " entries");
    for (const Json& item : *list->array()) {
        const std::string entry = path + "[" + std::to_string(items.size()) + "]";
        if (auto read = state::read_struct(item, items.emplace_back(), entry, state::Missing::is_an_error);
            !read)
            return std::unexpected(read.error());
    }
    return items;
}

void add_ring(std::vector<Vec2>& pallets, const Ring& ring, Vec2 center) {
    for (std::uint32_t i = 0; i < ring.count; ++i) {
        const math::SinCos turn = math::sincos(ring.angle + math::two_pi * i / ring.count);
        pallets.push_back(center + Vec2{turn.cos, turn.sin} * ring.radius);
    }
}

Result<std::vector<Vec2>> read_pallets(const Json& level, const std::string& where, const Sun& sun) {
    auto pallets = read_list<Vec2>(level, "pallets", where);
    if (!pallets) return pallets;
    const auto rings = read_list<Ring>(level, "rings", where);
    if (!rings) return std::unexpected(rings.error());
    for (const Ring& ring : *rings) add_ring(*pallets, ring, sun.position);

    if (pallets->size() > most_pallets)
        return refuse(where, "has " + std::to_string(pallets->size()) + " pallets: expected at most " +
                                 std::to_string(most_pallets));
    for (std::size_t i = 0; i < pallets->size(); ++i) {
        const std::string entry = where + ": pallet " + std::to_string(i + 1);
        if (!motion::within((*pallets)[i], sun.position, 1e6)) return refuse(entry, "is beyond all reach");
        if (motion::within((*pallets)[i], sun.position, sun.radius))
            return refuse(entry, "lies in the sun, out of reach");
    }
    return pallets;
}

Result<void> check_starts(const Rules& rules, const Space& space, const std::string& where) {
    const double start =
        rules.starts_at_rest ? distance(space.start.position, space.sun.position) : space.orbit_radius;
    const std::string entry = where + (rules.starts_at_rest ? ": space.start" : ": space.orbit_radius");
    if (start <= space.sun.radius) return refuse(entry, "is in the sun");
    if (!rules.space_is_endless && start >= rules.edge) return refuse(entry, "is beyond rules.edge");
    return {};
}

}  // namespace

Setup make_setup(const Rules& rules, const Space& space, std::vector<Vec2> pallets) {
    Setup setup{.rules = rules, .space = space, .pallets = std::move(pallets), .sun = {}};
    setup.sun = {space.sun.position, rules.gravitational_constant * space.sun.mass, rules.most_acceleration};
    setup.sun_radius = space.sun.radius;
    setup.dt = 1.0 / rules.tick_rate;
    setup.kept = 1 / (1 + rules.drag_k * setup.dt);
    setup.reach = std::max(2 * setup.sun_radius, rules.starts_at_rest
                                                     ? distance(space.start.position, space.sun.position)
                                                     : space.orbit_radius);
    for (const Vec2 pallet : setup.pallets)
        setup.reach = std::max(setup.reach, distance(pallet, space.sun.position));
    return setup;
}

Result<Setup> load(state::Type<Setup>, const Json& level, const std::string& where) {
    static constexpr std::string_view known[] = {"world", "name", "rules", "space", "pallets", "rings"};
    if (auto checked = contract::refuse_unknown_keys(level, where, known); !checked)
        return std::unexpected(checked.error());
    static constexpr contract::RuleSet<Rules> sets[] = {{"faithful", faithful}, {"game", game}};
    const auto rules = contract::read_rules(level, where, sets);
    if (!rules) return std::unexpected(rules.error());

    Space space;
    if (const Json* found = level.find("space"))
        if (auto read = state::read_struct(*found, space, where + ": space"); !read)
            return std::unexpected(read.error());
    if (auto checked = check_starts(*rules, space, where); !checked) return std::unexpected(checked.error());
    auto pallets = read_pallets(level, where, space.sun);
    if (!pallets) return std::unexpected(pallets.error());
    return make_setup(*rules, space, std::move(*pallets));
}

std::vector<std::string> bodies(state::Type<Setup>, const Json&) { return {"pallet"}; }

Result<Json> with_body(state::Type<Setup>, const Json& level, std::string_view body, math::Vec2 position) {
    if (body != "pallet") return refuse(std::string(body), "expected \"pallet\"");
    return contract::with_entry(level, "pallets", contract::position_to_json(position));
}

}  // namespace instep::worlds::orbit
