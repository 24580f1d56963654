// SPDX-License-Identifier: MIT
#include <instep/match/parity.h>

#include <cmath>
#include <limits>

#include <doctest/doctest.h>
#include <tests/support/property.h>

using namespace instep;
using contract::Recording;
using match::compare_recordings;
using match::ParityReport;
using match::ParityRules;
using state::Json;

namespace {

constexpr double two_pi = 6.283185307179586;
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

Json json_of(std::string_view text) {
    auto json = state::parse_json(text, "test");
    REQUIRE_MESSAGE(json, json.error().text());
    return *json;
}

ParityReport compare(const Recording& expected, const Recording& got, const ParityRules& rules = {}) {
    const auto report = compare_recordings(expected, got, rules);
    REQUIRE_MESSAGE(report, report.error().text());
    return *report;
}

std::string refusal(const Recording& expected, const Recording& got, const ParityRules& rules = {}) {
    const auto report = compare_recordings(expected, got, rules);
    return report ? "" : report.error().text();
}

bool has(const std::string& text, const std::string& part) {
    INFO(text);
    const bool found = text.find(part) != std::string::npos;
    CHECK(found);
    return found;
}

const Recording walk{{"t", "in_go", "x", "y"}, {{1, 1, 0, 5}, {2, 1, 1, 5}, {3, 0, 2, 5}}};

Recording with(Recording recording, std::size_t row, std::size_t column, double value) {
    recording.rows[row][column] = value;
    return recording;
}

}  // namespace

TEST_CASE("parity: a recording does not differ from itself") {
    const ParityReport report = compare(walk, walk);
    CHECK(report.largest.size == 0);
    CHECK(report.within());
    CHECK(report.rows == 3);
    CHECK(report.columns == 2);
}

TEST_CASE("parity: any single number that is off by more than the tolerance is found, and named") {
    test::for_each_seed(200, [](math::Random& random) {
        Recording expected{{"t", "a", "b", "c"}, {}};
        for (int t = 1; t <= 20; ++t)
            expected.rows.push_back({static_cast<double>(t), random.uniform(-1e3, 1e3),
                                     random.uniform(-1e3, 1e3), random.uniform(-1, 1)});
        const std::size_t row = random.below(20);
        const std::size_t column = 1 + random.below(3);
        const double off = random.uniform(1e-6, 10);
        const Recording got = with(expected, row, column, expected.rows[row][column] + off);
        const ParityReport report = compare(expected, got, {.tolerance = 1e-7});
        CHECK(!report.within());
        CHECK(report.largest.size == doctest::Approx(off).epsilon(1e-6));
        CHECK(report.largest.column == expected.columns[column]);
        CHECK(report.largest.tick == static_cast<double>(row + 1));
        CHECK(report.largest.expected == expected.rows[row][column]);
        CHECK(report.largest.got == got.rows[row][column]);
        CHECK(compare(expected, got, {.tolerance = off * 1.001}).within());
    });
}

TEST_CASE("parity: the largest of several differences is reported") {
    const Recording got = with(with(walk, 0, 2, 0.5), 2, 3, 7);
    const ParityReport report = compare(walk, got);
    CHECK(report.largest.column == "y");
    CHECK(report.largest.tick == 3);
    CHECK(report.largest.size == 2);
}

TEST_CASE("parity: inputs and ticks are not compared, and need not be there") {
    CHECK(compare(walk, with(walk, 1, 1, 99)).within());
    const Recording outputs_only{{"y", "x"}, {{5, 0}, {5, 1}, {5, 2}}};
    CHECK(compare(walk, outputs_only).largest.size == 0);
    has(refusal({{"t", "in_go", "mouse_x"}, {{1, 1, 1}}}, walk), "nothing can be compared");
}

TEST_CASE("parity: a column or a row that our run lacks cannot pass") {
    has(refusal(walk, {{"t", "x"}, {{1, 0}, {2, 1}, {3, 2}}}), "no column \"y\"");
    has(refusal(walk, {{"t", "x", "y"}, {{1, 0, 5}, {2, 1, 5}}}), "no row for tick 3");
    has(refusal(walk, {{"x", "y"}, {{0, 5}, {1, 5}}}), "no row for tick 3");
    has(refusal(walk, {{"x", "y"}, {{0, 5}, {1}, {2, 5}}}), "our run: rows[1]");
}

