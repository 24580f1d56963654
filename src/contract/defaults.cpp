// SPDX-License-Identifier: MIT
#include <instep/contract/defaults.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

#include <instep/state/raw_pool.h>

namespace instep::contract {

using state::Field;
using state::FieldKind;
using state::Json;
using state::refuse;
using state::Result;
using state::StructInfo;

Json detail::geometry_of(const Json& level) {
    Json::Object rest;
    for (const auto& [key, value] : *level.object())
        if (key != "world" && key != "name" && key != "rules") rest.emplace_back(key, value);
    return rest;
}

Json detail::with_base(const Json& level, std::string_view first_set) {
    Json::Object whole = *level.object();
    const auto given =
        std::find_if(whole.begin(), whole.end(), [](const auto& member) { return member.first == "rules"; });
    if (given == whole.end()) {
        whole.emplace_back("rules", Json(std::string(first_set)));
    } else if (given->second.object() && !given->second.find("base")) {
        Json::Object rules = *given->second.object();
        rules.emplace_back("base", Json(std::string(first_set)));
        given->second = std::move(rules);
    }
    return whole;
}

namespace {

constexpr double most_finite = 1e100;

// False for NaN as well.
bool is_finite(double value) { return std::abs(value) < most_finite; }

double bounded(double value, double low, double high) {
    return value < low ? low : value > high ? high : value;
}

void set_number(const Field& field, double value, std::byte* bytes) {
    if (state::is_real(field.kind)) return state::set_real(field, value, bytes);
    const auto whole = static_cast<std::int64_t>(value);
    std::memcpy(bytes + field.offset, &whole, field.size);  // little-endian: the low bytes
}

bool is_number(const Field& field) {
    return field.kind != FieldKind::text && field.kind != FieldKind::reserved &&
           field.kind != FieldKind::boolean && field.rules.labels.empty();
}

// A state from the wire may be off by one and a half steps of its precision, so a stick may be a little
// longer than 1.
constexpr double longest_stick_squared = 1.01;

bool is_stick_pair(const Field& x, const Field& y) {
    return x.rules.control == state::Control::stick && y.rules.control == state::Control::stick &&
           x.path.ends_with(".x") && y.path.ends_with(".y") && state::is_real(x.kind);
}

const Field* part_of(const StructInfo& info, std::string_view path, std::string_view part) {
    return path.empty() ? nullptr : info.find(std::string(path) + std::string(part));
}

}  // namespace

Facts default_facts(const state::Layout& layout, const StructInfo& rules, const std::byte* rule_bytes,
                    const motion::Box* bounds) {
    Facts facts;
    if (const Field* rate = rules.find("tick_rate"))
        facts.tick_rate = static_cast<std::uint32_t>(bounded(number_at(*rate, rule_bytes), 1, 1000));
    constexpr std::uint32_t snapshot_rate = 20;  // Hz
    facts.snapshot_every = std::max(facts.tick_rate / snapshot_rate, 1u);
    facts.most_players = std::min(layout.pools[0].capacity, most_slots);
    facts.view_high = {100, 100};
    if (bounds) {
        facts.view_low = bounds->low;
        facts.view_high = bounds->high;
    }
    for (const state::PoolLayout& pool : layout.pools) {
        if (bounds) break;
        const Field* x = part_of(*pool.element, pool.kind.position, ".x");
        const Field* y = part_of(*pool.element, pool.kind.position, ".y");
        if (!x || !y || !is_finite(x->rules.low) || !is_finite(x->rules.high)) continue;
        facts.view_low = {x->rules.low, y->rules.low};
        facts.view_high = {x->rules.high, y->rules.high};
        break;
    }
    facts.teleport_distance = (facts.view_high.x - facts.view_low.x) / 8;
    return facts;
}

bool default_sanitize(const StructInfo& input, std::byte* bytes) {
    const std::vector<Field>& fields = input.fields;
    for (std::size_t i = 0; i < fields.size(); ++i) {
        const Field& field = fields[i];
        if (!is_number(field)) continue;
        const double value = number_at(field, bytes);
        if (!is_finite(value)) return false;
        if (i + 1 < fields.size() && is_stick_pair(field, fields[i + 1])) {
            const math::Vec2 stick{value, number_at(fields[i + 1], bytes)};
            if (!is_finite(stick.y)) return false;
            if (length_squared(stick) > longest_stick_squared) {
                const math::Vec2 held = normalized_or_zero(stick);
                set_number(field, held.x, bytes);
                set_number(fields[i + 1], held.y, bytes);
            }
            ++i;
            continue;
        }
        const double held = bounded(value, field.rules.low, field.rules.high);
        if (held != value) set_number(field, held, bytes);
    }
    return true;
}

namespace {

// Refuses the first value of a struct that no legal state has. `of` says whose values they are.
Result<void> check_values(const state::Layout& layout, const std::byte* block, const StructInfo& info,
                          const std::byte* bytes, std::string_view where, std::string_view of) {
    const auto refuse_value = [&](std::string_view path, const std::string& what) {
        return refuse(std::string(where), "\"" + std::string(path) + "\"" + std::string(of) + what);
    };
    for (const Field& field : info.fields) {
        if (state::is_real(field.kind) && !is_finite(number_at(field, bytes)))
            return refuse_value(field.path, " is not finite");
        if (field.rules.pool.empty() || !field.path.ends_with(".id")) continue;
        state::Handle handle;
        std::memcpy(&handle, bytes + field.offset, sizeof handle);
        const std::optional<std::size_t> pool = layout.find_pool(field.rules.pool);
        if (handle && !(pool && state::RawPool::looking_at(layout, *pool, block).find(handle)))
            return refuse_value(std::string_view(field.path).substr(0, field.path.size() - 3),
                                " refers to no element of \"" + std::string(field.rules.pool) + "\"");
    }
    return {};
}

}  // namespace

Result<void> default_validate(const state::Layout& layout, const std::byte* block, SlotSet live) {
    if (auto legal = check_values(layout, block, *layout.head, block, "head", ""); !legal) return legal;
    for (std::size_t i = 0; i < layout.pools.size(); ++i) {
        const state::PoolLayout& pool = layout.pools[i];
        const Field* owner = pool.kind.owner.empty() ? nullptr : pool.element->find(pool.kind.owner);
        for (std::uint32_t k = 0; k < layout.header(i, block).count; ++k) {
            const std::byte* element = block + pool.elements_offset + std::size_t{k} * pool.element_size;
            auto legal = check_values(layout, block, *pool.element, element, pool.name, " of one");
            if (!legal) return legal;
            const Slot slot = owner ? static_cast<Slot>(number_at(*owner, element)) : no_player;
            if (slot != no_player && (slot >= most_slots || !contains(live, slot)))
                return refuse(std::string(pool.name), "one belongs to a player who is not there");
        }
    }
    return {};
}

std::vector<std::string> default_bodies(const StructInfo& setup) {
    std::vector<std::string> names;
    for (const Field& field : setup.fields)
        if (!field.rules.body.empty()) names.emplace_back(field.rules.body);
    return names;
}

Result<Json> default_with_body(const Json& level, std::string_view body, const StructInfo& setup,
                               const std::byte* bytes, std::string_view prefix) {
    std::vector<std::string_view> names;
    for (const Field& field : setup.fields) {
        if (field.rules.body.empty()) continue;
        if (field.rules.body == body)
            return with_number(level, std::string(prefix) + field.path,
                               static_cast<std::uint32_t>(number_at(field, bytes)) + 1);
        names.push_back(field.rules.body);
    }
    return refuse(std::string(body), "expected " + state::one_of(names));
}

void default_view(const state::Layout& layout, const std::byte* block, const Facts& facts,
                  const StructInfo& rules, const std::byte* rule_bytes, DrawList& list) {
    const math::Vec2 low = facts.view_low;
    const math::Vec2 high = facts.view_high;
    const double tall = high.y - low.y;
    const math::Vec2 frame[] = {low, {high.x, low.y}, high, {low.x, high.y}, low};
    list.polyline(frame, tall / 180, palette::faint);

    const state::PoolLayout& players = layout.pools[0];
    const Field* player_slot = players.element->find("slot");
    const Field* player_name = players.element->find("name");
    const auto name_of = [&](Slot slot) -> std::string_view {
        for (std::uint32_t k = 0; k < layout.header(0, block).count; ++k) {
            const std::byte* player = block + players.elements_offset + std::size_t{k} * players.element_size;
            if (static_cast<Slot>(number_at(*player_slot, player)) != slot) continue;
            const auto* letters = reinterpret_cast<const char*>(player + player_name->offset);
            return {letters, ::strnlen(letters, player_name->size)};
        }
        return {};
    };

    const Field* shared_radius = rules.find("radius");
    const double usual_radius = shared_radius ? number_at(*shared_radius, rule_bytes) : tall / 40;
    for (std::size_t i = 0; i < layout.pools.size(); ++i) {
        const state::PoolLayout& pool = layout.pools[i];
        const Field* x = part_of(*pool.element, pool.kind.position, ".x");
        const Field* y = part_of(*pool.element, pool.kind.position, ".y");
        if (!x || !y) continue;
        const Field* owner = pool.kind.owner.empty() ? nullptr : pool.element->find(pool.kind.owner);
        const Field* own_radius = pool.element->find("radius");
        for (std::uint32_t k = 0; k < layout.header(i, block).count; ++k) {
            const std::byte* element = block + pool.elements_offset + std::size_t{k} * pool.element_size;
            const math::Vec2 position{number_at(*x, element), number_at(*y, element)};
            const double radius = own_radius ? number_at(*own_radius, element) : usual_radius;
            const Slot slot = owner ? static_cast<Slot>(number_at(*owner, element)) : no_player;
            list.belongs_to(element);
            list.disc(position, radius, slot == no_player ? palette::ink : palette::player(slot));
            if (slot == no_player) continue;
            const double up = facts.y_up ? 1 : -1;
            list.label(position + math::Vec2{0, up * (radius + tall / 90)}, tall / 30, name_of(slot),
                       palette::ink);
        }
    }
}

}  // namespace instep::contract
