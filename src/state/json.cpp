// SPDX-License-Identifier: MIT
#include <instep/state/json.h>

#include <instep/state/decimal.h>
#include <instep/state/utf8.h>

#include <cmath>

namespace instep::state {
namespace {

// Below this every whole number is a double, and no other number was rounded to it.
constexpr double exact_integers_end = 0x1p53;

bool is_exact_integer(double value) {
    return value == std::trunc(value) && std::abs(value) < exact_integers_end;
}

void append_escaped(std::string& out, char control) {
    switch (control) {
        case '"': out += "\\\""; return;
        case '\\': out += "\\\\"; return;
        case '\b': out += "\\b"; return;
        case '\f': out += "\\f"; return;
        case '\n': out += "\\n"; return;
        case '\r': out += "\\r"; return;
        case '\t': out += "\\t"; return;
        default:
            constexpr std::string_view hex = "0123456789abcdef";
            const auto byte = static_cast<unsigned char>(control);
            out.append("\\u00").append(1, hex[byte >> 4]).append(1, hex[byte & 15]);
    }
}

void append_string(std::string& out, std::string_view text) {
    out += '"';
    while (!text.empty()) {
        std::size_t length = utf8_length(text);
        if (length == 0) {  // JSON is UTF-8, whatever the tree holds
            out += "\xEF\xBF\xBD";
            length = 1;
        } else if (is_control(text[0]) || text[0] == '"' || text[0] == '\\') {
            append_escaped(out, text[0]);
        } else {
            out += text.substr(0, length);
        }
        text.remove_prefix(length);
    }
    out += '"';
}

// The beginning of a long text, cut at a character boundary.
std::string_view beginning(std::string_view text) {
    constexpr std::size_t enough = 40;
    if (text.size() <= enough) return text;
    std::size_t end = 0;
    while (end < enough) end += std::max<std::size_t>(utf8_length(text.substr(end)), 1);
    return text.substr(0, end);
}

}  // namespace

bool Json::is_number() const {
    return std::holds_alternative<double>(value_) || std::holds_alternative<std::int64_t>(value_) ||
           std::holds_alternative<std::uint64_t>(value_);
}

double Json::number() const {
    if (const auto* value = std::get_if<double>(&value_)) return *value;
    if (const auto* value = std::get_if<std::int64_t>(&value_)) return static_cast<double>(*value);
    if (const auto* value = std::get_if<std::uint64_t>(&value_)) return static_cast<double>(*value);
    return 0;
}

bool Json::to_integer(std::int64_t& out) const {
    if (const auto* value = std::get_if<std::int64_t>(&value_)) return out = *value, true;
    if (const auto* value = std::get_if<double>(&value_); value && is_exact_integer(*value))
        return out = static_cast<std::int64_t>(*value), true;
    return false;
}

bool Json::to_integer(std::uint64_t& out) const {
    if (const auto* value = std::get_if<std::uint64_t>(&value_)) return out = *value, true;
    std::int64_t value = 0;
    if (!to_integer(value) || value < 0) return false;
    return out = static_cast<std::uint64_t>(value), true;
}

const Json* Json::find(std::string_view key) const {
    if (const Object* members = object())
        for (const auto& [name, value] : *members)
            if (name == key) return &value;
    return nullptr;
}

std::string_view Json::kind_name() const {
    if (is_null()) return "null";
    if (boolean()) return "a boolean";
    if (string()) return "a string";
    if (array()) return "an array";
    if (object()) return "an object";
    return "a number";
}

std::string Json::summary() const {
    if (const Array* elements = array()) return "an array of " + std::to_string(elements->size());
    if (object()) return "an object";
    const std::string* text = string();
    if (!text || beginning(*text).size() == text->size()) return write_json(*this);
    return write_json(beginning(*text)) + "...";
}

void append_json(std::string& out, const Json& json) {
    if (const Json::Array* elements = json.array()) {
        out += '[';
        for (const Json& element : *elements) {
            if (&element != elements->data()) out += ',';
            append_json(out, element);
        }
        out += ']';
    } else if (const Json::Object* members = json.object()) {
        out += '{';
        for (const auto& member : *members) {
            if (&member != members->data()) out += ',';
            append_string(out, member.first);
            out += ':';
            append_json(out, member.second);
        }
        out += '}';
    } else if (const std::string* text = json.string()) {
        append_string(out, *text);
    } else if (const bool* value = json.boolean()) {
        out += *value ? "true" : "false";
    } else if (const auto* whole = std::get_if<std::int64_t>(&json.value_)) {
        out += std::to_string(*whole);
    } else if (const auto* large = std::get_if<std::uint64_t>(&json.value_)) {
        out += std::to_string(*large);
    } else if (const auto* number = std::get_if<double>(&json.value_); number && std::isfinite(*number)) {
        append_decimal(out, *number);
    } else {
        out += "null";
    }
}

std::string write_json(const Json& value) {
    std::string out;
    append_json(out, value);
    return out;
}

}  // namespace instep::state
