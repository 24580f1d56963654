// SPDX-License-Identifier: MIT
#include <instep/state/field.h>

#include <algorithm>
#include <cstdlib>

namespace instep::state {
namespace {

bool is_default(const Rules& rules) {
    const Rules none;
    return rules.low == none.low && rules.high == none.high && rules.precision == 0 &&
           rules.blend == Blend::newest && rules.control == Control::none && rules.labels.empty() &&
           rules.pool.empty();
}

void append_leaves(const StructInfo& info, const std::string& prefix, std::uint32_t base,
                   const Rules& inherited, std::vector<Field>& out) {
    for (const Member& member : info.members) {
        const Rules rules = detail::rules_within(inherited, member.rules);
        for (std::uint32_t i = 0; i < member.count; ++i) {
            std::string path = prefix + std::string(member.name);
            if (member.is_array) path += "[" + std::to_string(i) + "]";
            const std::uint32_t offset = base + member.offset + i * member.stride;
            if (member.structure)
                append_leaves(*member.structure, path + ".", offset, rules, out);
            else
                out.push_back({std::move(path), member.kind, offset, member.stride, rules});
        }
    }
}

template <class T>
T read(const std::byte* at) {
    T value;
    std::memcpy(&value, at, sizeof value);
    return value;
}

bool text_is_legal(const char* text, std::size_t size) {
    const char* end = std::find(text, text + size, '\0');
    return std::all_of(end, text + size, [](char c) { return c == 0; }) && is_plain_text({text, end});
}

std::vector<HashRun> hash_runs_of(const StructInfo& info) {
    std::vector<HashRun> words(info.size / 8);
    for (const Field& field : info.fields) {
        if (field.kind == FieldKind::reserved) continue;
        for (std::uint32_t byte = field.offset; byte < field.offset + field.size; ++byte)
            words[byte / 8].mask |= std::uint64_t{0xFF} << (byte % 8 * 8);
        HashRun& word = words[field.offset / 8];
        if (field.kind == FieldKind::f64) word.f64 = true;
        if (field.kind == FieldKind::f32) (field.offset % 8 == 0 ? word.low_f32 : word.high_f32) = true;
    }
    std::vector<HashRun> runs;
    for (const HashRun& word : words) {
        const bool joins = !runs.empty() && runs.back().f64 == word.f64 && runs.back().mask == word.mask &&
                           runs.back().low_f32 == word.low_f32 && runs.back().high_f32 == word.high_f32;
        if (!joins) runs.push_back(word);
        ++runs.back().words;
    }
    return runs;
}

}  // namespace

Rules detail::rules_within(const Rules& outer, const Rules& own) {
    if (!is_default(own)) return own;
    Rules rules = outer;
    if (!own.unit.empty()) rules.unit = own.unit;
    if (!own.note.empty()) rules.note = own.note;
    return rules;
}

void detail::add_member(StructInfo& info, std::string_view name, std::uint32_t offset, const Shape& shape,
                        const Rules& rules) {
    info.members.push_back({.name = name,
                            .offset = offset,
                            .count = shape.count,
                            .stride = shape.stride,
                            .is_array = shape.is_array,
                            .structure = shape.structure ? &shape.structure() : nullptr,
                            .kind = shape.kind,
                            .rules = rules});
}

void detail::flatten(StructInfo& info) {
    append_leaves(info, "", 0, {}, info.fields);
    // total order: no two leaves share an offset
    std::sort(info.fields.begin(), info.fields.end(),
              [](const Field& a, const Field& b) { return a.offset < b.offset; });
    std::uint32_t covered = 0;
    for (const Field& field : info.fields) {
        if (field.offset != covered) std::abort();  // a member is listed twice and another is missing
        covered += field.size;
    }
    if (info.size % 8 == 0) info.hash_runs = hash_runs_of(info);
}

bool fields_are_legal(const StructInfo& info, const std::byte* bytes) {
    for (const Field& field : info.fields) {
        const std::byte* at = bytes + field.offset;
        if (field.kind == FieldKind::boolean && read<std::uint8_t>(at) > 1) return false;
        if (field.kind == FieldKind::text && !text_is_legal(reinterpret_cast<const char*>(at), field.size))
            return false;
        if (!field.rules.labels.empty()) {
            const double value = number_at(field, bytes);
            if (value < 0 || value >= static_cast<double>(field.rules.labels.size())) return false;
        }
    }
    return true;
}

double number_at(const Field& field, const std::byte* bytes) {
    const std::byte* at = bytes + field.offset;
    switch (field.kind) {
        case FieldKind::boolean:
        case FieldKind::u8: return read<std::uint8_t>(at);
        case FieldKind::u16: return read<std::uint16_t>(at);
        case FieldKind::u32: return read<std::uint32_t>(at);
        case FieldKind::u64: return static_cast<double>(read<std::uint64_t>(at));
        case FieldKind::i8: return read<std::int8_t>(at);
        case FieldKind::i16: return read<std::int16_t>(at);
        case FieldKind::i32: return read<std::int32_t>(at);
        case FieldKind::i64: return static_cast<double>(read<std::int64_t>(at));
        case FieldKind::f32: return static_cast<double>(read<float>(at));
        case FieldKind::f64: return read<double>(at);
        case FieldKind::text:
        case FieldKind::reserved: break;
    }
    return 0;
}

}  // namespace instep::state
