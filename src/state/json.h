// SPDX-License-Identifier: MIT
// JSON as a bounded, immutable tree, and JSON of any described struct. Text from outside is limited in size, depth and
// number of values before anything is built from it; every refusal names the path and what was expected there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <instep/state/field.h>
#include <instep/state/result.h>

namespace instep::state {

struct JsonLimits {
    std::size_t bytes = 16u << 20;
    std::size_t values = 4'000'000;  // of all kinds, keys not counted
    std::size_t depth = 64;
};

class Json {
public:
    using Array = std::vector<Json>;
    using Object = std::vector<std::pair<std::string, Json>>;  // in the order of the text; keys are unique

    Json() = default;  // null
    Json(bool value) : value_(value) {}
    Json(double value) : value_(value) {}
    Json(std::int64_t value) : value_(value) {}
    Json(std::uint64_t value) : value_(value) {}  // only beyond the range of int64
    Json(std::string value) : value_(std::move(value)) {}
    Json(Array value) : value_(std::move(value)) {}
    Json(Object value) : value_(std::move(value)) {}

    const bool* boolean() const { return std::get_if<bool>(&value_); }
    const std::string* string() const { return std::get_if<std::string>(&value_); }
    const Array* array() const { return std::get_if<Array>(&value_); }
    const Object* object() const { return std::get_if<Object>(&value_); }
    bool is_null() const { return std::holds_alternative<std::monostate>(value_); }
    bool is_number() const;
    double number() const;  // of a number, whole or not; 0 for anything else
    // The whole number this is, if it is one that fits.
    bool to_integer(std::int64_t& out) const;
    bool to_integer(std::uint64_t& out) const;

    const Json* find(std::string_view key) const;  // null if this is no object or has no such key
    std::string_view kind_name() const;            // "a number", "an object", for messages

private:
    std::variant<std::monostate, bool, double, std::int64_t, std::uint64_t, std::string, Array, Object> value_;
};

// `name` is what an error calls the text: a file name, as a rule. Errors carry line and column.
Result<Json> parse_json(std::string_view text, std::string_view name, const JsonLimits& limits = {});

// Compact text, the shortest digits that read back to the same bits. NaN and infinities become null.
std::string write_json(const Json& value);

// --- Described structs -----------------------------------------------------------------------------------------

enum class Missing : std::uint8_t { keeps_its_value, is_an_error };

// Reads an object into the struct at `into`. Unknown keys, wrong kinds and numbers outside the field's range are
// refused with the path from `where` on. A described Vec2 may also be written [x, y]. On refusal `into` may be half-read.
Result<void> read_struct(const Json& json, const StructInfo& info, std::byte* into, const std::string& where,
                         Missing missing = Missing::keeps_its_value);

template <Described T>
Result<void> read_struct(const Json& json, T& into, const std::string& where,
                         Missing missing = Missing::keeps_its_value) {
    return read_struct(json, describe<T>(), reinterpret_cast<std::byte*>(&into), where, missing);
}

Json struct_to_json(const StructInfo& info, const std::byte* bytes);

template <Described T>
Json struct_to_json(const T& value) {
    return struct_to_json(describe<T>(), reinterpret_cast<const std::byte*>(&value));
}

}  // namespace instep::state
