// SPDX-License-Identifier: MIT
#include <instep/state/json.h>

#include <tests/support/property.h>

#include <string>

using namespace instep;
using state::Json;
using state::JsonLimits;
using state::parse_json;
using test::for_each_seed;

namespace {

std::string reading(std::string_view text, const JsonLimits& limits = {}) {
    const auto read = parse_json(text, "box.json", limits);
    return read ? state::write_json(*read) : read.error().text();
}

// The column and message of an error in the first line of a text.
std::string refusal(std::string_view text) {
    const auto read = parse_json(text, "box.json");
    REQUIRE_MESSAGE(!read, text);
    constexpr std::string_view prefix = "box.json: line 1, column ";
    REQUIRE(read.error().where.starts_with(prefix));
    const std::string where = read.error().where.substr(prefix.size());
    return where.substr(0, where.find(' ')) + ": " +
           read.error().what;  // the enclosing path is tested separately
}

std::string nested(std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

}  // namespace

TEST_CASE("json parser: reads every kind of value") {
    CHECK(reading(
              " { \"a\" : [ 1 , -2.5e1 , true , false , null , \"x\" ] ,\r\n\t\"b\" : { } , \"\" : [ ] } ") ==
          R"({"a":[1,-25,true,false,null,"x"],"b":{},"":[]})");
    CHECK(reading("7") == "7");
    CHECK(reading("\"\"") == "\"\"");
    CHECK(reading("1E5") == "100000");
    CHECK(reading("1e-2") == "0.01");
    CHECK(reading("-0") == "-0");
    CHECK(reading("0.5") == "0.5");
    CHECK(reading("123456789012345678901234567890") == "1.2345678901234568e+29");
}

TEST_CASE("json parser: escapes become their characters") {
    CHECK(*parse_json(R"("\"\\\/\b\f\n\r\t")", "")->string() == "\"\\/\b\f\n\r\t");
    CHECK(*parse_json(R"("\u0041\u00e9\u20AC\ud83d\ude00")", "")->string() == "A\u00e9\u20ac\U0001F600");
    CHECK(*parse_json(R"("\u0000")", "")->string() == std::string(1, '\0'));
}

TEST_CASE("json parser: skips a byte order mark") { CHECK(reading("\xEF\xBB\xBF[1]") == "[1]"); }

TEST_CASE("json parser: an error has line and column, counted in characters from 1") {
    CHECK(reading("[1,\n 2,\n \"\u00e9\u20ac\" x]") ==
          "box.json: line 3, column 7: expected ',' or ']' after a value of an array, got x");
    CHECK(reading("\n\n") == "box.json: line 3, column 1: expected a value, got the end of the text");
}

TEST_CASE("json parser: an error has the path of its value") {
    const auto where = [](std::string_view text) { return parse_json(text, "box.json").error().where; };
    CHECK(where(R"({"nodes": [{"radius": 1}, {"radius": NaN}]})") ==
          "box.json: line 1, column 38 (nodes[1].radius)");
    CHECK(where(R"({"nodes": [1, 1e999]})") == "box.json: line 1, column 15 (nodes[1])");
    CHECK(where(R"({"nodes": [1 2]})") == "box.json: line 1, column 14 (nodes)");
    CHECK(where(R"({"a": 1, "a": 2})") == "box.json: line 1, column 10");
    CHECK(where("{\"a key that is longer than any that a world would have\": x}") ==
          "box.json: line 1, column 59 (?)");
}

TEST_CASE("json parser: a structural error says where, what was expected and what was found") {
    CHECK(refusal("") == "1: expected a value, got the end of the text");
    CHECK(refusal("[") == "2: expected a value or ']', got the end of the text");
    CHECK(refusal("[1") == "3: expected ',' or ']' after a value of an array, got the end of the text");
    CHECK(refusal("[1 2]") == "4: expected ',' or ']' after a value of an array, got '2'");
    CHECK(refusal("[1,]") == "4: expected a value, got ']': remove the comma before it");
    CHECK(refusal("[,]") == "2: expected a value or ']', got ','");
    CHECK(refusal("[1}") == "3: expected ',' or ']' after a value of an array, got '}'");
    CHECK(refusal("{") == "2: expected a key in double quotes or '}', got the end of the text");
    CHECK(refusal("{1:2}") == "2: expected a key in double quotes or '}', got '1'");
    CHECK(refusal("{a:2}") == "2: expected a key in double quotes or '}', got a");
    CHECK(refusal("{'a':2}") ==
          "2: expected a key in double quotes or '}', got a single quote: strings stand in double quotes");
    CHECK(refusal("{\"a\"}") == "5: expected ':' after a key, got '}'");
    CHECK(refusal("{\"a\":}") == "6: expected a value, got '}'");
    CHECK(refusal("{\"a\":1") ==
          "7: expected ',' or '}' after a value of an object, got the end of the text");
    CHECK(refusal("{\"a\":1,}") == "8: expected a key after ',', got '}': remove the comma before it");
    CHECK(refusal("{\"a\":1,2}") == "8: expected a key in double quotes, got '2'");
    CHECK(refusal("{\"a\":1;}") == "7: expected ',' or '}' after a value of an object, got ';'");
}

TEST_CASE("json parser: text after the value is refused") {
    CHECK(refusal("1 2") == "3: expected the end of the text after the value, got '2'");
    CHECK(refusal("{} {}") == "4: expected the end of the text after the value, got '{'");
    CHECK(refusal("[1]]") == "4: expected the end of the text after the value, got ']'");
    CHECK(refusal("1 // one") ==
          "3: expected the end of the text after the value, got a comment: JSON has none, remove it");
    CHECK(refusal({"1\0", 2}) == "2: expected the end of the text after the value, got a control character");
}

TEST_CASE("json parser: words and comments that are not JSON are refused") {
    const std::string advice = ": text stands in double quotes, other words are null, true and false";
    CHECK(refusal("nul") == "1: expected a value, got nul" + advice);
    CHECK(refusal("truest") == "1: expected a value, got truest" + advice);
    CHECK(refusal("NaN") == "1: expected a value, got NaN" + advice);
    CHECK(refusal("Infinity") == "1: expected a value, got Infinity" + advice);
    CHECK(refusal("# x") == "1: expected a value, got a comment: JSON has none, remove it");
    CHECK(refusal("[/* x */ 1]") == "2: expected a value or ']', got a comment: JSON has none, remove it");
    CHECK(refusal("\u00e9") == "1: expected a value, got '\u00e9'");
    CHECK(refusal("\xFF") == "1: expected a value, got a byte that is not UTF-8: save the file as UTF-8");
}

TEST_CASE("json parser: numbers follow the JSON grammar and fit a double") {
    CHECK(refusal("-") == "2: expected a digit after the '-' of a number, got the end of the text");
    CHECK(refusal("-x") == "2: expected a digit after the '-' of a number, got x");
    CHECK(refusal("1.") == "3: expected a digit after the point of a number, got the end of the text");
    CHECK(refusal("1.e5") == "3: expected a digit after the point of a number, got e5");
    CHECK(refusal("1e") == "3: expected a digit after the exponent of a number, got the end of the text");
    CHECK(refusal("1e+ ") == "4: expected a digit after the exponent of a number, got ' '");
    CHECK(refusal("012") == "1: a zero before the other digits of a number: remove it");
    CHECK(refusal("-00") == "1: a zero before the other digits of a number: remove it");
    CHECK(refusal("+1") == "1: expected a value, got '+': a number begins with a digit or '-'");
    CHECK(refusal(".5") == "1: expected a value, got '.': a number begins with a digit or '-'");
    CHECK(refusal("0x10") == "2: expected the end of the text after the value, got x10");
    for (const char* number : {"1e999", "-1e999", "1.7976931348623159e308"})
        CHECK(refusal(number) == "1: a number greater than 1.7976931348623157e308, which no double can hold");
    CHECK(refusal(std::string(400, '9')).starts_with("1: a number greater than"));
}

TEST_CASE("json parser: strings end, have no raw control characters and only known escapes") {
    CHECK(refusal("\"abc") == "1: this string does not end: expected '\"' before the end of the text");
    CHECK(refusal("\"abc\\\"") == "1: this string does not end: expected '\"' before the end of the text");
    CHECK(refusal("\"ab\nc\"") ==
          "4: expected '\"' before the end of the line (a line break within a string is written \\n)");
    CHECK(refusal("\"a\tb\"") ==
          "3: a control character within a string: write it as an escape (a tab is \\t)");
    CHECK(refusal({"\"a\0b\"", 5}) ==
          "3: a control character within a string: write it as an escape (a tab is \\t)");
    CHECK(refusal("\"C:\\dir\"") ==
          "4: expected one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u0000, got a \\ before dir (a backslash "
          "itself is "
          "written \\\\)");
    CHECK(refusal("\"\\") ==
          "2: expected one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u0000, got a \\ before the end of the text "
          "(a "
          "backslash itself is written \\\\)");
    CHECK(refusal(R"("\u12g4")") == "2: expected four hexadecimal digits after \\u");
    CHECK(refusal(R"("\u12)") == "2: expected four hexadecimal digits after \\u");
}

TEST_CASE("json parser: text is UTF-8, escaped or not") {
    for (const char* text :
         {"\"\xFF\"", "\"\xC0\x80\"", "\"\xED\xA0\x80\"", "\"\xF4\x90\x80\x80\"", "\"\xE2\x82\"", "\"\xC3"})
        CHECK(refusal(text) == "2: bytes that are not UTF-8: save the file as UTF-8");
    CHECK(refusal("{\"\xFF\":1}") == "3: bytes that are not UTF-8: save the file as UTF-8");
    const std::string first_half =
        "2: the first half of a surrogate pair without the second: expected \\uD8xx\\uDCxx";
    CHECK(refusal(R"("\ud800")") == first_half);
    CHECK(refusal(R"("\ud800x")") == first_half);
    CHECK(refusal(R"("\ud800\u0041")") == first_half);
    CHECK(refusal(R"("\ud800\ud800")") == first_half);
    CHECK(refusal(R"("\udc00")") ==
          "2: the second half of a surrogate pair without the first: expected \\uD8xx\\uDCxx");
}

TEST_CASE("json parser: a duplicate key is refused where it is repeated") {
    CHECK(refusal(R"({"a":1,"b":2,"a":3})") ==
          "14: the key \"a\" is given twice in one object: remove one of them");
    CHECK(refusal(R"({"b":1,"c":0,"c":2,"b":3})") ==
          "14: the key \"c\" is given twice in one object: remove one of them");
    CHECK(refusal(R"([{"a":1,"\u0061":2}])") ==
          "9: the key \"a\" is given twice in one object: remove one of them");
    CHECK(reading(R"([{"a":1},{"a":2}])") == R"([{"a":1},{"a":2}])");
}

TEST_CASE("json parser: text beyond the limits is refused, and up to them it is read") {
    CHECK(reading("[1]", {.bytes = 3}) == "[1]");
    CHECK(reading("[1] ", {.bytes = 3}) ==
          "box.json: has 4 bytes, of which at most 3 are read: split the file");
    CHECK(reading("[1,[2]]", {.values = 4}) == "[1,[2]]");
    CHECK(reading("[1,[2,3]]", {.values = 4}) ==
          "box.json: line 1, column 7 ([1][1]): more than 4 values, which is as many as are read: split the "
          "file");
    CHECK(reading(nested(64)) == nested(64));
    CHECK(reading(nested(65)).starts_with("box.json: line 1, column 65 (...[0][0]"));
    CHECK(
        reading(nested(65))
            .ends_with("): more than 64 arrays and objects within each other, which is as deep as is read"));
    CHECK(reading(std::string(1'000'000, '[')).find("more than 64") != std::string::npos);
    CHECK(reading("{\"a\":{\"b\":1}}", {.depth = 1}).find("column 6") != std::string::npos);
    CHECK(reading("[[],[],[]]", {.depth = 2}) == "[[],[],[]]");
}

TEST_CASE("json parser: the time is proportional to the length, for keys, texts and numbers") {
    std::string keys = "{";
    for (int i = 0; i < 200'000; ++i) keys += "\"k" + std::to_string(i * 7919 % 200'000) + "\":0,";
    CHECK(parse_json(keys + "\"end\":0}", "")->object()->size() == 200'001);
    CHECK(reading(keys + "\"k5\":0}").find("\"k5\" is given twice") != std::string::npos);
    const std::string digits(5'000'000, '7');
    CHECK(parse_json("0." + digits, "")->number() == doctest::Approx(7.0 / 9));
    CHECK(parse_json("\"" + digits + "\"", "")->string()->size() == digits.size());
}

TEST_CASE("json parser: every prefix of a text is valid or refused with a position inside it") {
    const std::string text = R"({"a": [1.5e3, -2, "x\u00e9\n"], "b": {"c": null}, "d": true})";
    REQUIRE(parse_json(text, ""));
    for (std::size_t size = 0; size < text.size(); ++size) {
        const auto read = parse_json(std::string_view(text).substr(0, size), "cut");
        REQUIRE_FALSE(read);
        CHECK(read.error().where.starts_with("cut: line 1, column "));
        CHECK(std::stoul(read.error().where.substr(20)) <= size + 1);
    }
}

TEST_CASE("json parser: a text with a changed byte is refused or round-trips") {
    const std::string original =
        R"({"a":[1.5e3,-2,"x\u00e9\n",[]],"b":{"c":null},"d":true,"\ud83d\ude00":"é"})";
    for_each_seed(30'000, [&](math::Random& random) {
        std::string text = original;
        for (std::uint32_t hits = 1 + random.below(3); hits > 0; --hits)
            text[random.below(static_cast<std::uint32_t>(text.size()))] =
                random.below(2) == 0 ? static_cast<char>(random.next()) : "[]{},:\"\\0e.-u"[random.below(13)];
        const auto read = parse_json(text, "x");
        if (!read) {
            CHECK_FALSE(read.error().what.empty());
            return;
        }
        const std::string written = state::write_json(*read);
        const auto again = parse_json(written, "again");
        REQUIRE_MESSAGE(again, text);
        CHECK(state::write_json(*again) == written);
    });
}
