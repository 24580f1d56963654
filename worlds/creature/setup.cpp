// SPDX-License-Identifier: MIT
#include <creature/setup.h>

#include <algorithm>

#include <instep/contract/level.h>

namespace instep::worlds::creature {
namespace {

using state::Json;
using state::refuse;
using state::Result;

struct Placing {
    Vec2 at;
    double facing = 0;
};

constexpr auto fields_of(state::Type<Placing>) {
    using state::field;
    return state::fields("Placing", field("at", &Placing::at, {.low = -50'000, .high = 50'000, .unit = "u"}),
                         field("facing", &Placing::facing, {.low = -7, .high = 7, .unit = "rad"}));
}

Result<void> read_plan(const Json& json, const std::string& where, Setup& setup) {
    auto scene = read_scene(json, where, UnknownFields::are_errors);
    if (!scene) return std::unexpected(scene.error());
    if (scene->name.empty()) return refuse(where, "has no \"name\"");
    for (const BodyPlan& plan : setup.plans)
        if (plan.name == scene->name) return refuse(where, "has the same name as a plan before it");
    if (scene->born == no_node) scene->born = static_cast<std::uint32_t>(scene->nodes.size());
    auto plans = make_plans(*scene, where, setup.rules.loose_branches);
    if (!plans) return std::unexpected(plans.error());
    BodyPlan& plan = plans->front();
    if (plan.anchors.empty()) return refuse(where, "has no Anchor: expected one, which leads the body");
    if (plan.head >= plan.born)
        return refuse(where, call_node(*scene, plan.head) + " is the head, so it must be there at birth");
    for (PlanLimb& limb : plan.limbs) {
        limb.target_plan = no_node;  // its own
        if (limb.target_node != no_node && limb.target_node >= plan.born)
            return refuse(where, call_node(*scene, limb.target_node) +
                                     " is reached for by a limb, so it must be there at birth");
    }
    setup.plans.push_back(std::move(plan));
    return {};
}

Result<void> read_plans(const Json& level, const std::string& key, const std::string& where, Setup& setup) {
    const Json* list = level.find(key);
    if (!list) return {};
    const std::string path = where + ": " + key;
    if (!list->array()) return refuse(path, "expected an array, got " + list->summary());
    for (std::size_t i = 0; i < list->array()->size(); ++i)
        if (auto read = read_plan((*list->array())[i], path + "[" + std::to_string(i) + "]", setup); !read)
            return read;
    return {};
}

Result<void> read_currents(const Json& level, const std::string& where, Setup& setup) {
    const Json* list = level.find("currents");
    if (!list) return {};
    const std::string path = where + ": currents";
    if (!list->array()) return refuse(path, "expected an array, got " + list->summary());
    if (list->array()->size() > most_currents)
        return refuse(path, "expected at most " + std::to_string(most_currents) + " entries");
    for (const Json& item : *list->array()) {
        const std::string entry = path + "[" + std::to_string(setup.currents.size()) + "]";
        Current& current = setup.currents.emplace_back();
        if (auto read = state::read_struct(item, current, entry); !read) return read;
        if (!(current.low.x < current.high.x && current.low.y < current.high.y))
            return refuse(entry, "expected \"low\" to be below \"high\" on both axes");
    }
    return {};
}

Result<void> read_wild(const Json& level, const std::string& where, Setup& setup) {
    const Json* list = level.find("wild");
    if (!list) return {};
    if (!list->array()) return refuse(where + ": wild", "expected an array, got " + list->summary());
    for (std::size_t i = 0; i < list->array()->size(); ++i) {
        const Json& item = (*list->array())[i];
        const std::string path = where + ": wild[" + std::to_string(i) + "]";
        const Json* name = item.find("plan");
        const auto plan = std::find_if(
            setup.plans.begin(), setup.plans.begin() + setup.named_plans,
            [&](const BodyPlan& each) { return name && name->string() && each.name == *name->string(); });
        if (plan == setup.plans.begin() + setup.named_plans)
            return refuse(path + ".plan", "expected the name of one of the level's plans, got " +
                                              (name ? name->summary() : "none"));
        Json::Object rest;
        for (const auto& [key, value] : *item.object())
            if (key != "plan") rest.emplace_back(key, value);
        Placing placing;
        if (auto read = state::read_struct(Json(std::move(rest)), placing, path); !read) return read;
        setup.residents.push_back(
            {static_cast<std::uint32_t>(plan - setup.plans.begin()), placing.at, placing.facing});
    }
    return {};
}

// Checks capacities: the widest node fits between the walls, all creatures fit in their pool.
Result<void> check_room(const Setup& setup, const std::string& where) {
    const Playground& playground = setup.playground;
    const double narrowest = std::min(playground.half_width, playground.half_height) - setup.rules.margin;
    for (const BodyPlan& plan : setup.plans)
        for (std::size_t i = 0; i < plan.nodes.size(); ++i)
            if (plan.nodes[i].radius >= narrowest)
                return refuse(where + ": playground",
                              "is too small for nodes[" + std::to_string(i) +
                                  "] of a creature: expected more than twice its radius "
                                  "and the margin");
    if (setup.rules.players_have_bodies && setup.player_plans == 0)
        return refuse(where + ": plans", "expected at least one, for players to have bodies");
    const std::size_t bodies = setup.rules.players_have_bodies ? playground.most_players : 0;
    if (setup.residents.size() + bodies > playground.most_creatures)
        return refuse(where + ": playground.most_creatures",
                      "expected at least " + std::to_string(setup.residents.size() + bodies) +
                          ", one for each resident and each player, got " +
                          std::to_string(playground.most_creatures));
    return {};
}

// A file of the original's as it is: its scene on its playground, by its rules.
Result<Setup> load_scene_file(const Json& json, const std::string& where) {
    const auto scene = read_scene(json, where + ": scene", UnknownFields::are_ignored);
    if (!scene) return std::unexpected(scene.error());
    Setup setup{.rules = faithful};
    if (auto added = add_scene(setup, *scene, where + ": scene"); !added)
        return std::unexpected(added.error());
    setup.playground.most_creatures = std::max(setup.playground.most_creatures, setup.scene_creatures);
    if (auto checked = check_room(setup, where); !checked) return std::unexpected(checked.error());
    return setup;
}

}  // namespace

std::uint32_t Setup::most_circles() const {
    std::size_t largest = 1;
    for (const BodyPlan& plan : plans) largest = std::max(largest, plan.nodes.size());
    return scene_nodes + (playground.most_creatures - scene_creatures) * static_cast<std::uint32_t>(largest);
}

Result<void> add_scene(Setup& setup, const Scene& scene, const std::string& where) {
    auto plans = make_plans(scene, where, setup.rules.loose_branches);
    if (!plans) return std::unexpected(plans.error());
    setup.scene_creatures = static_cast<std::uint32_t>(plans->size());
    setup.scene_nodes = static_cast<std::uint32_t>(scene.nodes.size());
    for (BodyPlan& plan : *plans) {
        setup.residents.push_back({static_cast<std::uint32_t>(setup.plans.size()), plan.origin, 0});
        setup.plans.push_back(std::move(plan));
    }
    return {};
}

Result<Setup> load(state::Type<Setup>, const Json& level, const std::string& where) {
    if (level.find("nodes")) return load_scene_file(level, where);
    static constexpr std::string_view known[] = {"world",      "name",     "rules", "playground", "plans",
                                                 "wild_plans", "currents", "wild",  "scene"};
    if (auto checked = contract::refuse_unknown_keys(level, where, known); !checked)
        return std::unexpected(checked.error());
    static constexpr contract::RuleSet<Rules> sets[] = {{"faithful", faithful}, {"game", game}};
    const auto rules = contract::read_rules(level, where, sets);
    if (!rules) return std::unexpected(rules.error());

    Setup setup{.rules = *rules};
    if (const Json* playground = level.find("playground"))
        if (auto read = state::read_struct(*playground, setup.playground, where + ": playground"); !read)
            return std::unexpected(read.error());
    if (auto read = read_currents(level, where, setup); !read) return std::unexpected(read.error());
    if (auto read = read_plans(level, "plans", where, setup); !read) return std::unexpected(read.error());
    setup.player_plans = static_cast<std::uint32_t>(setup.plans.size());
    if (auto read = read_plans(level, "wild_plans", where, setup); !read)
        return std::unexpected(read.error());
    setup.named_plans = static_cast<std::uint32_t>(setup.plans.size());
    if (const Json* json = level.find("scene")) {
        const std::string path = where + ": scene";
        const auto scene = read_scene(*json, path, UnknownFields::are_ignored);
        if (!scene) return std::unexpected(scene.error());
        if (auto added = add_scene(setup, *scene, path); !added) return std::unexpected(added.error());
    }
    if (auto read = read_wild(level, where, setup); !read) return std::unexpected(read.error());
    if (auto checked = check_room(setup, where); !checked) return std::unexpected(checked.error());
    return setup;
}

std::vector<std::string> bodies(state::Type<Setup>, const Json& level) {
    return contract::names_in(level, "plans");
}

Result<Json> with_body(state::Type<Setup>, const Json& level, std::string_view body, math::Vec2 position) {
    const auto setup = load({}, level, "level");
    if (!setup) return std::unexpected(setup.error());
    const Json roomier =
        contract::with_number(level, "playground.most_creatures", setup->playground.most_creatures + 1);
    return contract::with_entry(
        roomier, "wild", Json::Object{{"plan", Json(body)}, {"at", contract::position_to_json(position)}});
}

}  // namespace instep::worlds::creature
