// SPDX-License-Identifier: MIT
#include <instep/match/script.h>

#include <algorithm>
#include <cstring>

#include <instep/contract/level.h>
#include <instep/match/registry.h>

namespace instep::match {
namespace {

using contract::Slot;
using contract::SlotSet;
using state::Json;
using state::refuse;
using state::Result;
using Kind = ScriptEntry::Kind;

std::string found(const Json* value) { return value ? std::string(value->kind_name()) : "none"; }

// An integer from low to high at `key`.
Result<std::uint64_t> whole_at(const Json& object, std::string_view key, const std::string& where,
                               std::uint64_t low, std::uint64_t high) {
    const Json* value = object.find(key);
    std::uint64_t number = 0;
    if (value && value->to_integer(number) && number >= low && number <= high) return number;
    return refuse(where, "expected \"" + std::string(key) + "\" to be a whole number from " +
                             std::to_string(low) + " to " + std::to_string(high) + ", got " +
                             (value && value->is_number() ? state::write_json(*value) : found(value)));
}

Result<std::string> text_at(const Json& object, std::string_view key, const std::string& where) {
    const Json* value = object.find(key);
    if (value && value->string()) return *value->string();
    return refuse(where, "expected \"" + std::string(key) + "\" to be a string, got " + found(value));
}

Result<void> read_join(const Json& json, const std::string& where, ScriptEntry& entry) {
    if (auto read = state::read_struct(json, entry.join, where); !read) return read;
    const auto slot = whole_at(json, "slot", where, 0, contract::most_slots - 1);
    if (!slot) return std::unexpected(slot.error());
    entry.slot = static_cast<Slot>(*slot);
    if (!json.find("name"))
        entry.join.name = contract::PlayerName::of("player " + std::to_string(entry.slot));
    return {};
}

Result<void> read_input(const Json& json, const WorldTable& world, const std::string& where,
                        ScriptEntry& entry) {
    const auto slot = whole_at(json, "slot", where, 0, contract::most_slots - 1);
    if (!slot) return std::unexpected(slot.error());
    entry.slot = static_cast<Slot>(*slot);
    entry.input.resize(world.input->size);
    return state::read_struct(*json.find("input"), *world.input, entry.input.data(), where + ".input");
}

Result<ScriptEntry> read_entry(const Json& json, const WorldTable& world, const std::string& where) {
    static constexpr std::string_view known[] = {"tick", "join", "leave", "slot", "input"};
    if (auto checked = contract::refuse_unknown_keys(json, where, known); !checked)
        return std::unexpected(checked.error());
    const auto tick = whole_at(json, "tick", where, 1, most_script_ticks);
    if (!tick) return std::unexpected(tick.error());

    const Json* join = json.find("join");
    const Json* leave = json.find("leave");
    const Json* input = json.find("input");
    if ((join != nullptr) + (leave != nullptr) + (input != nullptr) != 1)
        return refuse(where, R"(expected one of "join", "leave" and "input" beside its "tick")");
    if (!input && json.find("slot"))
        return refuse(where, R"("slot" goes with "input"; a join has its slot inside, a leave is its slot)");

    ScriptEntry entry;
    entry.tick = *tick;
    Result<void> read;
    if (join) {
        entry.kind = Kind::join;
        read = read_join(*join, where + ".join", entry);
    } else if (leave) {
        entry.kind = Kind::leave;
        const auto slot = whole_at(json, "leave", where, 0, contract::most_slots - 1);
        if (!slot) return std::unexpected(slot.error());
        entry.slot = static_cast<Slot>(*slot);
    } else {
        entry.kind = Kind::input;
        read = read_input(json, world, where, entry);
    }
    if (!read) return std::unexpected(read.error());
    return entry;
}

Result<void> read_entries(const Json& json, Script& script) {
    const Json* inputs = json.find("inputs");
    if (!inputs || !inputs->array())
        return refuse(script.name, "expected \"inputs\" to be an array, got " + found(inputs));
    for (std::size_t i = 0; i < inputs->array()->size(); ++i) {
        const std::string where = script.name + ": inputs[" + std::to_string(i) + "]";
        auto entry = read_entry((*inputs->array())[i], *script.world, where);
        if (!entry) return std::unexpected(entry.error());
        if (script.ticks && entry->tick > *script.ticks)
            return refuse(where, "is at tick " + std::to_string(entry->tick) +
                                     ", after the end of the script at tick " +
                                     std::to_string(*script.ticks));
        entry->index = i;
        script.entries.push_back(std::move(*entry));
    }
    std::stable_sort(script.entries.begin(), script.entries.end(),
                     [](const ScriptEntry& a, const ScriptEntry& b) { return a.tick < b.tick; });
    return {};
}

// The first field in which two inputs differ, or null. Zero and minus zero are the same wish.
const state::Field* first_difference(const state::StructInfo& info, const std::byte* a, const std::byte* b) {
    for (const state::Field& field : info.fields) {
        if (field.kind == state::FieldKind::reserved) continue;
        if (std::memcmp(a + field.offset, b + field.offset, field.size) == 0) continue;
        if (field.kind == state::FieldKind::text || state::number_at(field, a) != state::number_at(field, b))
            return &field;
    }
    return nullptr;
}

}  // namespace

Result<Script> parse_script(std::string_view text, const std::string& name) {
    const auto json = state::parse_json(text, name);
    if (!json) return std::unexpected(json.error());
    static constexpr std::string_view known[] = {"world", "level", "seed", "ticks", "inputs"};
    if (auto checked = contract::refuse_unknown_keys(*json, name, known); !checked)
        return std::unexpected(checked.error());

    Script script;
    script.name = name;
    const auto world_name = text_at(*json, "world", name);
    if (!world_name) return std::unexpected(world_name.error());
    const auto world = find_world(*world_name);
    if (!world) return state::within(name + ": world", world.error());
    script.world = *world;
    if (json->find("level")) {
        auto level = text_at(*json, "level", name);
        if (!level) return std::unexpected(level.error());
        script.level = std::move(*level);
    }
    if (json->find("seed")) {
        const auto seed = whole_at(*json, "seed", name, 0, ~std::uint64_t{0});
        if (!seed) return std::unexpected(seed.error());
        script.seed = *seed;
    }
    if (json->find("ticks")) {
        const auto ticks = whole_at(*json, "ticks", name, 1, most_script_ticks);
        if (!ticks) return std::unexpected(ticks.error());
        script.ticks = *ticks;
    }
    if (auto read = read_entries(*json, script); !read) return std::unexpected(read.error());
    return script;
}

Result<void> ScriptPlayer::come_and_go(const ScriptEntry* begin, const ScriptEntry* end) {
    const auto count = [&](Kind kind) {
        return static_cast<std::size_t>(
            std::count_if(begin, end, [kind](const ScriptEntry& entry) { return entry.kind == kind; }));
    };
    if (count(Kind::leave) > contract::most_slots || count(Kind::join) > contract::most_slots)
        return refuse("", "more than " + std::to_string(contract::most_slots) + " joins or leaves at once");
    for (const ScriptEntry* entry = begin; entry != end; ++entry)
        if (entry->kind == Kind::leave) tick_.leave(entry->slot);
    for (const ScriptEntry* entry = begin; entry != end; ++entry)
        if (entry->kind == Kind::join) tick_.join(entry->join);
    return match_.check(tick_.bytes());
}

Result<void> ScriptPlayer::take_input(const ScriptEntry& entry, SlotSet live) {
    const std::string where = script_.name + ": inputs[" + std::to_string(entry.index) + "]";
    if (!contract::contains(live, entry.slot))
        return refuse(where, "slot " + std::to_string(entry.slot) + " is empty at tick " +
                                 std::to_string(entry.tick) + "; a player must join it first");
    const state::StructInfo& info = *match_.world().input;
    std::byte* row = tick_.input(entry.slot);
    std::memcpy(row, entry.input.data(), info.size);
    if (!match_.sanitize(row)) return refuse(where + ".input", "is no legal input of this world");
    if (const state::Field* field = first_difference(info, entry.input.data(), row))
        return refuse(where + ".input." + field->path,
                      "is more than the rules allow: " +
                          state::write_json(Json(state::number_at(*field, entry.input.data()))) +
                          " would become " + state::write_json(Json(state::number_at(*field, row))));
    return {};
}

Result<TickBytes> ScriptPlayer::next() {
    const std::uint64_t tick = match_.tick() + 1;
    tick_.begin();
    const ScriptEntry* begin = script_.entries.data() + used_;
    const ScriptEntry* all_end = script_.entries.data() + script_.entries.size();
    const ScriptEntry* end =
        std::find_if(begin, all_end, [tick](const ScriptEntry& entry) { return entry.tick > tick; });
    used_ += static_cast<std::size_t>(end - begin);

    if (auto changed = come_and_go(begin, end); !changed)
        return state::within(script_.name + ": tick " + std::to_string(tick), changed.error());
    SlotSet live = match_.live_slots();
    for (const Slot slot : tick_.bytes().leaves) live &= ~contract::only(slot);
    for (const contract::Join& join : tick_.bytes().joins) live |= contract::only(join.slot);
    for (const ScriptEntry* entry = begin; entry != end; ++entry)
        if (entry->kind == Kind::input)
            if (auto taken = take_input(*entry, live); !taken) return std::unexpected(taken.error());
    return tick_.bytes();
}

}  // namespace instep::match