TEST_CASE("parity: where a recording keeps every n-th row, rows meet by their tick") {
    const Recording sparse{{"t", "x"}, {{5, 50}, {10, 100}}};
    Recording full{{"t", "x"}, {}};
    for (int t = 1; t <= 10; ++t) full.rows.push_back({static_cast<double>(t), t * 10.0});
    CHECK(compare(sparse, full).largest.size == 0);
    CHECK(!compare(sparse, with(full, 9, 1, 0)).within());
    CHECK(compare(sparse, with(full, 8, 1, 0)).within());  // a tick that was not kept
    CHECK(compare(sparse, {{"x"}, {{50}, {100}}}).largest.size == 0);
    has(refusal(sparse, {{"t", "x"}, {{4, 40}, {8, 80}, {10, 100}}}), "no row for tick 5");
}

TEST_CASE("parity: only the first rows are compared if the rules say so") {
    const Recording got = with(walk, 2, 2, 1000);
    CHECK(compare(walk, got, {.rows = 2}).within());
    CHECK(compare(walk, got, {.rows = 2}).rows == 2);
    CHECK(!compare(walk, got, {.rows = 3}).within());
    CHECK(compare(walk, walk, {.rows = 1000}).rows == 3);
}

TEST_CASE("parity: angles are compared modulo a full turn, and only angles, and only if the rules say so") {
    const Recording expected{{"n0_angle", "x"}, {{3.1415, 1}}};
    const Recording turned{{"n0_angle", "x"}, {{3.1415 - two_pi, 1}}};
    const Recording moved{{"n0_angle", "x"}, {{3.1415, 1 + two_pi}}};
    CHECK(compare(expected, turned, {.angles = true}).within());
    CHECK(!compare(expected, turned).within());
    CHECK(!compare(expected, moved, {.angles = true}).within());
    CHECK(compare_recordings(expected, moved, {.angles = true}, true)->within());
    const Recording off{{"n0_angle", "x"}, {{3.1415 - two_pi + 0.01, 1}}};
    CHECK(compare(expected, off, {.angles = true}).largest.size == doctest::Approx(0.01));
}

TEST_CASE("parity: some columns are not compared in the air") {
    const Recording expected{{"t", "fhid", "onground"}, {{1, 4, 1}, {2, 4, 0}, {3, 5, 1}}};
    const ParityRules rules{.skip_airborne = {"fhid"}};
    CHECK(compare(expected, with(expected, 1, 1, 99), rules).within());
    CHECK(!compare(expected, with(expected, 2, 1, 99), rules).within());
    CHECK(!compare(expected, with(expected, 1, 2, 1), rules).within());  // to be in the air is compared
    CHECK(!compare(expected, with(expected, 1, 1, 99)).within());
    has(refusal(walk, walk, rules), "onground");
}

TEST_CASE("parity: NaN differs from every number and equals itself") {
    const Recording none{{"x"}, {{not_a_number}}};
    const Recording one{{"x"}, {{1}}};
    const Recording endless{{"x"}, {{infinity}}};
    CHECK(compare(none, none).largest.size == 0);
    CHECK(compare(endless, endless).largest.size == 0);
    for (const auto& [a, b] :
         {std::pair{none, one}, {one, none}, {endless, one}, {one, endless}, {none, endless}}) {
        CHECK(compare(a, b, {.tolerance = 1e300}).largest.size == infinity);
        CHECK(!compare(a, b, {.tolerance = 1e300}).within());
        CHECK(!compare(a, b, {.tolerance = 1e300, .angles = true}).within());
    }
}

TEST_CASE("parity: a file is read into columns and rows, and a null is no number") {
    const auto recording =
        match::read_recording(json_of(R"({"columns": ["t", "x"], "rows": [[1, 2], [2, null]]})"), "f");
    REQUIRE(recording);
    CHECK(recording->columns == std::vector<std::string>{"t", "x"});
    CHECK(recording->rows[0] == std::vector<double>{1, 2});
    CHECK(std::isnan(recording->rows[1][1]));
}

