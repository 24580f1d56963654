// SPDX-License-Identifier: MIT
// A recording of an original program held against our run of it, column by column. A recording is a JSON
// object
// {"header": {"system": WORLD, ...}, "columns": [...], "rows": [[...], ...]}; beside a folder of recordings
// lies its index, an array of entries that say for each file how close is close enough.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <instep/match/world_table.h>

namespace instep::match {

// How one file is to be compared.
struct ParityRules {
    double tolerance = 1e-9;  // the largest absolute difference allowed
    bool by_hand = false;     // no tolerance: the file is there to be read and tested by hand
    std::size_t rows = std::numeric_limits<std::size_t>::max();  // only this many are compared
    bool angles = false;                                         // angles are compared modulo a full turn
    std::vector<std::string> skip_airborne;  // columns that are not compared while `onground` is 0
};

// What `index` says of `file` ("circle.json"); the defaults if it has no entry for it.
state::Result<ParityRules> find_parity_rules(const state::Json& index, const std::string& index_name,
                                             std::string_view file);

// The world that a recording is of: its header's "system".
state::Result<std::string> recorded_world(const state::Json& file, const std::string& where);

// The rows of a file. A null in it becomes NaN.
state::Result<contract::Recording> read_recording(const state::Json& file, const std::string& where);

// Where and by how much two recordings differ most.
struct ParityDifference {
    double size = 0;  // infinite where only one of the two is a number
    std::string column;
    double tick = 0;  // the row's `t`, or its number from 1 if there is no such column
    double expected = 0;
    double got = 0;
};

struct ParityReport {
    double tolerance = 0;
    std::size_t rows = 0;
    std::size_t columns = 0;  // compared; ticks and inputs are not
    ParityDifference largest;

    bool within() const { return largest.size <= tolerance; }
};

// Rows belong together if their `t` is the same (a recording may keep only every n-th), else by their number.
// Refuses runs that lack a column or a row.
state::Result<ParityReport> compare_recordings(const contract::Recording& expected,
                                               const contract::Recording& got, const ParityRules& rules,
                                               bool every_column_is_an_angle = false);

// Runs the world on a file and compares.
state::Result<ParityReport> check_parity(const WorldTable& world, const state::Json& file,
                                         const std::string& where, const ParityRules& rules);

}  // namespace instep::match
