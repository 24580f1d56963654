// SPDX-License-Identifier: MIT
#include <instep/cli/state_text.h>

#include <algorithm>
#include <cstring>

#include <instep/cli/numbers.h>
#include <instep/state/hash.h>
#include <instep/state/raw_pool.h>

namespace instep::cli {
namespace {

using state::Field;
using state::FieldKind;
using state::Json;
using state::RawPool;

template <class T>
T read(const Field& field, const std::byte* bytes) {
    T value;
    std::memcpy(&value, bytes + field.offset, sizeof value);
    return value;
}

Json struct_with_id(std::uint32_t id, const state::StructInfo& info, const std::byte* bytes) {
    Json::Object object{{"id", Json(std::int64_t{id})}};
    const Json fields = state::struct_to_json(info, bytes);
    for (const auto& [key, value] : *fields.object()) object.emplace_back(key, value);
    return object;
}

std::string quoted_if_needed(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + "\"";
}

}  // namespace

std::string field_text(const Field& field, const std::byte* bytes) {
    const double number = state::number_at(field, bytes);
    const auto& labels = field.rules.labels;
    if (!labels.empty() && number >= 0 && number < static_cast<double>(labels.size()))
        return std::string(labels[static_cast<std::size_t>(number)]);
    switch (field.kind) {
        case FieldKind::boolean: return number != 0 ? "true" : "false";
        case FieldKind::u64: return std::to_string(read<std::uint64_t>(field, bytes));
        case FieldKind::i64: return std::to_string(read<std::int64_t>(field, bytes));
        case FieldKind::f32: return shortest(read<float>(field, bytes));
        case FieldKind::text: {
            const char* text = reinterpret_cast<const char*>(bytes + field.offset);
            return {text, std::find(text, text + field.size, '\0')};
        }
        case FieldKind::reserved: return "";
        default: return shortest(number);
    }
}

std::string json_line(const match::Match& match, bool with_events) {
    Json::Object line{{"tick", Json(static_cast<std::int64_t>(match.tick()))},
                      {"hash", Json(hash_text(match.hash()))},
                      {"head", state::struct_to_json(*match.layout().head, match.state())}};
    for (std::size_t i = 0; i < match.layout().pools.size(); ++i) {
        const RawPool pool = RawPool::looking_at(match.layout(), i, match.state());
        Json::Array elements;
        for (std::uint32_t index = 0; index < pool.size(); ++index)
            elements.push_back(
                struct_with_id(pool.handle_at(index).id, pool.element_info(), pool.element(index)));
        line.emplace_back(pool.layout().name, std::move(elements));
    }
    if (with_events) {
        const state::StructInfo& info = *match.world().event;
        Json::Array events;
        for (auto bytes = match.events(); !bytes.empty(); bytes = bytes.subspan(info.size))
            events.push_back(state::struct_to_json(info, bytes.data()));
        line.emplace_back("events", std::move(events));
        if (match.events_lost() > 0)
            line.emplace_back("events_lost", Json(std::int64_t{match.events_lost()}));
    }
    return state::write_json(line) + "\n";
}

std::string score_line(const match::Match& match) {
    std::string line;
    for (const Score& score : score_board(match))
        line += (line.empty() ? "" : ", ") + score.name + " " + std::to_string(score.score);
    return line;
}

std::optional<std::size_t> find_pool(const state::Layout& layout, std::string_view name) {
    for (std::size_t i = 0; i < layout.pools.size(); ++i)
        if (name.empty() ? !layout.pools[i].kind.position.empty() : layout.pools[i].name == name) return i;
    if (name.empty() && !layout.pools.empty()) return 0;
    return {};
}

std::string csv_header(const state::PoolLayout& pool) {
    std::string line = "tick,id";
    for (const Field& field : pool.element->fields)
        if (field.kind != FieldKind::reserved) line += "," + quoted_if_needed(field.path);
    return line + "\n";
}

std::string csv_rows(const match::Match& match, std::size_t pool) {
    const RawPool view = RawPool::looking_at(match.layout(), pool, match.state());
    const std::string tick = std::to_string(match.tick());
    std::string text;
    for (std::uint32_t index = 0; index < view.size(); ++index) {
        text += tick + "," + std::to_string(view.handle_at(index).id);
        for (const Field& field : view.element_info().fields)
            if (field.kind != FieldKind::reserved)
                text += "," + quoted_if_needed(field_text(field, view.element(index)));
        text += "\n";
    }
    return text;
}

}  // namespace instep::cli
