// SPDX-License-Identifier: MIT
// JSON as an immutable tree, and conversion of described structs from and to it. Text from outside is limited
// in size, depth and number of values; every error says where it is and what was expected.
// docs/decisions/json.md says why the parser is our own.
#pragma once

#include <instep/state/field.h>
#include <instep/state/result.h>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace instep::state {

struct JsonLimits {
    std::size_t bytes = 16u << 20;
    std::size_t values = 4'000'000;  // of all kinds, keys not counted
    std::size_t depth = 64;          // of nested arrays and objects; each level costs stack
};

class Json {
public:
    using Array = std::vector<Json>;
    using Object = std::vector<std::pair<std::string, Json>>;  // in the order of the text, with unique keys

    Json() = default;  // null
    template <std::same_as<bool> Bool>
    Json(Bool value) : value_(value) {}  // a template, so that a pointer does not become `true`
    Json(double value) : value_(value) {}
    template <std::integral Integer>
        requires(!std::same_as<Integer, bool>)
    Json(Integer value) {
        if (std::in_range<std::int64_t>(value))
            value_ = static_cast<std::int64_t>(value);
        else
            value_ = static_cast<std::uint64_t>(value);
    }
    Json(std::string value) : value_(std::move(value)) {}
    Json(std::string_view value) : value_(std::string(value)) {}
    Json(const char* value) : value_(std::string(value)) {}
    Json(Array value) : value_(std::move(value)) {}
    Json(Object value) : value_(std::move(value)) {}

    const bool* boolean() const { return std::get_if<bool>(&value_); }
    const std::string* string() const { return std::get_if<std::string>(&value_); }
    const Array* array() const { return std::get_if<Array>(&value_); }
    const Object* object() const { return std::get_if<Object>(&value_); }
    bool is_null() const { return std::holds_alternative<std::monostate>(value_); }
    bool is_number() const;
    double number() const;  // 0 if this is not a number
    // True, with the value in `out`, if this is a whole number that fits: 3, 3.0 and 3e0 are. A number
    // written with a point or an exponent only up to 2^53, beyond which it may have been rounded.
    bool to_integer(std::int64_t& out) const;
    bool to_integer(std::uint64_t& out) const;

    const Json* find(std::string_view key) const;  // null if this is not an object or has no such key
    std::string_view kind_name() const;            // "a number", "an object", for messages
    std::string summary() const;                   // for messages: "slow" in quotes, 12, null, an array of 3

private:
    friend void append_json(std::string& out, const Json& value);

    // A whole number is a uint64 only beyond the range of int64.
    std::variant<std::monostate, bool, double, std::int64_t, std::uint64_t, std::string, Array, Object>
        value_;
};

// `name` is how errors refer to the text, usually a file name. Errors have line and column. Numbers are the
// nearest doubles, whole ones keep 64 bits. Refused are numbers beyond a double's range, duplicate keys, text
// that is not UTF-8 and everything that RFC 8259 does not allow.
Result<Json> parse_json(std::string_view text, std::string_view name, const JsonLimits& limits = {});

// Compact text with the fewest digits that read back to the same bits. NaN and infinities become null.
std::string write_json(const Json& value);

// --- Helpers for reading a tree by hand
// ----------------------------------------------------------------------

// "a", "b" or "c"
std::string one_of(std::span<const std::string_view> names);

// The error for an unknown `key` in the object at `where`: lists the known keys and suggests a similar one.
std::unexpected<Error> refuse_key(std::string where, std::string_view key,
                                  std::span<const std::string_view> known);

// --- Described structs -------------------------------------------------------------------------------------

enum class Missing : std::uint8_t { keeps_its_value, is_an_error };

// Reads an object into the struct at `into`. Refuses unknown keys, wrong kinds and numbers outside the
// field's range, with the path starting at `where`, which is a file ("box.json") or a location in one
// ("box.json: rules"). An enum is written as its label; a Vec2 may also be written [x, y]. After an error
// `into` may be partly read.
Result<void> read_struct(const Json& json, const StructInfo& info, std::byte* into, const std::string& where,
                         Missing missing = Missing::keeps_its_value);

template <Described T>
Result<void> read_struct(const Json& json, T& into, const std::string& where,
                         Missing missing = Missing::keeps_its_value) {
    return read_struct(json, describe<T>(), reinterpret_cast<std::byte*>(&into), where, missing);
}

// The inverse of read_struct: reads back to the same bits if all numbers are finite and in range. Omits
// reserved members.
Json struct_to_json(const StructInfo& info, const std::byte* bytes);

template <Described T>
Json struct_to_json(const T& value) {
    return struct_to_json(describe<T>(), reinterpret_cast<const std::byte*>(&value));
}

}  // namespace instep::state
