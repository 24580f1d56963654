// SPDX-License-Identifier: MIT
// Conversion of described structs from and to JSON, driven by their field lists.
#include <instep/state/decimal.h>
#include <instep/state/json.h>
#include <instep/state/utf8.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

namespace instep::state {
namespace {

// --- Messages ----------------------------------------------------------------------------------------------

// Inside read_struct, `where` is the path within the struct: "grips[1].at".
std::string member_path(const std::string& where, std::string_view name) {
    return std::string(where).append(where.empty() ? "" : ".").append(name);
}

// The path in a struct at `outer`, which is a file, a location in one ("box.json: rules") or empty.
std::string join_location(const std::string& outer, const std::string& path) {
    if (outer.empty() || path.empty()) return outer + path;
    if (outer.find(": ") == outer.npos) return outer + ": " + path;
    return outer + (path[0] == '[' ? "" : ".") + path;
}

std::unexpected<Error> mismatch(const std::string& where, const std::string& expected, const Json& got) {
    return refuse(where, "expected " + expected + ", got " + got.summary());
}

std::string range_in_words(const std::string& noun, double low, double high) {
    const bool has_low = std::isfinite(low);
    const bool has_high = std::isfinite(high);
    const auto text = [](double bound) { return write_json(bound); };
    if (has_low && has_high) return noun + " from " + text(low) + " to " + text(high);
    if (has_low) return noun + " of at least " + text(low);
    if (has_high) return noun + " of at most " + text(high);
    return noun;
}

// The Levenshtein distance: how many letters must be added, removed or changed.
std::size_t difference(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t changed = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({changed, row[j] + 1, diagonal + 1});
        }
    }
    return row[b.size()];
}

// The known name most similar to `name`, if it differs in at most a third of its letters.
std::optional<std::string_view> closest(std::string_view name, std::span<const std::string_view> known) {
    constexpr std::size_t longest_name = 64;
    std::optional<std::string_view> best;
    if (name.size() > longest_name) return best;
    std::size_t least = std::max<std::size_t>(name.size() / 3, 1) + 1;
    for (const std::string_view candidate : known) {
        const std::size_t letters = candidate.size() > longest_name ? least : difference(name, candidate);
        if (letters >= least) continue;
        least = letters;
        best = candidate;
    }
    return best;
}

std::string or_did_you_mean(std::string_view name, std::span<const std::string_view> known) {
    const auto meant = closest(name, known);
    return meant ? "; did you mean \"" + std::string(*meant) + "\"?" : "";
}

// --- Leaves ------------------------------------------------------------------------------------------------

template <class T>
void store(T value, std::byte* at) {
    std::memcpy(at, &value, sizeof value);
}

template <class T>
T fetch(const std::byte* at) {
    T value;
    std::memcpy(&value, at, sizeof value);
    return value;
}

template <class T>
Result<void> read_integer(const Json& json, const Rules& rules, std::byte* at, const std::string& where) {
    using Wide = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
    Wide low = std::numeric_limits<T>::min();
    Wide high = std::numeric_limits<T>::max();
    const auto is_of_type = [type_low = static_cast<double>(low), type_high = static_cast<double>(high)](
                                double bound) { return bound >= type_low && bound < type_high; };
    if (is_of_type(rules.low)) low = static_cast<Wide>(std::ceil(rules.low));
    if (is_of_type(rules.high)) high = static_cast<Wide>(std::floor(rules.high));
    Wide value = 0;
    if (!json.to_integer(value) || value < low || value > high)
        return mismatch(where, "a whole number from " + std::to_string(low) + " to " + std::to_string(high),
                        json);
    store(static_cast<T>(value), at);
    return {};
}

bool is_in_range(const Json& json, const Rules& rules) {
    return json.is_number() && json.number() >= rules.low && json.number() <= rules.high;
}

Result<void> read_f64(const Json& json, const Rules& rules, std::byte* at, const std::string& where) {
    if (!is_in_range(json, rules))
        return mismatch(where, range_in_words("a number", rules.low, rules.high), json);
    store(json.number(), at);
    return {};
}

Result<void> read_f32(const Json& json, const Rules& rules, std::byte* at, const std::string& where) {
    constexpr double largest_written =
        3.4028235e38;  // the shortest text of the largest float: slightly larger
    constexpr auto largest = static_cast<double>(std::numeric_limits<float>::max());
    if (!is_in_range(json, rules))
        return mismatch(where, range_in_words("a number", rules.low, rules.high), json);
    if (std::abs(json.number()) > largest_written)
        return mismatch(where, range_in_words("a number", -largest_written, largest_written), json);
    store(static_cast<float>(std::clamp(json.number(), -largest, largest)), at);
    return {};
}

