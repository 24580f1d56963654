// SPDX-License-Identifier: MIT
#include <instep/state/json.h>

#include <tests/state/sample.h>
#include <tests/support/property.h>

#include <limits>

using namespace instep;
using namespace instep::test;
using state::Json;
using state::Missing;
using state::parse_json;
using state::read_struct;
using state::struct_to_json;

namespace {

Json parsed(std::string_view text) {
    auto json = parse_json(text, "test");
    REQUIRE_MESSAGE(json, (json ? "" : json.error().text()));
    return *json;
}

template <class T = Everything>
T reading(std::string_view text) {
    T value;
    const auto read = read_struct(parsed(text), value, "box.json");
    CHECK_MESSAGE(read, (read ? "" : read.error().text()));
    return value;
}

template <class T = Everything>
std::string refusal(std::string_view text, const std::string& where = "box.json",
                    Missing missing = Missing::keeps_its_value) {
    T value;
    const auto read = read_struct(parsed(text), value, where, missing);
    return read ? "" : read.error().text();
}

}  // namespace

TEST_CASE("json fields: a struct round-trips as a tree and as text") {
    for_each_seed(5000, [](Random& random) {
        const auto value = random_value<Everything>(random);
        const Json tree = struct_to_json(value);
        Everything by_tree;
        const auto read = read_struct(tree, by_tree, "tree", Missing::is_an_error);
        REQUIRE_MESSAGE(read, (read ? "" : read.error().text()));
        CHECK(same_fields(value, by_tree));

        Everything by_text;
        REQUIRE(read_struct(parsed(write_json(tree)), by_text, "text", Missing::is_an_error));
        CHECK(same_fields(value, by_text));
    });
}

TEST_CASE("json fields: the largest and smallest numbers of every type survive") {
    Everything value;
    value.whole = std::numeric_limits<double>::denorm_min();
    value.heat = std::numeric_limits<float>::max();
    value.pair = {-std::numeric_limits<float>::max(), std::numeric_limits<float>::denorm_min()};
    value.force = 0.1f;  // a little more than 0.1, which is the highest allowed
    value.turns = std::numeric_limits<std::int32_t>::min();
    value.balance = std::numeric_limits<std::int64_t>::min();
    value.count = std::numeric_limits<std::uint64_t>::max();
    value.left = -128;
    value.right = 255;
    value.width = 65535;
    Everything read;
    REQUIRE(read_struct(parsed(write_json(struct_to_json(value))), read, ""));
    CHECK(same_fields(value, read));
}

TEST_CASE("json fields: a struct is written as people would write it") {
    Grip grip{{0.5, -1}, 7, Mood::asleep, true, {}};
    CHECK(write_json(struct_to_json(grip)) ==
          R"({"at":{"x":0.5,"y":-1},"strength":7,"mood":"asleep","held":true})");
    Everything value;
    value.name = state::FixedText<11>::of("Zo\u00eb");
    value.force = 0.1f;
    value.whole = std::numeric_limits<double>::quiet_NaN();
    value.heat = std::numeric_limits<float>::infinity();
    const Json tree = struct_to_json(value);
    CHECK(*tree.find("name")->string() == "Zo\u00eb");
    CHECK(write_json(*tree.find("force")) == "0.1");
    CHECK(write_json(*tree.find("whole")) == "null");
    CHECK(write_json(*tree.find("heat")) == "null");
    CHECK(write_json(*tree.find("steps")) == "[0,0,0,0]");
    CHECK(tree.find("unused") == nullptr);
}

TEST_CASE("json fields: an enum value without a label is written as its number") {
    Grip grip;
    grip.mood = static_cast<Mood>(9);
    CHECK(struct_to_json(grip).find("mood")->number() == 9);
}

TEST_CASE("json fields: a missing key keeps the value of its field") {
    Everything value;
    value.turns = 5;
    value.position = {0.25, 0.75};
    REQUIRE(read_struct(parsed(R"({"position": {"y": 1}})"), value, ""));
    CHECK(value.turns == 5);
    CHECK(value.position == Vec2{0.25, 1});
}

