// SPDX-License-Identifier: MIT
#include <instep/browser/describe.h>

#include <algorithm>
#include <cmath>

#include <instep/match/builtin_levels.h>
#include <instep/match/registry.h>
#include <instep/state/hash.h>
#include <instep/state/raw_pool.h>

namespace instep::browser {
namespace {

using state::Json;
using state::RawPool;

constexpr std::string_view control_names[] = {"none",  "left",   "right",   "up",    "down",
                                              "turn",  "stick",  "pointer", "aim",   "go",
                                              "first", "second", "third",   "fourth"};
Json finite_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(); }

Json describe_labels(const state::Rules& rules) {
    Json::Array labels;
    for (const std::string_view label : rules.labels) labels.emplace_back(label);
    return labels;
}

Json describe_rule(const state::Field& field, const std::byte* rules) {
    Json::Object rule{{"path", Json(std::string_view(field.path))}};
    const double value = state::number_at(field, rules);
    if (!field.rules.labels.empty()) rule.emplace_back("labels", describe_labels(field.rules));
    if (field.kind == state::FieldKind::boolean)
        rule.emplace_back("value", Json(value != 0));
    else
        rule.emplace_back("value", finite_or_null(value));
    rule.emplace_back("integer", Json(!state::is_real(field.kind)));
    rule.emplace_back("low", finite_or_null(field.rules.low));
    rule.emplace_back("high", finite_or_null(field.rules.high));
    rule.emplace_back("unit", Json(field.rules.unit));
    rule.emplace_back("note", Json(field.rules.note));
    return rule;
}

// One for each kind of event.
Json describe_events(const match::WorldTable& world) {
    Json::Array events;
    const std::span<const std::string_view> labels = world.event->find("kind")->rules.labels;
    for (std::size_t i = 0; i < labels.size(); ++i) {
        const contract::EventText& text = world.event_texts[i];
        events.emplace_back(
            Json::Object{{"kind", Json(labels[i])},
                         {"text", Json(text.text)},
                         {"mood", Json(contract::mood_names[static_cast<std::size_t>(text.mood)])}});
    }
    return events;
}

}  // namespace

Json describe_worlds() {
    Json::Array worlds;
    for (const match::WorldTable& world : match::worlds()) {
        Json::Array levels;
        for (const match::BuiltinLevel& level : match::builtin_levels())
            if (level.world == world.name) levels.emplace_back(level.name);
        worlds.emplace_back(Json::Object{{"name", Json(world.name)},
                                         {"summary", Json(world.summary)},
                                         {"levels", Json(std::move(levels))}});
    }
    return worlds;
}

Json describe_setup(const match::Setup& setup) {
    const contract::Facts& facts = setup.facts;
    Json::Array controls;
    for (const state::Field& field : setup.world->input->fields)
        if (field.rules.control != state::Control::none)
            controls.emplace_back(Json::Object{
                {"name", Json(std::string_view(field.path))},
                {"control", Json(control_names[static_cast<std::size_t>(field.rules.control)])}});
    Json::Array rules;
    for (const state::Field& field : setup.world->rules->fields)
        if (field.kind != state::FieldKind::reserved && field.kind != state::FieldKind::text)
            rules.push_back(describe_rule(field, setup.world->rules_of(setup.value.get())));
    return Json::Object{{"world", Json(setup.world->name)},
                        {"level", Json(std::string_view(setup.level))},
                        {"fingerprint", Json(state::hash_text(setup.fingerprint))},
                        {"tick_rate", Json(facts.tick_rate)},
                        {"snapshot_every", Json(facts.snapshot_every)},
                        {"most_players", Json(facts.most_players)},
                        {"y_up", Json(facts.y_up)},
                        {"view", Json(Json::Array{Json(facts.view_low.x), Json(facts.view_low.y),
                                                  Json(facts.view_high.x), Json(facts.view_high.y)})},
                        {"controls", Json(std::move(controls))},
                        {"events", describe_events(*setup.world)},
                        {"rules", Json(std::move(rules))}};
}

Json describe_drops(const match::SharedSetup& shared, const Json& level) {
    const match::Setup& setup = *shared;
    Json::Array drops{Json::Object{{"name", Json("bot")}, {"method", Json("bot")}}};
    if (setup.world->bodies)
        for (const std::string& body : setup.world->bodies(setup.world->context, level))
            drops.emplace_back(Json::Object{{"name", Json(body)}, {"method", Json("level")}});
    const match::Match start(shared, 1);
    for (std::size_t i = 0; i < setup.layout.pools.size(); ++i) {
        const RawPool pool = RawPool::looking_at(setup.layout, i, start.state());
        const state::EntityKind& kind = pool.layout().kind;
        const bool is_owned = !kind.owner.empty() && kind.replication == state::Replication::fields;
        if (kind.position.empty() || is_owned || pool.full()) continue;
        drops.emplace_back(
            Json::Object{{"name", Json(pool.layout().name)}, {"method", Json("copy")}, {"pool", Json(i)}});
    }
    return drops;
}

Json describe_layout(const match::Setup& setup) {
    const state::Layout& layout = setup.layout;
    std::vector<const state::StructInfo*> found;
    const auto number_of = [&found](const state::StructInfo* info) {
        const auto at = std::ranges::find(found, info);
        if (at == found.end()) return found.push_back(info), Json(found.size() - 1);
        return Json(static_cast<std::size_t>(at - found.begin()));
    };
    Json::Object all{{"headers", Json(layout.headers_offset)},
                     {"teleport_distance", Json(setup.facts.teleport_distance)},
                     {"head", number_of(layout.head)},
                     {"event", number_of(setup.world->event)},
                     {"input", number_of(setup.world->input)}};
    Json::Array pools;
    for (const state::PoolLayout& pool : layout.pools)
        pools.emplace_back(
            Json::Object{{"name", Json(pool.name)},
                         {"index", Json(pool.index_offset)},
                         {"elements", Json(pool.elements_offset)},
                         {"struct", number_of(pool.element)},
                         {"position", Json(pool.kind.position)},
                         {"owner", Json(pool.kind.owner)},
                         {"follows_events", Json(pool.kind.replication == state::Replication::events)}});
    Json::Array structs;
    // NOLINTNEXTLINE(modernize-loop-convert): it grows with the structs of members
    for (std::size_t i = 0; i < found.size(); ++i) {
        Json::Array members;
        for (const state::Member& member : found[i]->members) {
            if (member.kind == state::FieldKind::reserved && !member.structure) continue;
            Json::Object each{{"name", Json(member.name)},
                              {"offset", Json(member.offset)},
                              {"stride", Json(member.stride)}};
            if (member.structure)
                each.emplace_back("struct", number_of(member.structure));
            else
                each.emplace_back("kind", Json(static_cast<std::uint32_t>(member.kind)));
            if (member.is_array) each.emplace_back("count", Json(member.count));
            if (!member.rules.labels.empty()) each.emplace_back("labels", describe_labels(member.rules));
            members.emplace_back(std::move(each));
        }
        structs.emplace_back(Json::Object{{"name", Json(found[i]->name)},
                                          {"size", Json(found[i]->size)},
                                          {"members", Json(std::move(members))}});
    }
    all.emplace_back("pools", Json(std::move(pools)));
    all.emplace_back("structs", Json(std::move(structs)));
    return all;
}

}  // namespace instep::browser
