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

Result<void> refuse_unknown_keys(const Json& level, const std::string& where,
                                 std::span<const std::string_view> known) {
    if (!level.object()) return refuse(where, "expected an object, got " + std::string(level.kind_name()));
    for (const auto& [key, value] : *level.object())
        if (std::find(known.begin(), known.end(), key) == known.end())
            return state::refuse_key(where, key, known);
    return {};
}

}  // namespace instep::contract