// The double with the fewest digits that rounds to this float: 0.1, not 0.10000000149011612.
double as_written(float value) {
    if (!std::isfinite(value)) return static_cast<double>(value);
    std::string digits;
    append_decimal(digits, value);
    const double written = read_decimal(digits);
    const bool reads_back = std::abs(written) > static_cast<double>(std::numeric_limits<float>::max()) ||
                            static_cast<float>(written) == value;
    return reads_back ? written : static_cast<double>(value);
}

Result<void> read_text(const Json& json, std::uint32_t size, std::byte* at, const std::string& where) {
    const std::string expected = "a string of at most " + std::to_string(size) + " bytes";
    const std::string* text = json.string();
    if (!text) return mismatch(where, expected, json);
    if (text->size() > size)
        return refuse(
            where, "expected " + expected + ", got " + std::to_string(text->size()) + ": " + json.summary());
    if (!is_plain_text(*text)) return mismatch(where, "a string without control characters", json);
    std::memset(at, 0, size);
    std::memcpy(at, text->data(), text->size());
    return {};
}

Result<void> read_leaf(const Json& json, FieldKind kind, std::uint32_t size, const Rules& rules,
                       std::byte* at, const std::string& where) {
    switch (kind) {
        case FieldKind::boolean:
            if (!json.boolean()) return mismatch(where, "true or false", json);
            store(*json.boolean(), at);
            return {};
        case FieldKind::u8: return read_integer<std::uint8_t>(json, rules, at, where);
        case FieldKind::u16: return read_integer<std::uint16_t>(json, rules, at, where);
        case FieldKind::u32: return read_integer<std::uint32_t>(json, rules, at, where);
        case FieldKind::u64: return read_integer<std::uint64_t>(json, rules, at, where);
        case FieldKind::i8: return read_integer<std::int8_t>(json, rules, at, where);
        case FieldKind::i16: return read_integer<std::int16_t>(json, rules, at, where);
        case FieldKind::i32: return read_integer<std::int32_t>(json, rules, at, where);
        case FieldKind::i64: return read_integer<std::int64_t>(json, rules, at, where);
        case FieldKind::f32: return read_f32(json, rules, at, where);
        case FieldKind::f64: return read_f64(json, rules, at, where);
        case FieldKind::text: return read_text(json, size, at, where);
        case FieldKind::reserved: break;
    }
    return {};
}

Json leaf_to_json(FieldKind kind, std::uint32_t size, const std::byte* at) {
    switch (kind) {
        case FieldKind::boolean: return fetch<std::uint8_t>(at) != 0;
        case FieldKind::u8: return fetch<std::uint8_t>(at);
        case FieldKind::u16: return fetch<std::uint16_t>(at);
        case FieldKind::u32: return fetch<std::uint32_t>(at);
        case FieldKind::u64: return fetch<std::uint64_t>(at);
        case FieldKind::i8: return fetch<std::int8_t>(at);
        case FieldKind::i16: return fetch<std::int16_t>(at);
        case FieldKind::i32: return fetch<std::int32_t>(at);
        case FieldKind::i64: return fetch<std::int64_t>(at);
        case FieldKind::f32: return as_written(fetch<float>(at));
        case FieldKind::f64: return fetch<double>(at);
        case FieldKind::text: {
            const std::string_view text(reinterpret_cast<const char*>(at), size);
            return text.substr(0, text.find('\0'));
        }
        case FieldKind::reserved: break;
    }
    return {};
}

// An enum's value is the index of its label.
Result<void> read_label(const Json& json, FieldKind kind, std::uint32_t size, const Rules& rules,
                        std::byte* at, const std::string& where) {
    const std::string* text = json.string();
    const auto found = text ? std::find(rules.labels.begin(), rules.labels.end(), *text) : rules.labels.end();
    if (found == rules.labels.end())
        return refuse(where, "expected " + one_of(rules.labels) + ", got " + json.summary() +
                                 (text ? or_did_you_mean(*text, rules.labels) : ""));
    const auto index = found - rules.labels.begin();
    return read_leaf(kind == FieldKind::boolean ? Json(index != 0) : Json(index), kind, size, {}, at, where);
}

// The label, or the bare value if it has none.
Json label_to_json(FieldKind kind, std::uint32_t size, const Rules& rules, const std::byte* at) {
    const Json value = leaf_to_json(kind, size, at);
    std::uint64_t index = value.boolean() && *value.boolean() ? 1 : 0;
    if (!value.boolean() && !value.to_integer(index)) return value;
    return index < rules.labels.size() ? Json(rules.labels[static_cast<std::size_t>(index)]) : value;
}

// --- Trees -------------------------------------------------------------------------------------------------

class StructReader {
public:
    explicit StructReader(Missing missing) : missing_(missing) {}

