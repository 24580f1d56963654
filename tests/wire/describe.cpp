// SPDX-License-Identifier: MIT
#include <tests/wire/describe.h>

#include <cstring>

#include <instep/codec/grid.h>
#include <instep/codec/state_codec.h>
#include <instep/state/raw_pool.h>

namespace instep::wire {
namespace {

using codec::ByteView;
using state::Json;
using state::RawPool;

constexpr std::string_view kind_names[] = {"boolean", "u8",  "u16", "u32", "u64",  "i8",      "i16",
                                           "i32",     "i64", "f32", "f64", "text", "reserved"};

Json describe(const state::StructInfo& info) {
    Json::Array fields;
    for (const state::Field& field : info.fields) {
        Json::Object entry{{"path", field.path},
                           {"kind", kind_names[static_cast<std::size_t>(field.kind)]},
                           {"offset", field.offset},
                           {"size", field.size}};
        if (codec::is_quantised(field)) {
            entry.emplace_back("low", field.rules.low);
            entry.emplace_back("high", field.rules.high);
            entry.emplace_back("precision", field.rules.precision);
        }
        if (!field.rules.labels.empty()) entry.emplace_back("labels", field.rules.labels.size());
        fields.emplace_back(std::move(entry));
    }
    return Json::Object{{"name", info.name}, {"size", info.size}, {"fields", std::move(fields)}};
}

template <class Integer>
Json whole_number(const std::byte* at) {
    Integer value;
    std::memcpy(&value, at, sizeof value);
    return value;
}

Json value_of(const state::Field& field, const std::byte* bytes) {
    const std::byte* at = bytes + field.offset;
    if (field.kind == state::FieldKind::u64) return whole_number<std::uint64_t>(at);
    if (field.kind == state::FieldKind::i64) return whole_number<std::int64_t>(at);
    if (field.kind != state::FieldKind::text) return state::number_at(field, bytes);
    const std::string_view all(reinterpret_cast<const char*>(at), field.size);
    return all.substr(0, all.find('\0'));
}

Json values_of(const state::StructInfo& info, const std::byte* bytes) {
    Json::Object values;
    for (const state::Field& field : info.fields)
        if (field.kind != state::FieldKind::reserved) values.emplace_back(field.path, value_of(field, bytes));
    return values;
}

template <class Value>
Json optional_number(const std::optional<Value>& value) {
    return value ? Json(*value) : Json();
}

Json reported_state_of(const net::ReportedState& state) {
    Json::Array hashes;
    for (const std::uint16_t hash : state.fields) hashes.emplace_back(hash);
    return Json::Object{{"number", state.number}, {"fields", std::move(hashes)}};
}

}  // namespace

std::string hex(ByteView bytes) {
    std::string text;
    for (const std::byte byte : bytes) {
        text += "0123456789abcdef"[static_cast<unsigned>(byte) >> 4];
        text += "0123456789abcdef"[static_cast<unsigned>(byte) & 15];
    }
    return text;
}

std::string image_of(const state::Layout& layout, const std::byte* block) {
    codec::Bytes image(state::image_size(layout, block));
    state::save(layout, block, image);
    return hex(image);
}

Json state_of(const state::Layout& layout, const std::byte* block) {
    Json::Array pools;
    for (std::size_t i = 0; i < layout.pools.size(); ++i) {
        const RawPool pool = RawPool::looking_at(layout, i, block);
        Json::Array elements;
        for (std::uint32_t index = 0; index < pool.size(); ++index)
            elements.emplace_back(
                Json::Object{{"id", pool.handle_at(index).id},
                             {"generation", pool.handle_at(index).generation},
                             {"values", values_of(pool.element_info(), pool.element(index))}});
        pools.emplace_back(
            Json::Object{{"next_generation", pool.next_generation()}, {"elements", std::move(elements)}});
    }
    return Json::Object{{"head", values_of(*layout.head, block)}, {"pools", std::move(pools)}};
}

Json level_of(const match::Setup& setup, net::ReplicationMode mode) {
    Json::Array pools;
    for (const state::PoolLayout& pool : setup.layout.pools)
        pools.emplace_back(Json::Object{{"name", pool.name},
                                        {"capacity", pool.capacity},
                                        {"owner", pool.kind.owner},
                                        {"events", pool.kind.replication == state::Replication::events},
                                        {"element", describe(*pool.element)}});
    state::Block initial(setup.layout);
    setup.world->start(setup.value.get(), setup.layout, initial.data(), 0);
    codec::quantise(setup.layout, initial.data());
    Json::Array field_paths;
    for (const state::FieldHash& field : state::hash_fields(setup.layout, initial.data()))
        field_paths.emplace_back(field.path);
    return Json::Object{{"world", setup.world->name},
                        {"level", setup.level},
                        {"mode", name_of(mode)},
                        {"fingerprint", setup.fingerprint},
                        {"snapshot_every", setup.facts.snapshot_every},
                        {"most_players", setup.facts.most_players},
                        {"most_events", setup.facts.most_events},
                        {"input", describe(*setup.world->input)},
                        {"event", describe(*setup.world->event)},
                        {"head", describe(*setup.layout.head)},
                        {"pools", std::move(pools)},
                        {"field_hashes", std::move(field_paths)},
                        {"initial", image_of(setup.layout, initial.data())}};
}

Json inputs_of(const match::Setup& setup, ByteView message) {
    const state::StructInfo& info = *setup.world->input;
    const auto inputs = net::read_inputs(message, info);
    if (!inputs) return {};
    Json::Array rows;
    for (std::uint32_t i = 0; i < inputs->count; ++i)
        rows.emplace_back(values_of(info, inputs->inputs.data() + std::size_t{i} * info.size));
    Json::Object result{{"acknowledged", inputs->acknowledged},
                        {"decode_failed", inputs->decode_failed},
                        {"predicted_hash", optional_number(inputs->predicted_hash)},
                        {"probe", optional_number(inputs->probe)}};
    if (inputs->count > 0) {
        result.emplace_back("first_tick", inputs->first_tick);
        result.emplace_back("first_sequence", inputs->first_sequence);
    }
    result.emplace_back("inputs", std::move(rows));
    return result;
}

Json own_player_part_of(const net::OwnPlayerPart& part) {
    Json::Object result{{"acknowledged", part.acknowledged},
                        {"own", static_cast<unsigned>(part.own)},
                        {"hash", optional_number(part.hash)}};
    result.emplace_back("input_margin",
                        part.margin ? Json(Json::Array{part.margin->tick, part.margin->margin}) : Json());
    result.emplace_back(
        "pong",
        part.pong ? Json(Json::Array{part.pong->probe, part.pong->microseconds, part.pong->held}) : Json());
    return result;
}

Json tick_of(const match::Setup& setup, const codec::TickRecord& record) {
    Json::Array leaves;
    for (const contract::Slot slot : record.leaves) leaves.emplace_back(slot);
    Json::Array joins;
    for (const contract::Join& join : record.joins)
        joins.emplace_back(Json::Object{
            {"slot", join.slot}, {"seed", join.seed}, {"player", join.player}, {"name", join.name.view()}});
    Json::Array inputs;
    for (std::uint32_t i = 0; i < setup.facts.most_players; ++i) {
        const auto slot = static_cast<contract::Slot>(i);
        if (contract::contains(record.live, slot))
            inputs.emplace_back(Json::Array{
                slot, values_of(*setup.world->input, record.row(slot, setup.world->input->size).data())});
    }
    return Json::Object{{"tick", record.tick},
                        {"leaves", std::move(leaves)},
                        {"joins", std::move(joins)},
                        {"inputs", std::move(inputs)}};
}

Json report_of(const net::Report& report) {
    Json::Array states;
    for (const net::ReportedState& state : report.states) states.emplace_back(reported_state_of(state));
    return Json::Object{{"serial", report.serial},
                        {"states", std::move(states)},
                        {"exact", report.exact ? reported_state_of(*report.exact) : Json()}};
}

Json verdict_of(const net::Verdict& verdict) {
    return Json::Object{{"serial", verdict.serial},
                        {"found", verdict.found},
                        {"is_own", verdict.is_own},
                        {"number", verdict.number},
                        {"field", verdict.field}};
}

}  // namespace instep::wire
