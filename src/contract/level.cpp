// SPDX-License-Identifier: MIT
#include <instep/contract/level.h>

#include <algorithm>

namespace instep::contract {

using state::Json;
using state::refuse;
using state::Result;

Result<std::size_t> detail::find_rule_set(const Json& level, const std::string& where,
                                          std::span<const std::string_view> names, const Json** overrides) {
    const Json* rules = level.find("rules");
    if (!rules)
        return refuse(where, "has no \"rules\": expected " + state::one_of(names) +
                                 ", or an object with a \"base\" of that name");
    const Json* base = rules;
    if (rules->object()) {
        base = rules->find("base");
        if (!base) return refuse(where + ": rules", "has no \"base\": expected " + state::one_of(names));
        *overrides = rules;
    }
    const std::string* wanted = base->string();
    const auto found = wanted ? std::find(names.begin(), names.end(), *wanted) : names.end();
    if (found == names.end())
        return refuse(where + (base == rules ? ": rules" : ": rules.base"),
                      "expected " + state::one_of(names) + ", got " +
                          (wanted ? "\"" + *wanted + "\"" : std::string(base->kind_name())));
    return static_cast<std::size_t>(found - names.begin());
}

Json detail::without_base(const Json& overrides) {
    Json::Object rest;
    for (const auto& [key, value] : *overrides.object())
        if (key != "base") rest.emplace_back(key, value);
    return rest;
}

namespace {

Json with_value(const Json& object, std::string_view key, Json value) {
    Json::Object changed = object.object() ? *object.object() : Json::Object{};
    const auto found =
        std::find_if(changed.begin(), changed.end(), [&](const auto& member) { return member.first == key; });
    if (found != changed.end())
        found->second = std::move(value);
    else
        changed.emplace_back(key, std::move(value));
    return changed;
}

}  // namespace

Json with_entry(const Json& level, std::string_view list, Json entry) {
    const Json* given = level.find(list);
    Json::Array entries = given && given->array() ? *given->array() : Json::Array{};
    entries.push_back(std::move(entry));
    return with_value(level, list, std::move(entries));
}

Json with_number(const Json& level, std::string_view path, std::uint32_t value) {
    const std::size_t dot = path.find('.');
    const std::string_view key = path.substr(0, dot);
    if (dot == std::string_view::npos) return with_value(level, key, Json(value));
    const Json* given = level.find(key);
    Json inner = given ? *given : Json();
    if (const std::string* base = inner.string())  // the rules as the name of a set
        inner = Json::Object{{"base", Json(*base)}};
    return with_value(level, key, with_number(inner, path.substr(dot + 1), value));
}

Json position_to_json(math::Vec2 position) { return Json::Array{Json(position.x), Json(position.y)}; }

std::vector<std::string> names_in(const Json& level, std::string_view list) {
    std::vector<std::string> names;
    const Json* given = level.find(list);
    if (!given || !given->array()) return names;
    for (const Json& entry : *given->array())
        if (const Json* name = entry.find("name"); name && name->string()) names.push_back(*name->string());
    return names;
}

Result<void> refuse_unknown_keys(const Json& level, const std::string& where,
                                 std::span<const std::string_view> known) {
    if (!level.object()) return refuse(where, "expected an object, got " + std::string(level.kind_name()));
    for (const auto& [key, value] : *level.object())
        if (std::find(known.begin(), known.end(), key) == known.end())
            return state::refuse_key(where, key, known);
    return {};
}

}  // namespace instep::contract
