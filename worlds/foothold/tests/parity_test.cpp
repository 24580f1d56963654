// SPDX-License-Identifier: MIT
// Our world against recordings of both originals.
#include <foothold/foothold.h>
#include <instep/match/parity.h>
#include <instep/match/world_table.h>

#include <doctest/doctest.h>

#include <foothold/tests/support.h>

using namespace instep;

TEST_CASE(
    "foothold parity: every recording is reproduced within the tolerance of the index, and the reference's "
    "to the bit") {
    const state::Json index = test::read_json_file(test::foothold_vectors() / "../vectors.json");
    int compared = 0;
    for (const auto& entry : std::filesystem::directory_iterator(test::foothold_vectors())) {
        const std::string name = entry.path().filename().string();
        CAPTURE(name);
        const state::Json file = test::read_json_file(entry.path());
        const auto rules = match::find_parity_rules(index, "vectors.json", name);
        REQUIRE_MESSAGE(rules, rules.error().text());
        const auto expected = match::read_recording(file, name);
        REQUIRE_MESSAGE(expected, expected.error().text());
        const auto ours = worlds::foothold::parity({}, file, name);
        REQUIRE_MESSAGE(ours, ours.error().text());
        const auto report = match::compare_recordings(*expected, *ours, *rules);
        REQUIRE_MESSAGE(report, report.error().text());
        INFO(report->largest.column << " at " << report->largest.tick << ": expected "
                                    << report->largest.expected << ", got " << report->largest.got);
        CHECK(report->largest.size <=
              (name.starts_with("web_") || name == "drop_arc.json" ? rules->tolerance : 0));
        ++compared;
    }
    CHECK(compared == 46);
}

TEST_CASE(
    "foothold parity: a recording whose numbers fit nothing is refused with the position of the first of "
    "them") {
    const auto refused = [](const std::string& initial, const std::string& inputs, bool is_web) {
        const std::string text = R"({"header": {"engine": ")" + std::string(is_web ? "web" : "reference") +
                                 R"(", "initial_state": {)" + initial + R"(}, "inputs": {)" + inputs +
                                 R"(}}, "columns": ["t", "x"], "rows": [[1, 0]]})";
        const auto json = state::parse_json(text, "made.json");
        REQUIRE_MESSAGE(json, json.error().text());
        const auto replayed = worlds::foothold::parity({}, *json, "made.json");
        return replayed ? std::string() : replayed.error().text();
    };
    const auto names = [](const std::string& error, std::string_view key) {
        return error.find(key) != std::string::npos;
    };
    CHECK(names(refused(R"("fhid": 1e300)", R"("segments": [])", false), "initial_state.fhid"));
    CHECK(names(refused(R"("fhlayer": 256)", R"("segments": [])", false), "initial_state.fhlayer"));
    CHECK(names(refused(R"("fhlayer": -1)", R"("schedule": [])", false), "initial_state.fhlayer"));
    CHECK(names(refused(R"("fh": -1e10)", R"("schedule": [])", true), "initial_state.fh"));
    CHECK(names(refused(R"("hp": 1e10)", R"("list": [])", true), "initial_state.hp"));
    CHECK(names(refused(R"("maxHp": 1e10)", R"("list": [])", true), "initial_state.maxHp"));
    CHECK(
        names(refused(R"("footholdId": "99999999999")", R"("list": [])", true), "initial_state.footholdId"));
    CHECK(names(refused(R"("footholdId": "1x")", R"("list": [])", true), "initial_state.footholdId"));
    CHECK(names(refused(R"("speed_stat": 1e300)", R"("keys": [])", false), "stats"));
    CHECK(refused(R"("fhid": 0)", R"("segments": [])", false).empty());
}