    Result<void> read(const Json& json, const StructInfo& info, const Rules& rules, std::byte* into,
                      const std::string& where) const {
        if (&info == &describe<math::Vec2>() && json.array())
            return read_pair(json, info, rules, into, where);
        if (!json.object())
            return mismatch(
                where, &info == &describe<math::Vec2>() ? R"({"x": ..., "y": ...} or [x, y])" : "an object",
                json);
        if (auto known = refuse_unknown_keys(*json.object(), info, where); !known) return known;
        for (const Member& member : info.members) {
            if (member.kind == FieldKind::reserved && !member.structure) continue;
            const Json* found = json.find(member.name);
            if (!found && missing_ == Missing::keeps_its_value) continue;
            const std::string path = member_path(where, member.name);
            if (!found) return refuse(path, "is missing");
            if (auto done = read_member(*found, member, rules, into + member.offset, path); !done)
                return done;
        }
        return {};
    }

private:
    Result<void> read_pair(const Json& json, const StructInfo& info, const Rules& rules, std::byte* into,
                           const std::string& where) const {
        const Json::Array& pair = *json.array();
        if (pair.size() != info.members.size()) return mismatch(where, "[x, y], an array of 2", json);
        for (std::size_t i = 0; i < pair.size(); ++i) {
            const Member& member = info.members[i];
            const std::string path = where + "[" + std::to_string(i) + "]";
            if (auto done = read_member(pair[i], member, rules, into + member.offset, path); !done)
                return done;
        }
        return {};
    }

    Result<void> read_member(const Json& json, const Member& member, const Rules& outer, std::byte* at,
                             const std::string& where) const {
        const Rules rules = detail::rules_within(outer, member.rules);
        if (!member.is_array) return read_element(json, member, rules, at, where);
        if (!json.array() || json.array()->size() != member.count)
            return mismatch(where, "an array of " + std::to_string(member.count), json);
        for (std::uint32_t i = 0; i < member.count; ++i) {
            const std::string path = where + "[" + std::to_string(i) + "]";
            if (auto done = read_element((*json.array())[i], member, rules, at + i * member.stride, path);
                !done)
                return done;
        }
        return {};
    }

    Result<void> read_element(const Json& json, const Member& member, const Rules& rules, std::byte* at,
                              const std::string& where) const {
        if (member.structure) return read(json, *member.structure, rules, at, where);
        return (rules.labels.empty() ? read_leaf : read_label)(json, member.kind, member.stride, rules, at,
                                                               where);
    }

    static Result<void> refuse_unknown_keys(const Json::Object& object, const StructInfo& info,
                                            const std::string& where) {
        std::vector<std::string_view> known;
        for (const Member& member : info.members)
            if (member.structure || member.kind != FieldKind::reserved) known.push_back(member.name);
        for (const auto& [key, value] : object)
            if (std::find(known.begin(), known.end(), key) == known.end())
                return refuse_key(where, key, known);
        return {};
    }

    Missing missing_;
};

Json to_json(const StructInfo& info, const Rules& outer, const std::byte* bytes) {
    Json::Object object;
    for (const Member& member : info.members) {
        if (member.kind == FieldKind::reserved && !member.structure) continue;
        const Rules rules = detail::rules_within(outer, member.rules);
        const auto element = [&](std::uint32_t i) -> Json {
            const std::byte* at = bytes + member.offset + i * member.stride;
            if (member.structure) return to_json(*member.structure, rules, at);
            if (!rules.labels.empty()) return label_to_json(member.kind, member.stride, rules, at);
            return leaf_to_json(member.kind, member.stride, at);
        };
        if (!member.is_array) {
            object.emplace_back(member.name, element(0));
            continue;
        }
        Json::Array elements;
        for (std::uint32_t i = 0; i < member.count; ++i) elements.push_back(element(i));
        object.emplace_back(member.name, std::move(elements));
    }
    return object;
}

}  // namespace

std::string one_of(std::span<const std::string_view> names) {
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i)
        text.append(i == 0 ? "\"" : i + 1 == names.size() ? " or \"" : ", \"").append(names[i]).append("\"");
    return text.empty() ? "nothing" : text;
}

std::unexpected<Error> refuse_key(std::string where, std::string_view key,
                                  std::span<const std::string_view> known) {
    return refuse(std::move(where), "has an unknown key " + Json(key).summary() + ": expected " +
                                        one_of(known) + or_did_you_mean(key, known));
}

Result<void> read_struct(const Json& json, const StructInfo& info, std::byte* into, const std::string& where,
                         Missing missing) {
    const auto read = StructReader(missing).read(json, info, {}, into, "");
    if (!read) return refuse(join_location(where, read.error().where), read.error().what);
    return {};
}

Json struct_to_json(const StructInfo& info, const std::byte* bytes) { return to_json(info, {}, bytes); }

}  // namespace instep::state
