// SPDX-License-Identifier: MIT
#include <instep/contract/recording.h>

#include <memory>
#include <vector>

#include <doctest/doctest.h>

using namespace instep;
using contract::RecordingReader;

namespace {

state::Result<RecordingReader> open(const std::string& text) {
    const auto json = state::parse_json(text, "run.json");
    REQUIRE(json);
    // The reader keeps pointing into the file.
    static std::vector<std::unique_ptr<state::Json>> kept;
    kept.push_back(std::make_unique<state::Json>(*json));
    return RecordingReader::open(*kept.back(), "run.json");
}

std::string table(const std::string& columns, const std::string& rows) {
    return R"({"header": {"constants": {"nodes": 3, "half": 0.5, "word": "x"}}, "columns": )" + columns +
           R"(, "rows": )" + rows + "}";
}

std::string refusal_of(const std::string& columns, const std::string& rows) {
    const auto reader = open(table(columns, rows));
    return reader ? "" : reader.error().text();
}

bool mentions(const std::string& text, std::string_view words) {
    return text.find(words) != std::string::npos;
}

}  // namespace

TEST_CASE("recording: ticks are whole and rise") {
    CHECK(refusal_of(R"(["t", "x"])", "[[1, 0.5], [2, 0.5], [9, 1]]") == "");
    CHECK(mentions(refusal_of(R"(["t"])", "[[1], [1]]"), "rows[1]: expected a whole tick above"));
    CHECK(mentions(refusal_of(R"(["t"])", "[[1.5]]"), "rows[0]: expected a whole tick"));
    CHECK(mentions(refusal_of(R"(["t"])", "[[-1]]"), "rows[0]"));
    CHECK(mentions(refusal_of(R"(["t"])", "[[1e9]]"), "at most 1000000"));
}

TEST_CASE("recording: rows have a number for each column") {
    CHECK(mentions(refusal_of(R"(["t", "x"])", "[[1]]"), "rows[0]: expected 2 values"));
    CHECK(mentions(refusal_of(R"(["t", "x"])", R"([[1, "a"]])"), "expected numbers, got a string"));
    CHECK(mentions(refusal_of(R"(["t", 7])", "[]"), "columns: expected names"));
    CHECK(mentions(refusal_of(R"(["x"])", "[[1]]"), "expected a column \"t\""));
    CHECK(mentions(refusal_of("3", "[]"), "this is no table of ticks"));
}

TEST_CASE("recording: a constant is a number within its bounds, and whole where it counts something") {
    const auto reader = open(table(R"(["t"])", "[[1]]"));
    REQUIRE(reader);
    CHECK(*reader->constant("half", 0, 1) == 0.5);
    CHECK(!reader->constant("half", 1, 2));
    CHECK(!reader->constant("word", 0, 1));
    CHECK(!reader->constant("missing", 0, 1));
    CHECK(*reader->whole_constant("nodes", 2, 16) == 3);
    CHECK(!reader->whole_constant("nodes", 4, 16));
    const auto half = reader->whole_constant("half", 0, 1);
    REQUIRE(!half);
    CHECK(mentions(half.error().text(), "half: expected a whole number"));
}

TEST_CASE("recording: ticks between two rows take the inputs of the later one, and each row is read once") {
    const auto reader = open(table(R"(["t", "in_push", "mouse_x", "y"])", "[[2, 1, 0, 5], [3, 2, 0, 6]]"));
    REQUIRE(reader);
    std::vector<std::size_t> stepped;
    const auto ours = reader->replay([&](std::size_t row) { stepped.push_back(row); },
                                     [](const std::string& column) -> state::Result<double> {
                                         CHECK(column == "y");
                                         return 7.0;
                                     });
    REQUIRE(ours);
    CHECK(stepped == std::vector<std::size_t>{0, 0, 1});
    CHECK(ours->rows.size() == 2);
}