TEST_CASE("parity: a file that is no recording is refused with the reason") {
    const auto said = [](std::string_view text) {
        const auto recording = match::read_recording(json_of(text), "f.json");
        return recording ? std::string() : recording.error().text();
    };
    has(said("[]"), "f.json: expected \"columns\"");
    has(said(R"({"columns": "x", "rows": []})"), "\"columns\" to be an array of strings");
    has(said(R"({"columns": [1], "rows": []})"), "only strings");
    has(said(R"({"columns": ["x"]})"), "\"rows\" to be an array");
    has(said(R"({"columns": ["x"], "rows": [1]})"), "rows[0]: expected an array of numbers");
    has(said(R"({"columns": ["x"], "rows": [["1"]]})"), "rows[0]: expected only numbers");
    has(said(R"({"columns": ["x"], "rows": [[1], [1, 2]]})"), "rows[1]: has 2 numbers for 1 columns");
    has(said(R"({"columns": ["x"], "rows": []})"), "has no rows");
    CHECK(*match::recorded_world(json_of(R"({"header": {"system": "flail"}})"), "f") == "flail");
    CHECK(!match::recorded_world(json_of(R"({"header": {"system": 1}})"), "f"));
    CHECK(!match::recorded_world(json_of(R"({"header": 1})"), "f"));
    CHECK(!match::recorded_world(json_of("[]"), "f"));
}

TEST_CASE("parity: the index says how a file is compared") {
    const Json index = json_of(R"([
        {"file": "a/plain.json", "tolerance": 1e-9},
        {"file": "a/short.json", "tolerance": 0.5, "rows": 14, "note": "of no consequence"},
        {"file": "a/turns.json", "tolerance": 0.01, "angles": "compare modulo 2*pi"},
        {"file": "a/air.json", "tolerance": 1e-9, "skip_airborne": ["fhid", "fhlayer"]},
        {"file": "a/read.json", "tolerance": null}])");
    const auto rules = [&index](std::string_view file) {
        return *match::find_parity_rules(index, "index.json", file);
    };
    CHECK(rules("a/plain.json").tolerance == 1e-9);
    CHECK(rules("a/short.json").rows == 14);
    CHECK(rules("a/short.json").tolerance == 0.5);
    CHECK(rules("a/turns.json").angles);
    CHECK(rules("a/air.json").skip_airborne == std::vector<std::string>{"fhid", "fhlayer"});
    CHECK(rules("a/read.json").by_hand);
    CHECK(!rules("a/plain.json").by_hand);
    CHECK(rules("b/unknown.json").tolerance == 1e-9);
}

TEST_CASE("parity: an index with something wrong in it is refused, lest it allow everything") {
    const auto said = [](std::string_view text) {
        const auto rules = match::find_parity_rules(json_of(text), "index.json", "f");
        return rules ? std::string() : rules.error().text();
    };
    has(said("{}"), "index.json: expected an array");
    has(said("[1]"), "index.json: [0]");
    has(said(R"([{"file": "f"}])"), "\"tolerance\" to be a number");
    has(said(R"([{"file": "f", "tolerance": "small"}])"), "\"tolerance\"");
    has(said(R"([{"file": "f", "tolerance": -1}])"), "got -1");
    has(said(R"([{"file": "f", "tolerance": 1, "rows": 0}])"), "\"rows\"");
    has(said(R"([{"file": "f", "tolerance": 1, "skip_airborne": "fhid"}])"), "skip_airborne");
}

TEST_CASE("parity: a world without recordings is refused by name") {
    const match::WorldTable world{.name = "pebble"};
    const auto report = match::check_parity(world, json_of("{}"), "f.json", {});
    REQUIRE(!report);
    has(report.error().text(), "\"pebble\" follows no document");
}

TEST_CASE("parity: a world is run on the file and held against it") {
    match::WorldTable world{.name = "pebble"};
    world.parity = [](const void*, const Json& file, const std::string&) -> state::Result<Recording> {
        Recording ours{{"x"}, {}};
        for (std::size_t i = 0; i < file.find("rows")->array()->size(); ++i)
            ours.rows.push_back({static_cast<double>(i) * 0.5});
        return ours;
    };
    const auto report = [&world](std::string_view text) {
        return match::check_parity(world, json_of(text), "f.json", {}).value();
    };
    CHECK(report(R"({"header": {}, "columns": ["t", "x"], "rows": [[1, 0], [2, 0.5]]})").within());
    const ParityReport off = report(R"({"header": {}, "columns": ["t", "x"], "rows": [[1, 0], [2, 0.75]]})");
    CHECK(!off.within());
    CHECK(off.largest.got == 0.5);
    CHECK(off.largest.tick == 2);
}
