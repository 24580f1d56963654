// SPDX-License-Identifier: MIT
#include <instep/state/json.h>

#include <tests/state/sample.h>
#include <tests/support/property.h>

#include <limits>

using namespace instep;
using namespace instep::test;
using state::Json;
using state::parse_json;
using state::write_json;

namespace {

std::string any_text(Random& random) {
    std::string text = random_text(random, 12);
    if (random.below(3) == 0) text += static_cast<char>(random.below(0x20));
    if (random.below(5) == 0) text += "\x7F\n";
    return text;
}

Json random_scalar(Random& random) {
    switch (random.below(6)) {
        case 0: return {};
        case 1: return random.below(2) == 0;
        case 2: return static_cast<std::int64_t>(random.next()) >> random.below(64);
        case 3: return random.next() | std::uint64_t{1} << 63;
        case 4: return any_text(random);
        default: return random_number(random, {});
    }
}

Json random_tree(Random& random, int depth) {
    const std::uint32_t kind = random.below(depth == 0 ? 1 : 3);
    if (kind == 0) return random_scalar(random);
    const std::uint32_t count = random.below(5);
    if (kind == 1) {
        Json::Array elements;
        for (std::uint32_t i = 0; i < count; ++i) elements.push_back(random_tree(random, depth - 1));
        return elements;
    }
    Json::Object members;
    for (std::uint32_t i = 0; i < count; ++i)
        members.emplace_back(any_text(random) + std::to_string(i), random_tree(random, depth - 1));
    return members;
}

// A double beyond 2^53 is written with enough digits to identify it, but reads back as a whole number.
bool same_number(const Json& a, const Json& b) {
    if (std::bit_cast<std::uint64_t>(a.number()) != std::bit_cast<std::uint64_t>(b.number())) return false;
    std::int64_t small_a = 0;
    std::int64_t small_b = 0;
    std::uint64_t large_a = 0;
    std::uint64_t large_b = 0;
    if (a.to_integer(small_a)) return b.to_integer(small_b) && small_a == small_b;
    if (a.to_integer(large_a)) return b.to_integer(large_b) && large_a == large_b;
    return a.number() == std::trunc(a.number()) || !b.to_integer(small_b);
}

bool same(const Json& a, const Json& b) {
    if (a.kind_name() != b.kind_name()) return false;
    if (a.boolean()) return *a.boolean() == *b.boolean();
    if (a.string()) return *a.string() == *b.string();
    if (a.is_number()) return same_number(a, b);
    if (a.array())
        return std::equal(a.array()->begin(), a.array()->end(), b.array()->begin(), b.array()->end(), same);
    if (a.object())
        return std::equal(
            a.object()->begin(), a.object()->end(), b.object()->begin(), b.object()->end(),
            [](const auto& x, const auto& y) { return x.first == y.first && same(x.second, y.second); });
    return true;
}

}  // namespace

TEST_CASE("json: a tree that is written and read again is the same tree") {
    for_each_seed(5000, [](Random& random) {
        const Json tree = random_tree(random, 5);
        const std::string text = write_json(tree);
        const auto read = parse_json(text, "tree");
        REQUIRE_MESSAGE(read, (read ? "" : read.error().text()) << " in " << text);
        CHECK_MESSAGE(same(tree, *read), text);
        CHECK(write_json(*read) == text);
    });
}

TEST_CASE("json: whole numbers keep all 64 bits") {
    const auto lowest = std::numeric_limits<std::int64_t>::min();
    const auto highest = std::numeric_limits<std::uint64_t>::max();
    CHECK(write_json(lowest) == "-9223372036854775808");
    CHECK(write_json(highest) == "18446744073709551615");
    std::int64_t small = 0;
    std::uint64_t large = 0;
    CHECK(parse_json("-9223372036854775808", "")->to_integer(small));
    CHECK(small == lowest);
    CHECK(parse_json("18446744073709551615", "")->to_integer(large));
    CHECK(large == highest);
    CHECK_FALSE(parse_json("18446744073709551615", "")->to_integer(small));
    CHECK_FALSE(parse_json("-1", "")->to_integer(large));
    CHECK_FALSE(parse_json("18446744073709551616", "")->to_integer(large));
    CHECK_FALSE(parse_json("-9223372036854775809", "")->to_integer(small));
}

