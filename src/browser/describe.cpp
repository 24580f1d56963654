// SPDX-License-Identifier: MIT
#include <instep/browser/describe.h>

#include <algorithm>
#include <cmath>

#include <instep/match/builtin_levels.h>
#include <instep/match/registry.h>
#include <instep/match/score_board.h>
#include <instep/present/own_entities.h>
#include <instep/present/position.h>
#include <instep/state/hash.h>
#include <instep/state/raw_pool.h>

namespace instep::browser {
namespace {

using state::Json;
using state::RawPool;

constexpr std::string_view control_names[] = {"none",  "left",   "right",   "up",    "down",
                                              "turn",  "stick",  "pointer", "aim",   "go",
                                              "first", "second", "third",   "fourth"};
// In the order of present::EventStatus.
constexpr std::string_view status_names[] = {"predicted", "confirmed", "cancelled", "received"};

Json finite_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(); }

Json describe_rule(const state::Field& field, const std::byte* rules) {
    Json::Object rule{{"path", Json(std::string_view(field.path))}};
    const double value = state::number_at(field, rules);
    if (!field.rules.labels.empty()) {
        Json::Array labels;
        for (const std::string_view label : field.rules.labels) labels.emplace_back(label);
        rule.emplace_back("labels", std::move(labels));
    }
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

Json describe_players(const match::Setup& setup, const std::byte* block) {
    Json::Array players;
    for (const match::Score& score : match::score_board(setup, block)) {
        Json::Object player{
            {"slot", Json(score.slot)}, {"name", Json(score.name)}, {"score", Json(score.score)}};
        if (const auto at = present::own_position(setup.layout, block, score.slot)) {
            player.emplace_back("x", finite_or_null(at->x));
            player.emplace_back("y", finite_or_null(at->y));
        }
        players.emplace_back(std::move(player));
    }
    return players;
}

Json take_events(Stage& stage) {
    const state::StructInfo& info = *stage.setup()->world->event;
    Json::Array events;
    present::EventNotice notice;
    while (stage.next_event(notice))
        events.emplace_back(
            Json::Object{{"status", Json(status_names[static_cast<std::size_t>(notice.status)])},
                         {"number", Json(notice.number)},
                         {"tick", Json(notice.tick)},
                         {"event", state::struct_to_json(info, notice.event.data())}});
    return events;
}

std::optional<EntityRef> find_nearest(const match::Setup& setup, const std::byte* block, math::Vec2 point,
                                      double reach) {
    std::optional<EntityRef> nearest;
    double least = reach * reach;
    for (std::size_t i = 0; i < setup.layout.pools.size(); ++i) {
        const RawPool pool = RawPool::looking_at(setup.layout, i, block);
        const present::PositionFields position(pool.layout());
        for (std::uint32_t at = 0; at < pool.size(); ++at) {
            const auto center = position.of(pool.element(at));
            if (!center) break;  // no element of this pool has a position
            const double squared = math::distance_squared(*center, point);
            if (squared > least) continue;
            least = squared;
            nearest = {i, pool.handle_at(at)};
        }
    }
    return nearest;
}

Json describe_entity(const match::Setup& setup, const std::byte* block, const EntityRef& entity) {
    if (entity.pool >= setup.layout.pools.size()) return {};
    const RawPool pool = RawPool::looking_at(setup.layout, entity.pool, block);
    const std::byte* found = pool.find(entity.handle);
    if (!found) return {};
    return Json::Object{{"pool", Json(pool.layout().name)},
                        {"number", Json(entity.pool)},
                        {"id", Json(entity.handle.id)},
                        {"generation", Json(entity.handle.generation)},
                        {"fields", state::struct_to_json(pool.element_info(), found)}};
}

}  // namespace instep::browser