TEST_CASE("json fields: a missing key is an error if all are required") {
    CHECK(refusal<Grip>("{}", "box.json", Missing::is_an_error) == "box.json: at: is missing");
    CHECK(refusal<Grip>(R"({"at": {"x": 1}, "strength": 0, "mood": "calm", "held": true})", "box.json",
                        Missing::is_an_error) == "box.json: at.y: is missing");
    CHECK(refusal<Grip>(R"({"at": [1, 2], "strength": 0, "mood": "calm", "held": true})", "box.json",
                        Missing::is_an_error) == "");
}

TEST_CASE("json fields: an array of two is a vector") {
    CHECK(reading(R"({"position": [0.5, 1]})").position == Vec2{0.5, 1});
    CHECK(reading(R"({"position": {"y": 1, "x": 0.5}})").position == Vec2{0.5, 1});
    CHECK(reading<Vec2>("[3, 4]") == Vec2{3, 4});
    CHECK(refusal(R"({"position": [1]})") ==
          "box.json: position: expected [x, y], an array of 2, got an array of 1");
    CHECK(refusal(R"({"position": [1, 1, 1]})") ==
          "box.json: position: expected [x, y], an array of 2, got an array of 3");
    CHECK(refusal(R"({"position": [1, 2]})") ==
          "box.json: position[1]: expected a number from 0 to 1, got 2");
    CHECK(refusal(R"({"position": 3})") ==
          R"(box.json: position: expected {"x": ..., "y": ...} or [x, y], got 3)");
}

TEST_CASE("json fields: a path starts at a file or at a location in one") {
    const char* text = R"({"grips": [{}, {"at": [0, "far"]}]})";
    CHECK(refusal(text, "box.json") ==
          "box.json: grips[1].at[1]: expected a number from -100 to 100, got \"far\"");
    CHECK(refusal(text, "box.json: rules") ==
          "box.json: rules.grips[1].at[1]: expected a number from -100 to 100, got \"far\"");
    CHECK(refusal(text, "") == "grips[1].at[1]: expected a number from -100 to 100, got \"far\"");
    CHECK(refusal<Vec2>("[0, true]", "box.json: rules.at") ==
          "box.json: rules.at[1]: expected a number, got true");
    CHECK(refusal("[]", "box.json: rules") == "box.json: rules: expected an object, got an array of 0");
}

TEST_CASE("json fields: a number out of range is refused with the range") {
    CHECK(refusal(R"({"position": {"x": 1.5}})") ==
          "box.json: position.x: expected a number from 0 to 1, got 1.5");
    CHECK(refusal(R"({"position": {"x": -1e-9}})") ==
          "box.json: position.x: expected a number from 0 to 1, got -1e-9");
    CHECK(refusal(R"({"force": 0.2})") == "box.json: force: expected a number from 0 to 0.1, got 0.2");
    CHECK(refusal(R"({"heat": 1e39})") ==
          "box.json: heat: expected a number from -3.4028235e+38 to 3.4028235e+38, got 1e+39");
    CHECK(refusal(R"({"whole": "slow"})") == "box.json: whole: expected a number, got \"slow\"");
    CHECK(refusal(R"({"whole": null})") == "box.json: whole: expected a number, got null");
    CHECK(refusal(R"({"heat": null})") == "box.json: heat: expected a number, got null");
    CHECK(refusal(R"({"whole": {}})") == "box.json: whole: expected a number, got an object");
}

