// SPDX-License-Identifier: MIT
// What a replay of a recording reads, and when.
#include <instep/math/units.h>

#include <doctest/doctest.h>

#include <creature/tests/room.h>

#include <cmath>

using namespace instep;
using namespace instep::test;

namespace {

// A chain of two, and a free node on top of the chain's end.
constexpr std::string_view pushed_chain = R"({
    "header": {
        "playground_half_size": [500, 500],
        "initial_state": {
            "nodes": [
                {"type": "Anchor", "x": 0, "y": 0, "prev_x": 0, "prev_y": 0, "radius": 5, "mode": "None",
                 "chain_angle": 3.1415926535897931, "angle_min": -3, "angle_max": 3},
                {"type": "Normal", "x": -20, "y": 0, "prev_x": -20, "prev_y": 0, "radius": 5,
                 "chain_angle": 3.1415926535897931, "angle_min": -3, "angle_max": 3},
                {"type": "Normal", "x": -20, "y": 6, "prev_x": -20, "prev_y": 6, "radius": 5}],
            "constraints_a_b_rest": [[0, 1, 20]]}},
    "columns": ["t", "n1_x", "n1_y", "n1_angle"],
    "rows": [[1, 0, 0, 0]]})";

}  // namespace

TEST_CASE("creature parity: angles are those before collisions, positions those after") {
    const auto replayed =
        worlds::creature::parity(state::Type<Setup>{}, json_of(pushed_chain), "pushed_chain");
    REQUIRE_MESSAGE(replayed, replayed.error().text());
    REQUIRE(replayed->rows.size() == 1);
    const std::vector<double>& row = replayed->rows[0];
    CHECK(row[0] == doctest::Approx(-20));
    CHECK(row[1] == doctest::Approx(-2));  // half of the overlap of 4
    CHECK(std::abs(row[2]) == doctest::Approx(math::pi).epsilon(1e-12));
}

// The tolerance and all rows: feet decide as recorded wherever more than a rounding decides.
TEST_CASE("creature parity: the gait agrees on every row of both recordings") {
    for (const char* name : {"limb_stepping.json", "limb_stepping_flip.json"}) {
        CAPTURE(name);
        const state::Json file = json_of(text_of(source_dir() / "worlds/creature/vectors" / name));
        const auto replayed = worlds::creature::parity(state::Type<Setup>{}, file, name);
        REQUIRE_MESSAGE(replayed, replayed.error().text());
        const auto recorded = contract::RecordingReader::open(file, name);
        REQUIRE(recorded);
        REQUIRE(replayed->rows.size() == recorded->file().rows.size());
        REQUIRE(replayed->rows.size() >= 240);
        for (std::size_t c = 0; c < replayed->columns.size(); ++c) {
            const std::string& column = replayed->columns[c];
            const auto at = recorded->column(column);
            REQUIRE(at);
            for (std::size_t row = 0; row < replayed->rows.size(); ++row) {
                const double difference = replayed->rows[row][c] - recorded->at(row, *at);
                const bool is_angle = column.ends_with("_angle");
                CAPTURE(column);
                CAPTURE(row);
                REQUIRE(std::abs(is_angle ? std::remainder(difference, math::two_pi) : difference) < 0.01);
            }
        }
    }
}
