// SPDX-License-Identifier: MIT
// Our world against recordings of both originals.
#include <instep/match/parity.h>
#include <instep/match/world_table.h>
#include <instep/worlds/foothold/foothold.h>

#include <doctest/doctest.h>

#include <tests/worlds/foothold/support.h>

using namespace instep;

TEST_CASE("every recording is reproduced within the tolerance of the index, and the reference's to the bit") {
    const state::Json index = test::read_json_file(test::foothold_vectors() / "../index.json");
    int compared = 0;
    for (const auto& entry : std::filesystem::directory_iterator(test::foothold_vectors())) {
        const std::string name = entry.path().filename().string();
        CAPTURE(name);
        const state::Json file = test::read_json_file(entry.path());
        const auto rules = match::find_parity_rules(index, "index.json", "foothold/" + name, "foothold");
        REQUIRE_MESSAGE(rules, rules.error().text());
        const auto expected = match::read_recording(file, name);
        REQUIRE_MESSAGE(expected, expected.error().text());
        const auto ours = worlds::Foothold::parity(file, name);
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