TEST_CASE("json fields: a whole number must fit its type and its range") {
    CHECK(refusal(R"({"left": 128})") == "box.json: left: expected a whole number from -128 to 127, got 128");
    CHECK(refusal(R"({"right": 256})") == "box.json: right: expected a whole number from 0 to 255, got 256");
    CHECK(refusal(R"({"right": -1})") == "box.json: right: expected a whole number from 0 to 255, got -1");
    CHECK(refusal(R"({"height": -3})") ==
          "box.json: height: expected a whole number from -2 to 1000, got -3");
    CHECK(refusal(R"({"height": 1001})") ==
          "box.json: height: expected a whole number from -2 to 1000, got 1001");
    CHECK(refusal(R"({"width": 9})") == "box.json: width: expected a whole number from 10 to 65535, got 9");
    CHECK(refusal(R"({"turns": 2147483648})") ==
          "box.json: turns: expected a whole number from -2147483648 to 2147483647, got 2147483648");
    CHECK(refusal(R"({"mark": 4294967296})") ==
          "box.json: mark: expected a whole number from 0 to 4294967295, got 4294967296");
    CHECK(refusal(R"({"balance": 9223372036854775808})") ==
          "box.json: balance: expected a whole number from -9223372036854775808 to 9223372036854775807, got "
          "9223372036854775808");
    CHECK(
        refusal(R"({"count": 18446744073709551616})") ==
        "box.json: count: expected a whole number from 0 to 18446744073709551615, got 18446744073709552000");
    CHECK(refusal(R"({"count": 1.5})") ==
          "box.json: count: expected a whole number from 0 to 18446744073709551615, got 1.5");
    CHECK(refusal(R"({"steps": [1, 2, true, 4]})") ==
          "box.json: steps[2]: expected a whole number from -32768 to 32767, got true");
    CHECK(reading(R"({"height": -2, "width": 10, "count": 18446744073709551615, "turns": 3.0})").count ==
          std::numeric_limits<std::uint64_t>::max());
}

namespace {
struct Narrow {
    std::uint64_t zero = 0;
    std::int64_t lowest = 0;
    std::uint64_t highest = 0;
    std::int64_t fraction = 0;
};
constexpr auto fields_of(state::Type<Narrow>) {
    using state::field;
    return state::fields("Narrow", field("zero", &Narrow::zero, {.low = 0, .high = 0}),
                         field("lowest", &Narrow::lowest, {.low = -0x1p63, .high = -0x1p63}),
                         field("highest", &Narrow::highest, {.low = 0x1p63, .high = 0x1p64}),
                         field("fraction", &Narrow::fraction, {.low = -0.5, .high = 0.5}));
}
}  // namespace

TEST_CASE("json fields: a range up to the end of a type still counts") {
    CHECK(refusal<Narrow>(R"({"zero": 1})") == "box.json: zero: expected a whole number from 0 to 0, got 1");
    CHECK(refusal<Narrow>(R"({"zero": 0, "lowest": -9223372036854775808})") == "");
    CHECK(refusal<Narrow>(R"({"lowest": -9223372036854775807})").find("to -9223372036854775808,") !=
          std::string::npos);
    CHECK(refusal<Narrow>(R"({"highest": 9223372036854775807})")
              .find("from 9223372036854775808 to 18446744073709551615") != std::string::npos);
    CHECK(refusal<Narrow>(R"({"fraction": 1})") ==
          "box.json: fraction: expected a whole number from 0 to 0, got 1");
}

TEST_CASE("json fields: wrong booleans, labels and arrays are refused with what is possible") {
    CHECK(refusal(R"({"alive": 1})") == "box.json: alive: expected true or false, got 1");
    CHECK(refusal(R"({"mood": 1})") == R"(box.json: mood: expected "calm", "cross" or "asleep", got 1)");
    CHECK(refusal(R"({"mood": "happy"})") ==
          R"(box.json: mood: expected "calm", "cross" or "asleep", got "happy")");
    CHECK(refusal(R"({"mood": "aslep"})") ==
          R"(box.json: mood: expected "calm", "cross" or "asleep", got "aslep"; did you mean "asleep"?)");
    CHECK(
        refusal(R"({"grips": [{}, {"mood": "calmer"}]})") ==
        R"(box.json: grips[1].mood: expected "calm", "cross" or "asleep", got "calmer"; did you mean "calm"?)");
    CHECK(reading(R"({"mood": "cross"})").mood == Mood::cross);
    CHECK(refusal(R"({"steps": [1, 2, 3]})") == "box.json: steps: expected an array of 4, got an array of 3");
    CHECK(refusal(R"({"steps": 1})") == "box.json: steps: expected an array of 4, got 1");
    CHECK(refusal(R"({"grips": [{}, 5]})") == "box.json: grips[1]: expected an object, got 5");
}