TEST_CASE("json: a number with a point or an exponent can be whole, up to 2^53") {
    const auto is_whole = [](const char* text) {
        std::int64_t value = 0;
        return parse_json(text, "")->to_integer(value);
    };
    CHECK(is_whole("3.0"));
    CHECK(is_whole("-3e2"));
    CHECK(is_whole("-0"));
    CHECK(is_whole("9007199254740991.0"));
    CHECK_FALSE(is_whole("9007199254740993.0"));  // would be read as one less
    CHECK_FALSE(is_whole("3.5"));
    CHECK_FALSE(is_whole("1e300"));
    CHECK_FALSE(is_whole("\"3\""));
    CHECK_FALSE(is_whole("null"));
    std::int64_t value = 0;
    CHECK_FALSE(Json(std::numeric_limits<double>::quiet_NaN()).to_integer(value));
    CHECK_FALSE(Json(HUGE_VAL).to_integer(value));
}

TEST_CASE("json: NaN and infinities are written as null") {
    CHECK(write_json(std::numeric_limits<double>::quiet_NaN()) == "null");
    CHECK(write_json(HUGE_VAL) == "null");
    CHECK(write_json(-HUGE_VAL) == "null");
}

TEST_CASE("json: text is escaped only where necessary") {
    CHECK(write_json("plain / \u00e9 \U0001F600") == "\"plain / \u00e9 \U0001F600\"");
    CHECK(write_json("\"\\\b\f\n\r\t") == R"("\"\\\b\f\n\r\t")");
    CHECK(write_json(std::string_view("\0\x1F\x7F", 3)) == R"("\u0000\u001f\u007f")");
    CHECK(write_json(Json::Object{{"a\"b", 1}}) == R"({"a\"b":1})");
}

TEST_CASE("json: bytes that are not UTF-8 are written as the replacement character") {
    CHECK(write_json("a\xFF\xC3z\xE2\x82") == "\"a\uFFFD\uFFFDz\uFFFD\uFFFD\"");
}

TEST_CASE("json: accessors of other kinds return nothing") {
    const Json object = Json::Object{{"a", 1}, {"b", Json::Array{true, "x"}}};
    CHECK(object.find("a")->number() == 1);
    CHECK(object.find("c") == nullptr);
    CHECK((*object.find("b")->array())[0].boolean() != nullptr);
    CHECK(object.find("b")->find("a") == nullptr);
    CHECK(object.array() == nullptr);
    CHECK(object.number() == 0);
    CHECK(Json().is_null());
    CHECK(Json().find("a") == nullptr);
    CHECK(Json("text").string() != nullptr);  // and not the boolean that a pointer could become
    CHECK(Json(7).is_number());
    CHECK(Json(7u).number() == 7);
}

TEST_CASE("json: messages describe values by kind or content") {
    CHECK(Json().kind_name() == "null");
    CHECK(Json(true).kind_name() == "a boolean");
    CHECK(Json(1).kind_name() == "a number");
    CHECK(Json(1.5).kind_name() == "a number");
    CHECK(Json("").kind_name() == "a string");
    CHECK(Json(Json::Array{}).kind_name() == "an array");
    CHECK(Json(Json::Object{}).kind_name() == "an object");

    CHECK(Json().summary() == "null");
    CHECK(Json(0.25).summary() == "0.25");
    CHECK(Json("slow").summary() == "\"slow\"");
    CHECK(Json(Json::Array{1, 2, 3}).summary() == "an array of 3");
    CHECK(Json(Json::Object{}).summary() == "an object");
    CHECK(Json(std::string(100, 'x')).summary() == "\"" + std::string(40, 'x') + "\"...");
    std::string accents;
    for (int i = 0; i < 50; ++i) accents += "\u20ac";
    CHECK(state::is_plain_text(Json(accents).summary()));
}
