// SPDX-License-Identifier: MIT
// The JSON parser: recursive descent in one pass, with an error message for every kind of mistake.
#include <instep/state/decimal.h>
#include <instep/state/json.h>
#include <instep/state/utf8.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace instep::state {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Functions return false once the error is set; `at_` is then the position of the error.
class Parser {
public:
    Parser(std::string_view text, std::string_view name, const JsonLimits& limits)
        : text_(text), name_(name), limits_(limits) {
        if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;  // a byte order mark
    }

    Result<Json> read() {
        Json json;
        if (read_value(json, "a value") && skip_space() && at_ < text_.size())
            fail(at_, "expected the end of the text after the value, got " + next_in_words());
        if (!error_.empty()) return refuse(location(error_at_), std::move(error_));
        return json;
    }

private:
    char next() const { return at_ < text_.size() ? text_[at_] : '\0'; }

    bool take(char c) {
        if (at_ == text_.size() || text_[at_] != c) return false;
        ++at_;
        return true;
    }

    bool skip_space() {
        at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size());
        return true;
    }

    bool fail(std::size_t at, std::string what) {
        error_at_ = at;
        error_ = std::move(what);
        return false;
    }

    // Prefixes the path of an error while nested calls return.
    bool fail_within(const std::string& step) {
        path_ = step + path_;
        return false;
    }

    // "name: line 3, column 7 (nodes[2].radius)"; columns count characters, as editors do.
    std::string location(std::size_t at) const {
        const std::string_view before = text_.substr(0, at);
        const auto lines = std::count(before.begin(), before.end(), '\n');
        const std::size_t line_start = before.find_last_of('\n') + 1;  // 0 on the first line: npos + 1
        const std::string_view line = before.substr(line_start);
        const auto characters =
            std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xC0) != 0x80; });
        std::string path = path_.substr(path_.starts_with('.') ? 1 : 0);
        if (path.size() > longest_path) path = "..." + path.substr(path.size() - longest_path);
        return std::string(name_) + ": line " + std::to_string(lines + 1) + ", column " +
               std::to_string(characters + 1) + (path.empty() ? "" : " (" + path + ")");
    }

    std::string next_in_words() const {
        if (at_ == text_.size()) return "the end of the text";
        const std::string_view rest = text_.substr(at_);
        const std::size_t length = utf8_length(rest);
        if (length == 0) return "a byte that is not UTF-8: save the file as UTF-8";
        if (rest.starts_with("//") || rest.starts_with("/*") || rest[0] == '#')
            return "a comment: JSON has none, remove it";
        if (rest[0] == '\'') return "a single quote: strings stand in double quotes";
        if (is_control(rest[0])) return "a control character";
        if (!is_letter(rest[0])) return "'" + std::string(rest.substr(0, length)) + "'";
        const auto word_end =
            std::find_if_not(rest.begin(), rest.begin() + std::min(rest.size(), longest_word),
                             [](char c) { return is_letter(c) || is_digit(c) || c == '_'; });
        return std::string(rest.begin(), word_end);
    }

    bool read_value(Json& json, std::string_view expected) {
        skip_space();
        if (++values_ > limits_.values)
            return fail(at_, "more than " + std::to_string(limits_.values) +
                                 " values, which is as many as are read: split the file");
        const char c = next();
        if (c == '{') return read_nested(json, &Parser::read_object);
        if (c == '[') return read_nested(json, &Parser::read_array);
        if (c == '"') return read_string_value(json);
        if (c == '-' || is_digit(c)) return read_number(json);
        return read_word(json, expected);
    }

    bool read_nested(Json& json, bool (Parser::*read_inside)(Json&)) {
        if (depth_ == limits_.depth)
            return fail(at_, "more than " + std::to_string(limits_.depth) +
                                 " arrays and objects within each other, which is as deep as is read");
        ++depth_;
        ++at_;
        const bool done = (this->*read_inside)(json);
        --depth_;
        return done;
    }

    bool read_array(Json& json) {
        Json::Array elements;
        skip_space();
        if (!take(']')) {
            do {
                Json& element = elements.emplace_back();
                if (!read_value(element, elements.size() == 1 ? "a value or ']'" : "a value"))
                    return fail_within("[" + std::to_string(elements.size() - 1) + "]");
                skip_space();
            } while (take(','));
            if (!take(']'))
                return fail(at_, "expected ',' or ']' after a value of an array, got " + next_in_words());
        }
        json = std::move(elements);
        return true;
    }

    bool read_object(Json& json) {
        Json::Object members;
        std::vector<std::size_t> keys_at;
        skip_space();
        if (!take('}')) {
            do {
                skip_space();
                keys_at.push_back(at_);
                auto& [key, value] = members.emplace_back();
                if (!read_key(key, members.size() == 1)) return false;
                if (!read_value(value, "a value"))
                    return fail_within("." + (key.size() <= longest_word && is_plain_text(key) ? key : "?"));
                skip_space();
            } while (take(','));
            if (!take('}'))
                return fail(at_, "expected ',' or '}' after a value of an object, got " + next_in_words());
        }
        if (!keys_are_unique(members, keys_at)) return false;
        json = std::move(members);
        return true;
    }

    bool read_key(std::string& key, bool first) {
        if (next() != '"') {
            if (next() == '}' && !first)
                return fail(at_, "expected a key after ',', got '}': remove the comma before it");
            return fail(at_, std::string(first ? "expected a key in double quotes or '}', got "
                                               : "expected a key in double quotes, got ") +
                                 next_in_words());
        }
        if (!read_string(key)) return false;
        skip_space();
        if (take(':')) return true;
        return fail(at_, "expected ':' after a key, got " + next_in_words());
    }

    // Sorts, so that the time stays near linear for a million keys.
    bool keys_are_unique(const Json::Object& members, const std::vector<std::size_t>& keys_at) {
        std::vector<std::size_t> order(members.size());
        for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
        // total order: equal keys are ordered by position
        std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            const int difference = members[a].first.compare(members[b].first);
            return difference != 0 ? difference < 0 : a < b;
        });
        std::size_t repeated = members.size();
        for (std::size_t i = 1; i < order.size(); ++i)
            if (members[order[i]].first == members[order[i - 1]].first)
                repeated = std::min(repeated, order[i]);
        if (repeated == members.size()) return true;
        return fail(keys_at[repeated], "the key " + Json(members[repeated].first).summary() +
                                           " is given twice in one object: remove one of them");
    }

    bool read_string_value(Json& json) {
        std::string text;
        if (!read_string(text)) return false;
        json = std::move(text);
        return true;
    }

    bool read_string(std::string& out) {
        const std::size_t start = at_++;
        for (;;) {
            if (at_ == text_.size())
                return fail(start, "this string does not end: expected '\"' before the end of the text");
            const char c = text_[at_];
            if (c == '"') return ++at_, true;
            if (c == '\\') {
                if (!read_escape(out)) return false;
            } else if (c == '\n' || c == '\r') {
                return fail(
                    at_,
                    "expected '\"' before the end of the line (a line break within a string is written \\n)");
            } else if (static_cast<unsigned char>(c) < 0x20) {
                return fail(at_, "a control character within a string: write it as an escape (a tab is \\t)");
            } else {
                const std::size_t length = utf8_length(text_.substr(at_));
                if (length == 0) return fail(at_, "bytes that are not UTF-8: save the file as UTF-8");
                out += text_.substr(at_, length);
                at_ += length;
            }
        }
    }

    bool read_escape(std::string& out) {
        constexpr std::string_view names = "\"\\/bfnrt";
        constexpr std::string_view meanings = "\"\\/\b\f\n\r\t";
        const std::size_t start = at_++;
        if (take('u')) return read_code_point(out, start);
        const std::size_t which = at_ < text_.size() ? names.find(text_[at_]) : names.npos;
        if (which == names.npos)
            return fail(start, "expected one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u0000, got a \\ before " +
                                   next_in_words() + " (a backslash itself is written \\\\)");
        out += meanings[which];
        ++at_;
        return true;
    }

    bool read_code_point(std::string& out, std::size_t start) {
        std::uint32_t code = 0;
        if (!read_hex(code, start)) return false;
        if (code >= 0xD800 && code < 0xDC00) {
            std::uint32_t low = 0;
            if (text_.substr(at_).starts_with("\\u")) {
                at_ += 2;
                if (!read_hex(low, at_ - 2)) return false;
            }
            if (low < 0xDC00 || low > 0xDFFF)
                return fail(start,
                            "the first half of a surrogate pair without the second: expected \\uD8xx\\uDCxx");
            code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        } else if (code >= 0xDC00 && code < 0xE000) {
            return fail(start,
                        "the second half of a surrogate pair without the first: expected \\uD8xx\\uDCxx");
        }
        append_utf8(out, code);
        return true;
    }

    bool read_hex(std::uint32_t& code, std::size_t start) {
        for (int i = 0; i < 4; ++i, ++at_) {
            const char c = next();
            const char lower = static_cast<char>(c | 0x20);
            if (!is_digit(c) && !(lower >= 'a' && lower <= 'f'))
                return fail(start, "expected four hexadecimal digits after \\u");
            code = code << 4 | static_cast<std::uint32_t>(is_digit(c) ? c - '0' : lower - 'a' + 10);
        }
        return true;
    }

    bool skip_digits(std::size_t start, std::string_view after) {
        if (!is_digit(next()))
            return fail(start, "expected a digit after " + std::string(after) + " of a number, got " +
                                   next_in_words());
        while (is_digit(next())) ++at_;
        return true;
    }

    bool read_number(Json& json) {
        const std::size_t start = at_;
        bool whole = true;
        take('-');
        const bool leading_zero = take('0');
        if (leading_zero && is_digit(next()))
            return fail(start, "a zero before the other digits of a number: remove it");
        if (!leading_zero && !skip_digits(at_, "the '-'")) return false;
        if (take('.')) {
            whole = false;
            if (!skip_digits(at_, "the point")) return false;
        }
        if (take('e') || take('E')) {
            whole = false;
            if (!take('+')) take('-');
            if (!skip_digits(at_, "the exponent")) return false;
        }
        const std::string_view number = text_.substr(start, at_ - start);
        if (whole && read_integer(number, json)) return true;
        const double value = read_decimal(number);
        if (!std::isfinite(value))
            return fail(start, "a number greater than 1.7976931348623157e308, which no double can hold");
        json = value;
        return true;
    }

    // False if 64 bits cannot hold the number, -0 included.
    static bool read_integer(std::string_view number, Json& json) {
        const bool negative = number[0] == '-';
        if (negative) number.remove_prefix(1);
        std::uint64_t value = 0;
        for (const char c : number) {
            const auto digit = static_cast<std::uint64_t>(c - '0');
            if (value > (UINT64_MAX - digit) / 10) return false;
            value = value * 10 + digit;
        }
        if (!negative) {
            json = value;
            return true;
        }
        if (value == 0 || value > std::uint64_t{1} << 63) return false;
        json = static_cast<std::int64_t>(0 - value);
        return true;
    }

    bool read_word(Json& json, std::string_view expected) {
        const std::string_view rest = text_.substr(at_);
        const auto is_word = [rest](std::string_view word) {
            return rest.starts_with(word) && (rest.size() == word.size() || !is_letter(rest[word.size()]));
        };
        if (is_word("null")) {
            at_ += 4;
            json = {};
        } else if (is_word("true")) {
            at_ += 4;
            json = true;
        } else if (is_word("false")) {
            at_ += 5;
            json = false;
        } else {
            return fail_word(expected);
        }
        return true;
    }

    bool fail_word(std::string_view expected) {
        std::string what = "expected " + std::string(expected) + ", got " + next_in_words();
        const char c = next();
        if (c == '+' || c == '.') what += ": a number begins with a digit or '-'";
        if ((c == ']' || c == '}') && at_ > 0 && before_space() == ',')
            what += ": remove the comma before it";
        if (is_letter(c)) what += ": text stands in double quotes, other words are null, true and false";
        return fail(at_, std::move(what));
    }

    char before_space() const {
        const std::size_t last = text_.substr(0, at_).find_last_not_of(" \t\r\n");
        return last == text_.npos ? '\0' : text_[last];
    }

    static constexpr std::size_t longest_word = 24;
    static constexpr std::size_t longest_path = 60;  // the end is the most useful part

    std::string_view text_;
    std::string_view name_;
    const JsonLimits& limits_;
    std::size_t at_ = 0;
    std::size_t values_ = 0;
    std::size_t depth_ = 0;
    std::size_t error_at_ = 0;
    std::string error_;
    std::string path_;  // of the value with the error
};

}  // namespace

Result<Json> parse_json(std::string_view text, std::string_view name, const JsonLimits& limits) {
    if (text.size() > limits.bytes)
        return refuse(std::string(name), "has " + std::to_string(text.size()) + " bytes, of which at most " +
                                             std::to_string(limits.bytes) + " are read: split the file");
    return Parser(text, name, limits).read();
}

}  // namespace instep::state
