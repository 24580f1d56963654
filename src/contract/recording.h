// SPDX-License-Identifier: MIT
// A run of an original program, recorded number by number, and the reader that replays it. A world
// that reproduces a document has a function `parity` that replays a recording's inputs on the real step and
// answers with rows of the same columns; `instep parity` compares the two.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <instep/state/json.h>
#include <instep/state/result.h>

namespace instep::contract {

struct Recording {
    std::vector<std::string> columns;
    std::vector<std::vector<double>> rows;
};

// Reads a file of the form {"header": {"constants": ...}, "columns": ["t", ...], "rows": [[1, ...], ...]}. A
// column whose name begins with "in_" or "mouse_" is an input, "t" is the tick, the others are outputs.
class RecordingReader {
public:
    static constexpr std::uint64_t most_ticks = 1'000'000;

    // Refuses other files: rows of another length, values that are no numbers, ticks that do not
    // rise.
    static state::Result<RecordingReader> open(const state::Json& file, const std::string& where);

    const state::Json& header() const { return *header_; }
    // A number of header.constants.
    state::Result<double> constant(std::string_view name, double low, double high) const;
    state::Result<std::uint32_t> whole_constant(std::string_view name, std::uint32_t low,
                                                std::uint32_t high) const;

    // The position of a column in a row of the file.
    state::Result<std::size_t> column(std::string_view name) const;
    double at(std::size_t row, std::size_t column) const { return file_.rows[row][column]; }
    const Recording& file() const { return file_; }

    // Calls step(row) once for every tick up to that of the row, then read(column) -> Result<double> for
    // every output column. Where a file keeps only every n-th row, the ticks between take the inputs
    // of the row they lead to.
    template <class Step, class Read>
    state::Result<Recording> replay(Step step, Read read) const {
        Recording ours{outputs(), {}};
        double tick = 0;
        for (std::size_t row = 0; row < file_.rows.size(); ++row) {
            for (; tick < at(row, tick_column_); ++tick) step(row);
            std::vector<double>& values = ours.rows.emplace_back();
            for (const std::string& name : ours.columns) {
                const state::Result<double> value = read(name);
                if (!value) return std::unexpected(value.error());
                values.push_back(*value);
            }
        }
        return ours;
    }

    state::Error unknown_column(std::string_view name) const;

private:
    std::vector<std::string> outputs() const;

    const state::Json* header_ = nullptr;
    std::string where_;
    Recording file_;
    std::size_t tick_column_ = 0;
};

// Whether a column is an output of the program: neither the tick nor an input.
bool is_output_column(std::string_view name);

}  // namespace instep::contract