TEST_CASE("json fields: text must fit and have no control characters") {
    CHECK(reading(R"({"name": "hello world"})").name.view() == "hello world");
    CHECK(refusal(R"({"name": "hello world!"})") ==
          "box.json: name: expected a string of at most 11 bytes, got 12: \"hello world!\"");
    CHECK(refusal(R"({"name": 5})") == "box.json: name: expected a string of at most 11 bytes, got 5");
    CHECK(refusal(R"({"name": "a\nb"})") ==
          "box.json: name: expected a string without control characters, got \"a\\nb\"");
    CHECK(refusal(R"({"name": "a\u0000b"})") ==
          "box.json: name: expected a string without control characters, got \"a\\u0000b\"");
    Everything value;
    value.name = state::FixedText<11>::of("long enough");
    REQUIRE(read_struct(parsed(R"({"name": "ab"})"), value, ""));
    CHECK(value.name == state::FixedText<11>::of("ab"));
}

TEST_CASE("json fields: an unknown key is refused with the known ones and a suggestion") {
    CHECK(
        refusal<Grip>(R"({"helt": true})") ==
        R"(box.json: has an unknown key "helt": expected "at", "strength", "mood" or "held"; did you mean "held"?)");
    CHECK(refusal<Grip>(R"({"colour": 1})") ==
          R"(box.json: has an unknown key "colour": expected "at", "strength", "mood" or "held")");
    CHECK(refusal(R"({"position": {"z": 1}})") ==
          R"(box.json: position: has an unknown key "z": expected "x" or "y"; did you mean "x"?)");
    CHECK(refusal<Grip>(R"({"unused": 0})").find("unknown key \"unused\"") != std::string::npos);
    CHECK(refusal<Grip>("{\"" + std::string(5000, 'x') + "\": 0}").size() < 200);
}

TEST_CASE("json fields: names are listed as people list them") {
    const auto list = [](std::initializer_list<std::string_view> names) {
        return state::one_of(std::span(names.begin(), names.size()));
    };
    CHECK(list({}) == "nothing");
    CHECK(list({"a"}) == "\"a\"");
    CHECK(list({"a", "b"}) == "\"a\" or \"b\"");
    CHECK(list({"a", "b", "c"}) == "\"a\", \"b\" or \"c\"");
}

TEST_CASE("json fields: any tree read into a struct leaves it valid") {
    const Json whole = struct_to_json(Everything{.width = 10});
    int taken = 0;
    for_each_seed(20'000, [&](Random& random) {
        Json::Object object = *whole.object();
        for (int i = 0; i < 2; ++i) {
            const Json values[] = {{},
                                   true,
                                   0,
                                   1,
                                   -1,
                                   0.5,
                                   1e300,
                                   random_text(random, 13),
                                   "calm",
                                   "a\tb",
                                   Json::Array{0.5, 1},
                                   Json::Array{1, 2, 3, 4},
                                   Json::Object{{"x", 1}},
                                   random.next()};
            object[random.below(static_cast<std::uint32_t>(object.size()))].second =
                values[random.below(std::size(values))];
        }
        Everything value;
        const auto read = read_struct(object, value, "x");
        taken += read ? 1 : 0;
        CHECK(state::fields_are_legal(state::describe<Everything>(), bytes_of(value)));
    });
    CHECK(taken > 100);
}
