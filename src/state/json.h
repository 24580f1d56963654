// SPDX-License-Identifier: MIT
// JSON as a bounded, immutable tree, and JSON of any described struct. Text from outside is limited in size,
// depth and number of values while it is read; every refusal names the place and what was expected there.
// docs/decisions/json.md says why the reader is our own.
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
    std::size_t depth = 64;  // arrays and objects within each other; each costs stack, so never many more
};

class Json {
public:
    using Array = std::vector<Json>;
    using Object = std::vector<std::pair<std::string, Json>>;  // in the order of the text; keys are unique

    Json() = default;  // null
    template <std::same_as<bool> Bool>
    Json(Bool value) : value_(value) {}  // a template, lest a pointer become `true`
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
    double number() const;  // of a number, whole or not; 0 for anything else
    // The whole number this is, if it is one that fits: 3, 3.0 and 3e0 are. One that was written with a point
    // or an exponent is only up to 2^53, beyond which its digits may have been rounded away.
    bool to_integer(std::int64_t& out) const;
    bool to_integer(std::uint64_t& out) const;

    const Json* find(std::string_view key) const;  // null if this is no object or has no such key
    std::string_view kind_name() const;            // "a number", "an object", for messages
    std::string summary() const;  // what a message says was found: "slow" in quotes, 12, null, an array of 3

private:
    friend void append_json(std::string& out, const Json& value);

    // A whole number is a uint64 only beyond the range of int64.
    std::variant<std::monostate, bool, double, std::int64_t, std::uint64_t, std::string, Array, Object>
        value_;
};

// `name` is what an error calls the text: a file name, as a rule. Errors carry line and column. Numbers are
// the nearest doubles, whole ones keep 64 bits; one that no double can hold, a key given twice, text that is
// not UTF-8 and anything that RFC 8259 does not allow are refused.
Result<Json> parse_json(std::string_view text, std::string_view name, const JsonLimits& limits = {});

// Compact text, the fewest digits that read back to the same bits. NaN and infinities become null.
std::string write_json(const Json& value);

// --- For whoever reads a tree by hand ----------------------------------------------------------------------

// "a", "b" or "c"
std::string one_of(std::span<const std::string_view> names);

// Refuses `key` in the object at `where`: says which ones there are, and which of them may have been meant.
std::unexpected<Error> refuse_key(std::string where, std::string_view key,
                                  std::span<const std::string_view> known);

// --- Described structs -------------------------------------------------------------------------------------

enum class Missing : std::uint8_t { keeps_its_value, is_an_error };

// Reads an object into the struct at `into`. Unknown keys, wrong kinds and numbers outside the field's range
// are refused with the path from `where` on, which is a file ("box.json") or a place in one ("box.json:
// rules"). An enum is the label of its value; a described Vec2 may also be written [x, y]. On refusal `into`
// may be half-read.
Result<void> read_struct(const Json& json, const StructInfo& info, std::byte* into, const std::string& where,
                         Missing missing = Missing::keeps_its_value);

template <Described T>
Result<void> read_struct(const Json& json, T& into, const std::string& where,
                         Missing missing = Missing::keeps_its_value) {
    return read_struct(json, describe<T>(), reinterpret_cast<std::byte*>(&into), where, missing);
}

// What read_struct reads back to the same bits, as long as all numbers are finite and within their ranges.
// Reserved members are left out.
Json struct_to_json(const StructInfo& info, const std::byte* bytes);

template <Described T>
Json struct_to_json(const T& value) {
    return struct_to_json(describe<T>(), reinterpret_cast<const std::byte*>(&value));
}

}  // namespace instep::state
